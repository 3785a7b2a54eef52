package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ayna/source/get"
)

// A Batch is one answer of a list or search operation.
type Batch struct {
	Records  []json.RawMessage // JSON objects exactly as received
	Skipped  int               // elements left out: no objects, or with the API key in them
	Count    int               // all hits of a search or records of a list, where the answer says so; else -1
	Envelope string            // how the list was wrapped: "array", "value", "d.results", "List" or another name
	Date     time.Time         // the answer's Date header, zero if none
}

// readBatch takes the list out of its envelope: a bare array, an object with an array in
// value, List or d.results, or any other object with exactly one array, unless that
// has an Id (it is a record then) or an error message. Anything else is an error, never
// an empty list. It skips records with the API key in them.
func readBatch(a get.Answer, guard *get.KeyGuard) (Batch, error) {
	b := Batch{Count: -1, Envelope: "array", Date: a.Date()}
	list, object, err := open(a.Body)
	if err == nil && object != nil {
		b.Count = count(object)
		var name string
		if name, list = unwrap(object); list == nil {
			err = fmt.Errorf("%w: no list in an object with the keys %s", ErrShape, keysOf(object, guard))
		}
		b.Envelope = guard.Printable(name)
	}
	if err != nil {
		return Batch{}, err
	}
	for _, element := range list {
		if element[0] != '{' || guard.InJSON(element) {
			b.Skipped++
			continue
		}
		b.Records = append(b.Records, element)
	}
	return b, nil
}

// open decodes the outermost level of a body, an array or an object.
func open(body []byte) (list []json.RawMessage, object map[string]json.RawMessage, err error) {
	switch body[0] {
	case '[':
		err = json.Unmarshal(body, &list)
	case '{':
		err = json.Unmarshal(body, &object)
	default:
		var scalar any
		if err = json.Unmarshal(body, &scalar); err == nil {
			return nil, nil, fmt.Errorf("%w: neither an object nor an array", ErrShape)
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNotJSON, err)
	}
	return list, object, nil
}

// unwrap returns the list in an object and its name; a nil list if it has none.
func unwrap(object map[string]json.RawMessage) (name string, list []json.RawMessage) {
	if name, list = knownList(object); list == nil {
		if get.Field(object, "Id") == nil && get.ErrorMessage(object) == "" {
			name, list = onlyList(object)
		}
	}
	// An empty list beside an error message is no list.
	if len(list) == 0 && get.ErrorMessage(object) != "" {
		return "", nil
	}
	return name, list
}

func knownList(object map[string]json.RawMessage) (string, []json.RawMessage) {
	for _, name := range []string{"value", "List"} {
		if list := array(object[name]); list != nil {
			return name, list
		}
	}
	var d map[string]json.RawMessage
	if json.Unmarshal(object["d"], &d) == nil {
		if list := array(d["results"]); list != nil {
			return "d.results", list
		}
	}
	return "", nil
}

func onlyList(object map[string]json.RawMessage) (name string, list []json.RawMessage) {
	for key, raw := range object {
		found := array(raw)
		if found == nil {
			continue
		}
		if list != nil {
			return "", nil
		}
		name, list = key, found
	}
	return name, list
}

// array decodes an array; it returns nil for anything else.
func array(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// count returns the number of all hits, under the names of OData and of the search.
func count(object map[string]json.RawMessage) int {
	var d map[string]json.RawMessage
	if json.Unmarshal(object["d"], &d) == nil && d["__count"] != nil {
		object = d
	}
	for _, name := range []string{"Count", "@odata.count", "odata.count", "__count"} {
		var n int
		text := bytes.Trim(get.Field(object, name), `"`)
		if json.Unmarshal(text, &n) == nil && n >= 0 && string(text) != "null" {
			return n
		}
	}
	return -1
}

// readRecord takes the record with an id out of the answer to a single-record operation: an
// object, bare, alone in an array, in OData's d, or the only one with that id in an object
// that has neither an Id nor an error message. With selected fields its Id may be missing.
func readRecord(a get.Answer, id string, selected bool, guard *get.KeyGuard) (json.RawMessage, error) {
	raw := a.Body
	list, object, err := open(raw)
	if err != nil && string(raw) != "null" && string(raw) != `""` {
		return nil, err
	}
	if len(list)+len(object) == 0 && !selected {
		return nil, fmt.Errorf("%w: %w: the answer is %s", ErrNoRecord, ErrShape, raw)
	}
	if len(object) == 1 && bytes.HasPrefix(object["d"], []byte("{")) {
		list = []json.RawMessage{object["d"]}
	} else if !hasID(object) && get.ErrorMessage(object) == "" {
		for _, member := range object {
			if got, err := ReadID(member); err == nil && got == id {
				list = append(list, member)
			}
		}
	}
	if len(list) == 1 && list[0][0] == '{' {
		raw = list[0]
		if _, object, err = open(raw); err != nil {
			return nil, err
		}
	}
	switch {
	case object == nil:
		return nil, fmt.Errorf("%w: an array of %d where one record is due", ErrShape, len(list))
	case guard.InJSON(raw):
		return nil, ErrSecret
	case !hasID(object) && (!selected || len(object) == 0 || get.ErrorMessage(object) != ""):
		return nil, fmt.Errorf("%w: no Id in an object with the keys %s", ErrShape, keysOf(object, guard))
	}
	return raw, nil
}

func hasID(object map[string]json.RawMessage) bool {
	switch string(get.Field(object, "Id")) {
	case "", "null", `""`:
		return false
	}
	return true
}

// keysOf returns the names of an object's fields for a message.
func keysOf(object map[string]json.RawMessage, guard *get.KeyGuard) string {
	return fmt.Sprintf("%q", guard.Printable(strings.Join(slices.Sorted(maps.Keys(object)), ", ")))
}
