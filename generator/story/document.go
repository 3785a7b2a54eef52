package story

import (
	"cmp"
	"errors"
	"hash/fnv"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"ayna/prose"
	"ayna/record"
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
	Members    bool   // only members of the source read the whole text
	Files      []record.File
	References []record.Reference
	MarkdownOf uint64 // digest of the HTML that the Markdown was made from
}

// document is the prepared text of a record, as the archive stores it.
type document struct {
	Content
	body     prose.Body
	markdown string // "" unless the site has Markdown; stored because it takes half of a full build
}

// contentVersion is the version of what documents hold, encodingVersion that of the output
// of marshal. Raise them when these change.
const (
	contentVersion  = 10
	encodingVersion = 1
)

// textVersion identifies the version and the settings of the preparation, and the encoding.
// The archive returns only documents of the same version.
func (r *Reader) textVersion() int64 { return encodingVersion<<56 | r.version() }

// plainTextVersion is the textVersion of a document without the Markdown.
func plainTextVersion(table string) int64 { return encodingVersion<<56 | versionOf(table) }

// TextVersion identifies how the texts are cleaned.
func (r *Reader) TextVersion() int64 { return r.version() }

// version identifies the same without the encoding.
func (r *Reader) version() int64 {
	settings := r.Site.Words.Table
	if r.Site.Markdown {
		settings += "\x01"
	}
	return versionOf(settings)
}

func versionOf(settings string) int64 {
	h := fnv.New32a()
	h.Write([]byte(settings))
	return int64(contentVersion)<<48 | int64(prose.Version)<<32 | int64(h.Sum32())
}

// separator stands between the fields of a stored document. XML forbids it.
const separator = "\x00"

// scalars is the number of fields before those of the files and references.
const scalars = 11

// marshal returns the fields as text. To read them as JSON took 6 % of a full build.
func (d *document) marshal() ([]byte, error) {
	fields := []string{
		d.Title, d.Spot, d.Editor, d.Source, d.Hash, d.Opening,
		strconv.Itoa(d.Words), strconv.FormatBool(d.Waiting), strconv.FormatUint(d.MarkdownOf, 10), strconv.Itoa(len(d.Files)),
		strconv.FormatBool(d.Members),
	}
	for _, f := range d.Files {
		fields = append(fields, f.URL, f.Title, f.Caption)
	}
	for _, r := range d.References {
		fields = append(fields, r.ID, r.Title, r.URL)
	}
	fields = append(fields, d.body.Marshal(), d.markdown)
	data := strings.Join(fields, separator)
	if strings.Count(data, separator) >= len(fields) {
		return nil, errors.New("a text holds U+0000")
	}
	return []byte(data), nil
}

// unmarshal reads what marshal wrote. The strings share the memory of data.
func unmarshal(data string) (document, error) {
	fields := strings.Split(data, separator)
	end := len(fields) - 2
	if end < scalars || (end-scalars)%3 != 0 {
		return document{}, errors.New("the stored text is damaged")
	}
	words, err1 := strconv.Atoi(fields[6])
	waiting, err2 := strconv.ParseBool(fields[7])
	of, err3 := strconv.ParseUint(fields[8], 10, 64)
	files, err4 := strconv.ParseUint(fields[9], 10, 32)
	members, err5 := strconv.ParseBool(fields[10])
	body, err6 := prose.Unmarshal(fields[end])
	if err := cmp.Or(err1, err2, err3, err4, err5, err6); err != nil {
		return document{}, err
	}
	d := document{body: body, markdown: fields[end+1], Content: Content{
		Title: fields[0], Spot: fields[1], Editor: fields[2], Source: fields[3], Hash: fields[4], Opening: fields[5],
		Words: words, Waiting: waiting, Members: members, MarkdownOf: of,
	}}
	for f := range slices.Chunk(fields[scalars:end], 3) {
		if len(d.Files) < int(files) {
			d.Files = append(d.Files, record.File{URL: f[0], Title: f[1], Caption: f[2]})
		} else {
			d.References = append(d.References, record.Reference{ID: f[0], Title: f[1], URL: f[2]})
		}
	}
	return d, nil
}

func digest(html template.HTML) uint64 {
	h := fnv.New64a()
	h.Write([]byte(html))
	return h.Sum64()
}
