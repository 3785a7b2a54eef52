package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// A response is the answer to one request.
type response struct {
	status int
	header http.Header
	body   []byte
}

// text returns the body in UTF-8, without byte order mark and surrounding blanks. It
// returns an error if that is empty, HTML, or in an encoding that was not requested.
// Without a declared charset, bytes that are not UTF-8 are replaced where the JSON is
// decoded.
func (r response) text() ([]byte, error) {
	if encoding := r.header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, fmt.Errorf("%w: it has a content encoding that was not requested", ErrNotJSON)
	}
	_, parameters, _ := mime.ParseMediaType(r.header.Get("Content-Type"))
	body, err := toUTF8(r.body, parameters["charset"])
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	if len(body) == 0 {
		return nil, fmt.Errorf("%w: the body is empty", ErrNotJSON)
	}
	if r.isWebPage() || body[0] == '<' {
		return nil, fmt.Errorf("%w: it is a page of HTML", ErrNotJSON)
	}
	return body, nil
}

// isWebPage reports whether an answer is HTML.
func (r response) isWebPage() bool {
	kind, _, _ := mime.ParseMediaType(r.header.Get("Content-Type"))
	return kind == "text/html"
}

func toUTF8(body []byte, charset string) ([]byte, error) {
	switch strings.ToLower(charset) {
	case "", "utf-8", "utf8", "us-ascii":
		return body, nil
	}
	declared := byName(charset)
	if declared == nil {
		return nil, fmt.Errorf("%w: it declares an unknown charset", ErrNotJSON)
	}
	// A byte order mark overrides the header.
	converted, _, err := transform.Bytes(unicode.BOMOverride(declared.NewDecoder()), body)
	if err != nil {
		return nil, fmt.Errorf("%w: its text is not in the declared charset: %w", ErrNotJSON, err)
	}
	return converted, nil
}

// byName returns an encoding of one byte a letter, or UTF-16, else nil.
func byName(charset string) encoding.Encoding {
	plain := strings.NewReplacer("-", "", "_", "", " ", "")
	charset = plain.Replace(strings.ToLower(charset))
	if charset == "utf16" {
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	for _, known := range charmap.All {
		if name, ok := known.(fmt.Stringer); ok && plain.Replace(strings.ToLower(name.String())) == charset {
			return known
		}
	}
	return nil
}

// message returns the answer's own error message: the field Message or error of an
// object, or the text, unless that is HTML or broken JSON.
func (r response) message() string {
	body := bytes.TrimSpace(r.body)
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil {
		return errorMessage(object)
	}
	if len(body) == 0 || bytes.IndexByte([]byte("<[{"), body[0]) >= 0 || r.header.Get("Content-Encoding") != "" {
		return ""
	}
	return string(body[:min(len(body), errorBody)])
}

// errorMessage returns the error message in an object, or "".
func errorMessage(object map[string]json.RawMessage) string {
	for _, name := range []string{"Message", "error", "errors", "ExceptionMessage"} {
		raw := anyCase(object, name)
		if list := array(raw); len(list) > 0 { // the first of several
			raw = list[0]
		}
		var nested map[string]json.RawMessage
		if json.Unmarshal(raw, &nested) == nil && anyCase(nested, "message") != nil {
			raw = anyCase(nested, "message")
		}
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw[:min(len(raw), errorBody)])
		}
		switch text {
		case "", "false", "0", "{}", "[]": // not an error
		default:
			return text
		}
	}
	return ""
}

// A Batch is one answer of a list or search operation.
type Batch struct {
	Records  []json.RawMessage // JSON objects exactly as received
	Skipped  int               // elements left out: no objects, or with the API key in them
	Hidden   []string          // ids of those Records that are not public: they have a position and nothing else
	Count    int               // all hits, where the envelope says so; else -1
	Envelope string            // how the list was wrapped: "array", "value", "d.results", "List" or another name
	Date     time.Time         // the answer's Date header, zero if none
}

// batch takes the list out of its envelope: a bare array, an object with an array in
// value, List or d.results, or any other object with exactly one array, unless that
// has an Id (it is a record then) or an error message. Anything else is an error, never
// an empty list.
func (k *keyed) batch(r response) (Batch, error) {
	b := Batch{Count: -1, Envelope: "array", Date: answerDate(r.header, time.Time{})}
	list, object, err := open(r.body)
	if err == nil && object != nil {
		b.Count = count(object)
		b.Envelope, list, err = k.unwrap(object)
	}
	if err != nil {
		return Batch{}, err
	}
	for _, element := range list {
		if element[0] != '{' || k.guard.InJSON(element) {
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

func (k *keyed) unwrap(object map[string]json.RawMessage) (name string, list []json.RawMessage, err error) {
	if name, list = knownList(object); list == nil {
		if anyCase(object, "Id") == nil && errorMessage(object) == "" {
			name, list = onlyList(object)
		}
	}
	// An empty list beside an error message is no list.
	if list == nil || (len(list) == 0 && errorMessage(object) != "") {
		return "", nil, fmt.Errorf("%w: no list in an object with the keys %s", ErrShape, k.keys(object))
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
		text := bytes.Trim(anyCase(object, name), `"`)
		if json.Unmarshal(text, &n) == nil && n >= 0 && string(text) != "null" {
			return n
		}
	}
	return -1
}

// record takes the record out of the answer to a single-record operation: an object,
// bare, alone in an array, or in OData's d. With selected fields its Id may be missing.
func (k *keyed) record(r response, selected bool) (json.RawMessage, error) {
	raw := json.RawMessage(r.body)
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
	case k.guard.InJSON(raw):
		return nil, ErrSecret
	case !hasID(object) && (!selected || len(object) == 0 || errorMessage(object) != ""):
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

// keys returns the names of an object's fields.
func (k *keyed) keys(object map[string]json.RawMessage) string {
	return fmt.Sprintf("%q", k.clean(strings.Join(slices.Sorted(maps.Keys(object)), ", ")))
}

// anyCase returns the value of the field with exactly this name, or else of the
// alphabetically first one that equals the name ignoring case.
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
