package search

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"

	"ayna/generator/site"
	"ayna/generator/story"
)

// Bounds of what results show of an item, in bytes of JSON.
const (
	maxTitle       = 240
	maxFolderTitle = 80
	maxPicture     = 300
)

// A page of ten results that are far apart loads ten files of items.
const (
	itemsWithTexts = 5 // in a file
	itemsAlone     = 20
	maxItemsFile   = 16_000 // bytes
	minText        = 500    // bytes of a text, from where a file is too large for its addresses alone
)

// shown is what the search page shows of an item.
type shown struct {
	address, title, picture, folder string
	date, kind                      int
	names                           string // of writers, tags and folders, in lines
	spot                            string // after the title, if that is truncated
}

// row is an item in a file of items.
type row struct {
	shown
	lines string // of spot and text
	whole bool   // names and lines are
}

// columns returns pointers to what a file of items holds of the item, in its order: date is
// a number, 20260914 or 0, and kind an index of [site.Kinds].
func (r *row) columns() []any {
	return []any{&r.address, &r.title, &r.date, &r.kind, &r.folder, &r.picture, &r.names, &r.lines, &r.whole}
}

func (items *siteItems) shown(teaser *story.Teaser) shown {
	s := shown{
		address: teaser.Address(), title: truncate(teaser.Title, maxTitle), folder: folderTitle(teaser.Item), date: items.dateOf(teaser.Item),
		kind: slices.Index(site.Kinds, teaser.Kind()), names: strings.Join(names(teaser.Item), "\n"), spot: teaser.Spot,
	}
	if s.title != teaser.Title {
		s.spot = teaser.Title + "\n" + s.spot
	}
	if p := teaser.Picture; p != nil {
		switch {
		case len(p.Sizes) > 0:
			s.picture = site.MediaAddress(p.Sizes[0].Name)
		case p.File != "":
			s.picture = p.File
		default:
			s.picture = p.Link
		}
		if jsonSize(s.picture) > maxPicture {
			s.picture = ""
		}
	}
	return s
}

// names returns the names of an item's writers, tags and folders.
func names(item site.Item) (all []string) {
	for _, writer := range item.Writers() {
		all = append(all, writer.Title)
	}
	for tag := range item.Tags() {
		all = append(all, tag.Title)
	}
	for f := range item.InAndAbove() {
		all = append(all, f.Title)
	}
	return all
}

func folderTitle(item site.Item) string {
	if item.Folder() == nil || item.Folder().Dir == "" {
		return ""
	}
	return truncate(item.Folder().Title, maxFolderTitle)
}

// packRows packs items: JSON of their fields, with as much of their names and texts as fits.
func packRows(rows []row) (string, error) {
	most := 0 // bytes of names and texts
	for i := range rows {
		most = max(most, len(rows[i].lines), len(rows[i].names))
	}
	for {
		table := make([][]any, len(rows))
		for i, row := range rows {
			row.whole = row.whole && len(row.names) <= most && len(row.lines) <= most
			row.names, row.lines = cut(row.names, most), cut(row.lines, most)
			table[i] = row.columns()
		}
		packed, err := pack(table)
		if err != nil || len(packed) <= maxItemsFile {
			return packed, err
		}
		if most == 0 {
			return "", fmt.Errorf("%d bytes without texts", len(packed))
		}
		if most /= 2; most < minText {
			most = 0
		}
	}
}

// cut returns the beginning of a text that has at most a number of bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// packer holds what packing needs, so that its room is used again.
type packer struct {
	encoded, packed bytes.Buffer
	writer          *flate.Writer
}

var packers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, 3) // the level is valid
	return &packer{writer: w}
}}

// pack returns a value as JSON, compressed (DEFLATE, RFC 1951) and in base64.
func pack(value any) (string, error) {
	p := packers.Get().(*packer)
	defer packers.Put(p)
	p.encoded.Reset()
	p.packed.Reset()
	e := json.NewEncoder(&p.encoded)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return "", err
	}
	p.writer.Reset(&p.packed)
	if _, err := p.writer.Write(p.encoded.Bytes()); err != nil {
		return "", err
	}
	if err := p.writer.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(p.packed.Bytes()), nil
}

// truncate shortens a text to at most a number of bytes of JSON.
func truncate(text string, most int) string {
	if jsonSize(text) <= most {
		return text
	}
	const sign = "…"
	room := most - jsonSize(sign)
	for i, r := range text {
		if room -= jsonSize(string(r)); room < 0 {
			return text[:i] + sign
		}
	}
	return text
}

// jsonSize returns the bytes of a text as JSON, without quotation marks.
func jsonSize(text string) int {
	if isPlainJSON(text) {
		return len(text)
	}
	encoded, _ := json.Marshal(text) // of a string never fails
	return len(encoded) - len(`""`)
}

// isPlainJSON reports whether a text certainly needs no escaping in JSON. U+2028 and
// U+2029, which are escaped, begin with the byte E2.
func isPlainJSON(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c == '"', c == '\\', c == '<', c == '>', c == '&', c == 0xE2:
			return false
		}
	}
	return utf8.ValidString(text)
}
