package ghost

import (
	"encoding/json"
	"strings"

	"ayna/source/encode"
)

// content has the fields of Ghost that make content of a record: with which letters their
// JSON may begin, and what record.Lost calls it.
type content struct{ field, begins, name string }

var (
	listContent = []content{
		{"title", `"`, "title"},
		{"updated_at", `"`, "date of change"},
		{"url", `"`, "address"},
	}
	singleContent = append([]content{
		{"html", `"`, "text"},
		{"custom_excerpt", `"n`, "description"},
		{"feature_image", `"n`, "pictures"},
		{"published_at", `"`, "date of publication"},
		{"tags", "[", "folder"},
		{"authors", "[", "writer"},
	}, listContent...)
)

// unread returns the names of content whose fields a post lacks, or has in another shape: it
// is unknown, not empty. Ghost writes null for an empty summary or picture.
func unread(raw json.RawMessage, all []content) (names []string) {
	object, err := encode.Read[map[string]json.RawMessage](raw)
	if err != nil {
		return nil
	}
	for _, c := range all {
		if value := object[c.field]; len(value) == 0 || !strings.Contains(c.begins, string(value[:1])) {
			names = append(names, c.name)
		}
	}
	return names
}
