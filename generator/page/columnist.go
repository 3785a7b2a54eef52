package page

import "ayna/generator/site"

// columnist returns the writer whose name the folder of a column has, if that writer alone wrote
// it; else nil. A section may have the name of an account, but then it holds other items.
func columnist(item site.Item) *site.Writer {
	writers := item.Writers()
	if item.Kind() != site.Column || len(writers) != 1 || item.Folder().Parent == nil || item.Folder().Title != writers[0].Title {
		return nil
	}
	return writers[0]
}

// columnistOf returns the writer of a folder that has the writer's name and nobody else's
// items; else nil. The writer's page then stands for the folder's.
func columnistOf(folder *site.Folder) *site.Writer {
	var found *site.Writer
	for item := range folder.Items.All() {
		writer := columnist(item)
		if writer == nil || item.Folder() != folder || found != nil && writer != found {
			return nil
		}
		found = writer
	}
	return found
}

// pageOf returns the list whose page shows a folder.
func pageOf(folder *site.Folder) *site.List {
	if writer := columnistOf(folder); writer != nil {
		return &writer.List
	}
	return &folder.List
}
