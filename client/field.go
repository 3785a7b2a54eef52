package client

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"ayna/source/get"
)

// Rules for reading a field of any JSON type:
//
//   - The exact name has precedence over other cases; null equals missing; the last
//     of several equal keys counts.
//   - An id is a string, byte for byte, or a number with all its digits: 1.0 and 1e3
//     are "1" and "1000".
//   - Text is a string; a number as written; true or false; the items of an array
//     joined by ", "; the Fullname, Name or Title of an object.
//   - A date is text or a number, also in a list or as {"$date": …}, see [ParseDate].
//   - Tags are an array of text, or one text split at its commas, without blanks
//     around them and without empty ones.
//   - Files and records inside a record are an array of objects, or one object; other
//     items are left out. A string in Files is an address; files need an address.
//   - Records inside records are read 64 deep.
//   - A list that is missing or null is nil, an empty one is not: the service omits
//     relations at times.

// maxDepth is how deep RelatedNews and Writers may be nested.
const maxDepth = 64

// fields is a JSON object, read by the rules above.
type fields struct {
	values map[string]any
	raw    json.RawMessage // of the outermost object, else nil
	depth  int
}

// decode reads a record from a JSON object. As in json.Unmarshal, null is a no-op.
func decode[T any](data []byte, into *T, read func(fields) T) error {
	return decodeWith(data, bytes.Clone(data), into, read)
}

func decodeWith[T any](data []byte, raw json.RawMessage, into *T, read func(fields) T) error {
	values, err := object(data)
	if err == nil && values != nil {
		*into = read(fields{values: values, raw: raw})
	}
	return err
}

// value returns the first of the named fields that is there.
func (f fields) value(names ...string) any {
	for _, name := range names {
		if v := f.values[name]; v != nil {
			return v
		}
	}
	for _, name := range names {
		if v := get.Field(f.values, name); v != nil {
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

// canonical writes a whole number without point and exponent, unless it is too long
// for an id.
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

// texts returns the texts in an array, nil if the field is missing.
func (f fields) texts(name string) []string {
	items, ok := f.value(name).([]any)
	if !ok {
		return nil
	}
	list := []string{}
	for _, item := range items {
		if scalar(item) {
			list = append(list, text(item))
		}
	}
	return list
}

// integer returns a whole number, nil if the field is none.
func (f fields) integer(name string) *int64 {
	n, err := strconv.ParseInt(f.text(name), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// date returns the first of the named fields that is a date, or else the first that cannot
// be read.
func (f fields) date(names ...string) (unread Date) {
	for _, name := range names {
		d := ParseDate(dateText(f.value(name)), "", nil)
		if !d.IsZero() {
			return d
		}
		if unread.Unread == "" {
			unread = d
		}
	}
	return unread
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

// items returns the value of a field as an array.
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
