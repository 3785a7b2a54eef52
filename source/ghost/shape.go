package ghost

import (
	"encoding/json"
	"slices"
	"strings"

	"ayna/source/encode"
)

// content has the fields of Ghost that make content of a record: with which letters their
// JSON may begin, and what record.Lost calls it.
type content struct{ field, begins, name string }

var singleContent = []content{
	{"html", `"n`, "text"},
	{"custom_excerpt", `"n`, "description"},
	{"feature_image", `"n`, "pictures"},
	{"published_at", `"`, "date of publication"},
	{"tags", "[", "folder"},
	{"authors", "[", "writer"},
	{"title", `"`, "title"},
	{"updated_at", `"`, "date of change"},
	{"url", `"`, "address"},
}

// unread returns the names of content whose fields a post lacks, or has in another shape: it
// is unknown, not empty. Ghost writes null for an empty text, summary or picture.
func unread(raw json.RawMessage) (names []string) {
	begins := make(map[string]string)
	for field, value := range encode.Fields(raw) {
		isContent := slices.ContainsFunc(singleContent, func(c content) bool { return c.field == field })
		if isContent && (value[0] != '[' || isOfObjects(value)) && (!strings.HasSuffix(field, "_at") || isDate(value)) {
			begins[field] = string(value[:1])
		}
	}
	for _, c := range singleContent {
		if begin := begins[c.field]; begin == "" || !strings.Contains(c.begins, begin) {
			names = append(names, c.name)
		}
	}
	return names
}

// lacking names the text if it is null, which Ghost writes for a post that has no text. Where a
// text was, null proves nothing.
func lacking(raw json.RawMessage) []string {
	for field, value := range encode.Fields(raw) {
		if field == "html" && string(value) == "null" {
			return []string{"text"}
		}
	}
	return nil
}

// isDate reports whether a text is a date that can be.
func isDate(value json.RawMessage) bool {
	at, err := encode.Read[moment](value)
	return err == nil && !at.IsZero()
}

// isOfObjects reports whether all elements of a list are objects.
func isOfObjects(list json.RawMessage) bool {
	var all []json.RawMessage
	err := json.Unmarshal(list, &all)
	return err == nil && !slices.ContainsFunc(all, func(e json.RawMessage) bool { return e[0] != '{' })
}
