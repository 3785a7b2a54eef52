package arrange

import (
	"strings"
	"unicode"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// folderKey writes a folder path the one way in which folders are told apart:
// "/spor/futbol/".
func folderKey(path string) string {
	segments := site.SplitPath(path)
	if len(segments) == 0 {
		return "/"
	}
	return "/" + strings.Join(segments, "/") + "/"
}

// name enters a folder's own record. Of several for one folder, that of the
// smallest id counts.
func (b *builder) name(r *archive.Record) {
	key := folderKey(r.Path)
	if known := b.named[key]; r.Title != "" && (known == nil || r.ID < known.ID) {
		b.named[key] = r
	}
}

// folder returns the folder of a key, making it and its parents if they are
// not there yet.
func (b *builder) folder(key string) *site.Folder {
	if f := b.folders[key]; f != nil {
		return f
	}
	above, segment := cutLast(key)
	f := &site.Folder{List: site.List{Sort: site.OfFolders}, Path: key, Parent: b.folder(above)}
	if r := b.named[key]; r != nil {
		f.Title = r.Title
	} else {
		f.Title = b.humanize(prose.Plain(segment))
	}
	f.Parent.Folders = append(f.Parent.Folders, f)
	b.folders[key] = f
	return f
}

// cutLast splits the last segment off a folder key.
func cutLast(key string) (above, segment string) {
	key = strings.TrimSuffix(key, "/")
	i := strings.LastIndexByte(key, '/')
	return key[:i+1], key[i+1:]
}

// humanize makes a title of a folder's name, for folders the service names
// nowhere: "yerel-haberler" → "Yerel Haberler".
func (b *builder) humanize(segment string) string {
	upper := unicode.ToUpper
	if b.site.Language == "tr" {
		upper = unicode.TurkishCase.ToUpper
	}
	words := strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || !unicode.IsGraphic(r) || unicode.IsSpace(r) })
	for i, word := range words {
		letters := []rune(word)
		letters[0] = upper(letters[0])
		words[i] = string(letters)
	}
	if len(words) == 0 {
		return "?"
	}
	return strings.Join(words, " ")
}
