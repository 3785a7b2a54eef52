package story

import (
	"encoding/json"
	"errors"
	"hash/fnv"
	"html/template"
	"strings"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/wire"
)

// Content is the part of a story that [Reader.Prepare] stores in the archive, in addition
// to the body and the Markdown.
type Content struct {
	Title      string // plain text with at least one visible character
	Spot       string // plain text, may be empty
	Editor     string // plain text, may be empty
	Source     string // safe address of the original, or ""
	Hash       string // SHA-256 of the raw record, hexadecimal
	Words      int    // of the text
	Opening    string // the beginning of the text as plain text in one line, if there is no spot
	Waiting    bool   // the text was not fetched yet
	Files      []wire.File
	References []archive.Reference
	MarkdownOf uint64 // digest of the HTML that the Markdown was made from
}

// document is the prepared text of a record, as the archive stores it.
type document struct {
	Content
	body     prose.Body
	markdown string // "" unless the site has Markdown; stored because it takes half of a full build
}

// documentVersion is the version of the output of marshal. Raise it when that changes.
const documentVersion = 6

// maker identifies the version and the settings of the preparation. The archive returns
// only documents with the same maker.
func (r *Reader) maker() int64 {
	h := fnv.New32a()
	h.Write([]byte(r.Site.Words.Table))
	if r.Site.Markdown {
		h.Write([]byte{1})
	}
	return int64(documentVersion)<<48 | int64(prose.Version)<<32 | int64(h.Sum32())
}

// separator is a character that neither JSON nor a cleaned text contains.
const separator = "\x00"

func (d *document) marshal() ([]byte, error) {
	content, err := json.Marshal(d.Content)
	if err != nil {
		return nil, err
	}
	return []byte(string(content) + separator + d.body.Marshal() + separator + d.markdown), nil
}

// unmarshal reads what marshal wrote.
func unmarshal(data string) (d document, err error) {
	parts := strings.Split(data, separator)
	if len(parts) != 3 {
		return d, errors.New("the stored text is damaged")
	}
	if err := json.Unmarshal([]byte(parts[0]), &d.Content); err != nil {
		return d, err
	}
	d.markdown = parts[2]
	d.body, err = prose.Unmarshal(parts[1])
	return d, err
}

func digest(html template.HTML) uint64 {
	h := fnv.New64a()
	h.Write([]byte(html))
	return h.Sum64()
}
