package client

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// How a field is read, whatever its JSON type:
//
//   - A key counts under its exact name first, then in any case; null is as
//     good as missing. Of a key given twice, the last counts.
//   - An id is a string, byte for byte, or a number: its digits, all of
//     them, and 1.0 and 1e3 as "1" and "1000".
//   - Text is a string; a number as written; true or false; the items of an
//     array joined by ", "; of an object its Fullname, Name or Title.
//   - A date is text or a number, see [Date].
//   - Tags are an array of text, or one text cut at its commas; blanks around
//     a tag and empty tags go.
//   - Files and records inside a record are an array of objects, or one
//     object. Items that are none are left out, but for a string in Files,
//     which is an address. A file without an address is left out.
//   - Records inside records are read 64 deep.
//   - A list that is there is not nil, even if it is empty; one that is
//     missing or null is nil: the service leaves relations out at times, and
//     that does not say that there are none.

// maxDepth is how deep RelatedNews and Writers may stand in one another.
const maxDepth = 64

// fields is a JSON object whose fields are read by the rules above.
type fields struct {
	values map[string]any
	raw    json.RawMessage // of the outermost object, else nil
	depth  int
}

// decode makes a record of data, a JSON object. As is the custom, null changes
// nothing.
func decode[T any](data []byte, into *T, read func(fields) T) error {
	values, err := object(data, func(string) bool { return true })
	if err == nil && values != nil {
		*into = read(fields{values: values, raw: bytes.Clone(data)})
	}
	return err
}

// value is what the first of names holds that holds anything.
func (f fields) value(names ...string) any {
	for _, name := range names {
		if v := f.values[name]; v != nil {
			return v
		}
	}
	for _, name := range names {
		if v := anyCase(f.values, name); v != nil {
			return v
		}
	}
	return nil
}

func (f fields) id(name string) string {
	switch v := f.value(name).(type) {
	case string:
		return v
	case json.Number:
		return canonical(v.String())
	}
	return ""
}

// canonical writes a number that is whole without point and exponent. What is
// too long to be an id stays as it is.
func canonical(number string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	power, err := strconv.Atoi(exponent)
	if exponent != "" && (err != nil || power < -64 || power > 64) || len(mantissa) > 64 {
		return number
	}
	if r, ok := new(big.Rat).SetString(number); ok && r.IsInt() {
		return r.Num().String()
	}
	return number
}

func (f fields) text(names ...string) string { return text(f.value(names...)) }

func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		var texts []string
		for _, item := range v {
			if scalar(item) {
				texts = append(texts, text(item))
			}
		}
		return strings.Join(texts, ", ")
	case map[string]any:
		if name := (fields{values: v}).value("Fullname", "Name", "Title"); scalar(name) {
			return text(name)
		}
	}
	return ""
}

func scalar(value any) bool {
	switch value.(type) {
	case string, json.Number, bool:
		return true
	}
	return false
}

// date is the first of names that can be read.
func (f fields) date(names ...string) Date {
	for _, name := range names {
		if v := f.value(name); scalar(v) {
			if d := parseDate(text(v)); !d.IsZero() {
				return d
			}
		}
	}
	return Date{}
}

func (f fields) tags() []string {
	value := f.value("Tags")
	if value == nil {
		return nil
	}
	items, ok := value.([]any)
	if !ok {
		for _, tag := range strings.Split(text(value), ",") {
			items = append(items, tag)
		}
	}
	tags := []string{}
	for _, item := range items {
		if tag := strings.TrimSpace(text(item)); tag != "" {
			tags = append(tags, tag)
		}
	}
	return tags
}

// items is the value of a field as an array.
func (f fields) items(name string) []any {
	switch v := f.value(name).(type) {
	case nil:
		return nil
	case []any:
		return v
	default:
		return []any{v}
	}
}

func (f fields) files() []File {
	items := f.items("Files")
	if items == nil {
		return nil
	}
	files := []File{}
	for _, item := range items {
		if file := readFile(item); file.URL != "" {
			files = append(files, file)
		}
	}
	return files
}

func readFile(item any) File {
	if address, ok := item.(string); ok {
		return File{URL: strings.TrimSpace(address)}
	}
	object, _ := item.(map[string]any)
	f := fields{values: object}
	metadata, _ := f.value("Metadata").(map[string]any)
	m := fields{values: metadata}
	return File{
		URL:         strings.TrimSpace(f.text("FileUrl", "Url")),
		Title:       strings.TrimRight(m.text("Title"), "\r\n"),
		Description: strings.TrimRight(m.text("Description"), "\r\n"),
	}
}

// nested reads the records of a field one level deeper.
func nested[T any](f fields, name string, read func(fields) T) []T {
	items := f.items(name)
	if items == nil || f.depth == maxDepth {
		return nil
	}
	records := []T{}
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			records = append(records, read(fields{values: object, depth: f.depth + 1}))
		}
	}
	return records
}
