package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Batch is one answer of a list or search operation.
type Batch struct {
	Records  []json.RawMessage // JSON objects exactly as received
	Skipped  int               // elements left out: no objects, or with the API key in them
	Count    int               // all hits, where the envelope says so; else -1
	Envelope string            // how the list was wrapped: "array", "value", "d.results", "List" or another name
	Date     time.Time         // the answer's Date header, zero if none
}

// batch takes the list out of its envelope. Accepted are a bare array, an
// object with an array in value, List or d.results, and any other object with
// exactly one array. Whatever is no list is an error, never an empty list.
func (k *keyed) batch(a answer) (Batch, error) {
	b := Batch{Count: -1, Date: answerDate(a.header, time.Time{})}
	list, object, err := open(a.body)
	if err != nil {
		return Batch{}, err
	}
	if object != nil {
		b.Envelope, list, err = k.unwrap(object)
		if err != nil {
			return Batch{}, err
		}
		b.Count = count(object)
	} else {
		b.Envelope = "array"
	}
	for _, element := range list {
		if element[0] != '{' || k.echoed(element) {
			b.Skipped++
			continue
		}
		b.Records = append(b.Records, element)
	}
	return b, nil
}

// open decodes the outermost level of body, an array or an object.
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

func (k *keyed) unwrap(object map[string]json.RawMessage) (name string, list []json.RawMessage, err error) {
	if name, list = knownList(object); list == nil {
		if anyCase(object, "Id") == nil && complaint(object) == "" {
			name, list = onlyList(object)
		}
	}
	// An empty list beside a complaint is a failure in disguise.
	if list == nil || (len(list) == 0 && complaint(object) != "") {
		return "", nil, fmt.Errorf("%w: no list is to be told in an object with the keys %s", ErrShape, k.keys(object))
	}
	return k.clean(name), list, nil
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

// array decodes an array; nil is no array.
func array(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// count reads the number of all hits, under the names that OData and the
// search use for it.
func count(object map[string]json.RawMessage) int {
	var d map[string]json.RawMessage
	if json.Unmarshal(object["d"], &d) == nil && d["__count"] != nil {
		object = d
	}
	for _, name := range []string{"Count", "@odata.count", "odata.count", "__count"} {
		var n int
		text := bytes.Trim(anyCase(object, name), `"`)
		if json.Unmarshal(text, &n) == nil && n >= 0 && string(text) != "null" {
			return n
		}
	}
	return -1
}

// record takes the one record out of the answer to a single-record operation:
// an object, bare, alone in an array, or in OData's d. With fields selected
// its Id may be missing.
func (k *keyed) record(a answer, selected bool) (json.RawMessage, error) {
	raw := json.RawMessage(a.body)
	list, object, err := open(raw)
	if err != nil {
		return nil, err
	}
	if len(object) == 1 && bytes.HasPrefix(object["d"], []byte("{")) {
		list = []json.RawMessage{object["d"]}
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
	case k.echoed(raw):
		return nil, ErrSecret
	case !hasID(object) && (!selected || len(object) == 0 || complaint(object) != ""):
		return nil, fmt.Errorf("%w: no Id in an object with the keys %s", ErrShape, k.keys(object))
	}
	return raw, nil
}

func hasID(object map[string]json.RawMessage) bool {
	switch string(anyCase(object, "Id")) {
	case "", "null", `""`:
		return false
	}
	return true
}

// keys names the keys of an object, without what they hold.
func (k *keyed) keys(object map[string]json.RawMessage) string {
	return fmt.Sprintf("%q", k.clean(strings.Join(slices.Sorted(maps.Keys(object)), ", ")))
}

// anyCase is the value of the key name, or of the first in order that differs
// from it in case only.
func anyCase[V any](object map[string]V, name string) V {
	if v, ok := object[name]; ok {
		return v
	}
	var first string
	var value V
	for key, v := range object {
		if strings.EqualFold(key, name) && (first == "" || key < first) {
			first, value = key, v
		}
	}
	return value
}
