// Package names decides what to believe of a list of terms, users or media, which the records of
// a source name by their ids. What a record names keeps the name that it had until a source has
// said twice, an hour apart, that the name is gone.
//
//	memory := names.Remember(found) // as an earlier run has left it
//	verdict := memory.Believe(names.List{Type: "users", Known: known, Came: came, Total: total, Err: err}, time.Now())
//
// Begin with [Memory.Believe]. memory.go has what runs remember of a list, error.go which
// errors are about a list.
package names

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"ayna/source"
	"ayna/source/get"
)

// Bounds of a list of names, without which one may go on for ever.
const (
	Most      = 200_000   // elements, where the list counts them
	uncounted = Most / 20 // elements of a list that does not say how many it has
	mostBytes = 64 << 20  // of all its answers
)

// CheckEnd returns an error if a list that counts total elements, -1 if it does not, goes on
// beyond all bounds. So many elements have come, in answers of so many bytes.
func CheckEnd(came, total, bytes int) error {
	switch {
	case total > Most:
		return fmt.Errorf("%w: it claims %d elements, and at most %d are read", get.ErrShape, total, Most)
	case came > Most, total < came && came > uncounted, bytes > mostBytes:
		return fmt.Errorf("%w: it does not end within %d elements and %d bytes", get.ErrShape, came, bytes)
	}
	return nil
}

const (
	// apart is the least time between two readings that lack the same element.
	apart = time.Hour
	// atOnce is the number of elements that may be missing without doubt; a tenth of those
	// known always may.
	atOnce = 10
	// A list that lacks more is believed after so many readings, each a day after the one before.
	sightings = 4
	day       = 24 * time.Hour
	// remembered bounds the elements of each kind that a memory has.
	remembered = 1000
)

// A List is what a source has answered to the question for a list, or for some of its elements by
// their ids.
type List struct {
	Type      string       // of the elements, as [source.Originals] has them
	Operation string       // the address that was asked, without its query
	Group     source.Group // of the records that are made of the elements, "" if none are
	Record    func(id string) string
	Part      bool // it was asked for the ids of Known alone, or for these and others

	Known map[string]json.RawMessage // what earlier answers have shown; of a Part only what was asked for
	Came  map[string]json.RawMessage // by ids; nil is an element that came and cannot be read
	Total int                        // of the source's own count; -1 if it has none
	Err   error                      // of the request, or of a later one than that for what Came
}

// A Verdict says what holds after an answer.
type Verdict struct {
	Names   map[string]json.RawMessage // what records are named with
	Gone    map[string]bool            // those of Names that the list does not show
	Changed []source.Original          // to be stored
	Closed  error                      // the source does not show the list; Names are those known
	Broken  error                      // the answer is not believed; Names are those known, and new ones
}

// Believe compares an answer with what is known.
func (m *Memory) Believe(l List, now time.Time) Verdict {
	v := Verdict{Names: make(map[string]json.RawMessage, len(l.Known)), Gone: make(map[string]bool)}
	maps.Copy(v.Names, l.Known)
	switch {
	case l.Err != nil && IsClosed(l.Err):
		v.Closed = l.Err
	case l.Err != nil:
		v.Broken = l.Err
		m.take(l, &v, true)
	default:
		v.Broken = m.compare(l, &v, now)
	}
	for id := range m.Gone {
		if _, known := v.Names[id]; known {
			v.Gone[id] = true
		}
	}
	return v
}

// compare takes the elements that came, and looks at those that did not.
func (m *Memory) compare(l List, v *Verdict, now time.Time) (doubt error) {
	var missing []string
	known := 0
	for id := range l.Known {
		if m.Gone[id] {
			continue
		}
		known++
		if _, came := l.Came[id]; !came {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	short := max(0, l.Total-len(l.Came))
	isWhole := short == 0
	switch {
	case len(missing) > 0 && len(l.Came) == 0 && (!l.Part || known > 1):
		return fmt.Errorf("%s: %w: the list is empty, and %d are known; they stay", l.Type, get.ErrShape, known)
	case len(missing) > max(atOnce, known/10) && !m.isSeenAgain(now):
		doubt = fmt.Errorf("%s: %w: the list lacks %d of %d; they stay", l.Type, get.ErrShape, len(missing), known)
	case !isWhole && short > m.Short:
		doubt = fmt.Errorf("%s: %w: %d came of the %d that the list counts; the others stay", l.Type, get.ErrShape, len(l.Came), l.Total)
	}
	if len(missing) <= max(atOnce, known/10) {
		m.Sightings, m.Seen = 0, time.Time{}
	}
	if !l.Part {
		m.Short = short
	}
	m.take(l, v, doubt != nil)
	if doubt == nil && isWhole {
		m.miss(l, v, missing, now)
	}
	return doubt
}

// take takes the elements that came: all of them, or those alone that are new.
func (m *Memory) take(l List, v *Verdict, newOnly bool) {
	for _, id := range slices.Sorted(maps.Keys(l.Came)) {
		raw := l.Came[id]
		before, known := l.Known[id]
		if known && newOnly {
			continue
		}
		delete(m.Lacked, id)
		delete(m.Gone, id)
		if raw == nil || !known && len(v.Names) >= Most {
			continue
		}
		if v.Names[id] = raw; !known || !bytes.Equal(before, raw) {
			v.Changed = append(v.Changed, l.original(id, raw))
		}
	}
}

// miss remembers the elements that a whole answer lacks. Where records are made of them, their
// list does not show them, which is the first step to their end; but they keep their names,
// since other records may name them. The others are gone when a second answer lacks them.
func (m *Memory) miss(l List, v *Verdict, missing []string, now time.Time) {
	for _, id := range missing {
		if l.Group != "" && len(m.Gone) < remembered {
			m.Gone[id] = true
			continue
		}
		since, again := m.Lacked[id]
		switch {
		case now.Before(since), !again && len(m.Lacked) < remembered: // the former if the clock was ahead then
			m.Lacked[id] = now.UTC().Truncate(time.Second)
			continue
		case !again || now.Sub(since) < apart:
			continue
		}
		delete(m.Lacked, id)
		delete(v.Names, id)
		v.Changed = append(v.Changed, l.original(id, nil))
	}
}

func (l List) original(id string, data json.RawMessage) source.Original {
	o := source.Original{Type: l.Type, ID: id, Group: l.Group, Operation: l.Operation, Data: data}
	if l.Record != nil {
		o.Record = l.Record(id)
	}
	return o
}
