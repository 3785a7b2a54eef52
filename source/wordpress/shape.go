package wordpress

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/source/encode"
)

// A shape is how a field of an answer came. Missing is not empty, and neither is another type:
// plug-ins write null, numbers and lists where WordPress has a text.
type shape int

const (
	absent  shape = iota // the field is missing
	regular              // it has the type that WordPress gives it, or one that PHP makes of it
	odd                  // it has another type
)

// A number is an id or an order: a JSON number, or one in quotation marks; anything else
// is 0.
type number int64

func (n *number) UnmarshalJSON(data []byte) error {
	*n, _ = readNumber(data)
	return nil
}

func (n number) String() string { return strconv.FormatInt(int64(n), 10) }

func readNumber(data []byte) (number, bool) {
	value, err := strconv.ParseInt(strings.TrimSuffix(strings.Trim(string(data[:min(len(data), 32)]), `"`), ".0"), 10, 64)
	if err != nil {
		return 0, false
	}
	return number(value), true
}

// An optionalID is the id of one user or picture; 0 is none.
type optionalID struct {
	ID    number
	shape shape
}

func (o *optionalID) UnmarshalJSON(data []byte) error {
	id, ok := readNumber(data)
	if o.ID, o.shape = id, regular; !ok {
		o.shape = odd
	}
	return nil
}

// termIDs are ids of terms: a list, or what PHP makes of a list with a hole, an object with
// numbers as names. More than [encode.MaxNamed] are left out.
type termIDs struct {
	IDs   []number
	shape shape
}

func (t *termIDs) UnmarshalJSON(data []byte) error {
	*t = termIDs{shape: regular}
	seen, came := make(map[number]bool), 0
	add := func(raw json.RawMessage) bool {
		id, ok := readNumber(raw)
		if !ok {
			t.shape = odd
		} else if id > 0 && !seen[id] {
			seen[id] = true
			t.IDs = append(t.IDs, id)
		}
		came++
		return came < encode.MaxNamed
	}
	switch data[0] {
	case '[':
		for raw := range encode.Elements(data) {
			if !add(raw) {
				break
			}
		}
	case '{':
		for name, value := range encode.Fields(data) {
			if _, err := strconv.ParseUint(name, 10, 32); err != nil {
				t.shape = odd
				break
			}
			if !add(value) {
				break
			}
		}
	default:
		t.shape = odd
	}
	return nil
}

// A text is a JSON text.
type text struct {
	Value string
	shape shape
}

func (t *text) UnmarshalJSON(data []byte) error {
	if *t = (text{shape: odd}); data[0] == '"' {
		t.shape = regular
		return json.Unmarshal(data, &t.Value)
	}
	return nil
}

// A truth is a bool, or what PHP takes for one.
type truth bool

func (t *truth) UnmarshalJSON(data []byte) error {
	value := strings.ToLower(string(bytes.Trim(data[:min(len(data), 16)], `"`)))
	n, isNumber := readNumber(data)
	*t = truth(slices.Contains([]string{"true", "yes", "on"}, value) || isNumber && n != 0)
	return nil
}

// rendered is HTML that WordPress has made: an object, or in some plug-ins its text alone.
type rendered struct {
	Text      string
	Protected bool
	shape     shape
}

func (r *rendered) UnmarshalJSON(data []byte) error {
	*r = rendered{shape: odd}
	var t text
	switch data[0] {
	case '"':
		_ = t.UnmarshalJSON(data) // a JSON text
	case '{':
		var object struct {
			Rendered  text  `json:"rendered"`
			Protected truth `json:"protected"`
		}
		_ = json.Unmarshal(data, &object) // its fields take every type
		t, r.Protected = object.Rendered, bool(object.Protected)
	}
	if t.shape == regular {
		r.Text, r.shape = t.Value, regular
	}
	return nil
}

// gmt is a date in UTC. Local dates are never read: a changed time zone of the site would
// change them.
type gmt struct {
	time.Time
	shape shape
}

func (g *gmt) UnmarshalJSON(data []byte) error {
	at, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(strings.Trim(string(data[:min(len(data), 64)]), `"`), "Z"))
	if *g = (gmt{at, regular}); err != nil || at.Year() < 1 {
		*g = gmt{shape: odd}
	}
	return nil
}

// text returns a date as records have it, "" for none.
func (g gmt) text() string {
	if g.IsZero() {
		return ""
	}
	return g.Format("2006-01-02T15:04:05Z")
}
