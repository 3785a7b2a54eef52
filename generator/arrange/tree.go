package arrange

import (
	"strings"
	"unicode"

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

// folder returns the folder of a key, making it and its parents if they are
// not there yet.
func (b *builder) folder(key string) *site.Folder {
	if f := b.folders[key]; f != nil {
		return f
	}
	above, segment := cutLast(key)
	f := &site.Folder{Path: key, Parent: b.folder(above)}
	f.Title = b.titles[key]
	if f.Title == "" {
		f.Title = humanize(segment)
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
func humanize(segment string) string {
	words := strings.FieldsFunc(segment, func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) })
	for i, word := range words {
		letters := []rune(word)
		letters[0] = unicode.TurkishCase.ToUpper(letters[0])
		words[i] = string(letters)
	}
	if len(words) == 0 {
		return segment
	}
	return strings.Join(words, " ")
}
