// Package attachment knows the files that a mirror may keep beside pictures: documents, sounds
// and films. [Of] returns the format that the name of a file promises, and [Sniff] the one
// that its bytes have.
package attachment

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Kind is a group of formats.
type Kind string

// The kinds of attachments.
const (
	Document Kind = "document"
	Audio    Kind = "audio"
	Video    Kind = "video"
)

// Card is the kind of a page of another site that a text shows as a card. It is never fetched:
// its host is asked for title and picture.
const Card Kind = "card"

// Kinds lists all kinds of files.
var Kinds = []Kind{Document, Audio, Video}

// A Format is one that no browser runs as a program.
type Format struct {
	Extension string // "pdf"
	Kind      Kind
	Type      string // media type
	signature string // of its first bytes, see signatureOf
}

// formats has the usual format of each signature first.
var formats = []Format{
	{"pdf", Document, "application/pdf", "pdf"},
	{"zip", Document, "application/zip", "zip"},
	{"epub", Document, "application/epub+zip", "zip"},
	{"docx", Document, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "zip"},
	{"xlsx", Document, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "zip"},
	{"pptx", Document, "application/vnd.openxmlformats-officedocument.presentationml.presentation", "zip"},
	{"odt", Document, "application/vnd.oasis.opendocument.text", "zip"},
	{"ods", Document, "application/vnd.oasis.opendocument.spreadsheet", "zip"},
	{"odp", Document, "application/vnd.oasis.opendocument.presentation", "zip"},
	{"doc", Document, "application/msword", "ole"},
	{"xls", Document, "application/vnd.ms-excel", "ole"},
	{"ppt", Document, "application/vnd.ms-powerpoint", "ole"},
	{"txt", Document, "text/plain", "text"},
	{"csv", Document, "text/csv", "text"},
	{"mp3", Audio, "audio/mpeg", "mp3"},
	{"ogg", Audio, "audio/ogg", "ogg"},
	{"oga", Audio, "audio/ogg", "ogg"},
	{"opus", Audio, "audio/ogg", "ogg"},
	{"wav", Audio, "audio/wav", "wav"},
	{"flac", Audio, "audio/flac", "flac"},
	{"mp4", Video, "video/mp4", "mp4"},
	{"m4v", Video, "video/mp4", "mp4"},
	{"m4a", Audio, "audio/mp4", "mp4"},
	{"webm", Video, "video/webm", "webm"},
	{"vtt", Video, "text/vtt", "vtt"},
}

// Of returns the format of the extension of an address or of a file's name.
func Of(address string) (Format, bool) {
	if u, err := url.Parse(address); err == nil {
		address = u.Path
	}
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(address), "."))
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Extension == extension })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}

// Types returns the media types of all formats by extension, as ".pdf".
func Types() map[string]string {
	types := make(map[string]string, len(formats))
	for _, f := range formats {
		types["."+f.Extension] = f.Type
	}
	return types
}

// IsPacked reports whether compressing a file of the format gains little.
func IsPacked(name string) bool {
	f, ok := Of(name)
	return ok && !slices.Contains([]string{"ole", "text", "wav", "vtt"}, f.signature)
}

// Label names the format for readers: "PDF".
func (f Format) Label() string { return strings.ToUpper(f.Extension) }

// Name returns the name of the file at an address as one line of visible letters, "" if it has
// none.
func Name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	name := strings.ToValidUTF8(path.Base(u.Path), "")
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '_' || unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r) || r == '\\':
			return -1
		}
		return r
	}, name)
	if name = strings.Join(strings.Fields(name), " "); name == "." || name == ".." || name == "/" {
		return ""
	}
	return name
}
