package names_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/names"
)

// elements returns elements with the ids from one to n, but for some.
func elements(n int, without ...int) map[string]json.RawMessage {
	all := make(map[string]json.RawMessage)
	for i := 1; i <= n; i++ {
		if !slices.Contains(without, i) {
			all[strconv.Itoa(i)] = json.RawMessage(fmt.Sprintf(`{"id":%d}`, i))
		}
	}
	return all
}

func to(n int) (list []int) {
	for i := range n {
		list = append(list, i+1)
	}
	return list
}

// with returns elements of which one is another one.
func with(all map[string]json.RawMessage, id, raw string) map[string]json.RawMessage {
	if all[id] = json.RawMessage(raw); raw == "" {
		all[id] = nil
	}
	return all
}

// A reading is the answer of one run, and what is to hold after it.
type reading struct {
	after   time.Duration // the reading before
	came    map[string]json.RawMessage
	total   int
	err     error
	names   int    // records have so many names
	gone    string // ids of them that no list shows
	changed string // ids to store, with a minus to delete
	state   string // closed, broken, or "" if the answer is believed
}

func TestBelieve(t *testing.T) {
	status := func(code int) error { return &get.Error{Op: "GET /x", Status: code} }
	for name, test := range map[string]struct {
		list     names.List
		known    int
		readings []reading
	}{
		"a first list":         {names.List{}, 0, []reading{{0, elements(3), 3, nil, 3, "", "1 2 3", ""}}},
		"the same":             {names.List{}, 3, []reading{{0, elements(3), 3, nil, 3, "", "", ""}}},
		"without a total":      {names.List{}, 3, []reading{{0, elements(3), -1, nil, 3, "", "", ""}}},
		"a total that is low":  {names.List{}, 3, []reading{{0, elements(4), 1, nil, 4, "", "4", ""}}},
		"an edit":              {names.List{}, 3, []reading{{0, with(elements(3), "2", `{"id":2,"a":1}`), 3, nil, 3, "", "2", ""}}},
		"one is unreadable":    {names.List{}, 3, []reading{{0, with(elements(3), "2", ""), 3, nil, 3, "", "", ""}}},
		"nothing, none known":  {names.List{}, 0, []reading{{0, nil, 0, nil, 0, "", "", ""}}},
		"401":                  {names.List{}, 3, []reading{{0, nil, -1, status(401), 3, "", "", "closed"}}},
		"403":                  {names.List{}, 3, []reading{{0, nil, -1, status(403), 3, "", "", "closed"}}},
		"404":                  {names.List{}, 3, []reading{{0, nil, -1, status(404), 3, "", "", "closed"}}},
		"500":                  {names.List{}, 3, []reading{{0, nil, -1, status(500), 3, "", "", "broken"}}},
		"500 in the middle":    {names.List{}, 3, []reading{{0, elements(4, 2), -1, status(500), 4, "", "4", "broken"}}},
		"time-out":             {names.List{}, 3, []reading{{0, nil, -1, &get.Error{Err: context.DeadlineExceeded}, 3, "", "", "broken"}}},
		"another shape":        {names.List{}, 3, []reading{{0, nil, -1, get.ErrShape, 3, "", "", "broken"}}},
		"empty":                {names.List{}, 3, []reading{{0, nil, 0, nil, 3, "", "", "broken"}, {25 * time.Hour, nil, 0, nil, 3, "", "", "broken"}}},
		"fewer than its total": {names.List{}, 9, []reading{{0, elements(9, 3, 4), 9, nil, 9, "", "", "broken"}}},
		"fewer, but one more": {names.List{}, 9, []reading{
			{0, with(elements(10, 3, 4), "5", "{}"), 10, nil, 10, "", "10", "broken"},  // new ones are taken
			{time.Hour, with(elements(10, 3, 4), "5", "{}"), 10, nil, 10, "", "5", ""}, // it is said once
			{time.Hour, elements(10, 3, 4, 5), 10, nil, 10, "", "", "broken"},          // and when it grows
			{time.Hour, elements(10, 3, 4, 5), 10, nil, 10, "", "", ""},                // it proves nothing
			{time.Hour, elements(10, 3), 9, nil, 10, "", "5", ""},                      // but a whole one does
			{59 * time.Minute, elements(10, 3), 9, nil, 10, "", "", ""},                // an hour later
			{time.Minute, elements(10, 3), 9, nil, 9, "", "-3", ""},
		}},
		"ten at once": {names.List{}, 12, []reading{{0, elements(12, to(10)...), 2, nil, 12, "", "", ""}}},
		"a tenth":     {names.List{}, 150, []reading{{0, elements(150, to(15)...), 135, nil, 150, "", "", ""}}},
		"more than a tenth, for days": {names.List{}, 150, []reading{
			{0, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
			{time.Hour, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
			{23 * time.Hour, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
			{24 * time.Hour, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
			{24 * time.Hour, elements(150, to(16)...), 134, nil, 150, "", "", ""},
			{time.Hour, elements(150, to(16)...), 134, nil, 134, "", "-1 -10 -11 -12 -13 -14 -15 -16 -2 -3 -4 -5 -6 -7 -8 -9", ""},
		}},
		"more than a tenth, once in a while": {names.List{}, 150, []reading{
			{0, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
			{24 * time.Hour, elements(150), 150, nil, 150, "", "", ""},
			{24 * time.Hour, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
			{24 * time.Hour, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
			{24 * time.Hour, elements(150, to(16)...), 134, nil, 150, "", "", "broken"},
		}},
		"one comes back": {names.List{}, 5, []reading{
			{0, elements(5, 2), 4, nil, 5, "", "", ""},
			{time.Hour, elements(5), 5, nil, 5, "", "", ""},
			{time.Hour, elements(5, 2), 4, nil, 5, "", "", ""},
		}},
		"a clock that was ahead": {names.List{}, 5, []reading{
			{0, elements(5, 2), 4, nil, 5, "", "", ""},
			{-48 * time.Hour, elements(5, 2), 4, nil, 5, "", "", ""},
			{time.Hour, elements(5, 2), 4, nil, 4, "", "-2", ""},
		}},
		"of records": {names.List{Group: source.Writers}, 5, []reading{
			{0, elements(5, 2), 4, nil, 5, "2", "", ""},
			{time.Hour, nil, -1, status(502), 5, "2", "", "broken"},
			{time.Hour, elements(5, 2), 4, nil, 5, "2", "", ""},
			{time.Hour, elements(5), 5, nil, 5, "", "", ""},
		}},
		"by ids":          {names.List{Part: true}, 2, []reading{{0, elements(2, 1), 1, nil, 2, "", "", ""}, {time.Hour, elements(2, 1), 1, nil, 1, "", "-1", ""}}},
		"by one id":       {names.List{Part: true}, 1, []reading{{0, nil, 0, nil, 1, "", "", ""}, {time.Hour, nil, 0, nil, 0, "", "-1", ""}}},
		"by ids, nothing": {names.List{Part: true}, 2, []reading{{0, nil, 0, nil, 2, "", "", "broken"}}},
	} {
		t.Run(name, func(t *testing.T) {
			now, known, found := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC), elements(test.known), ""
			for i, r := range test.readings {
				now = now.Add(r.after)
				memory := names.Remember(found)
				l := test.list
				l.Type, l.Known, l.Came, l.Total, l.Err = "x", known, r.came, r.total, r.err
				v := memory.Believe(l, now)
				var changed []string
				for _, o := range v.Changed {
					if changed = append(changed, o.ID); o.Data == nil {
						changed[len(changed)-1] = "-" + o.ID
					}
				}
				state := ""
				if v.Closed != nil {
					state = "closed"
				} else if v.Broken != nil {
					state = "broken"
				}
				gone := strings.Join(slices.Sorted(maps.Keys(v.Gone)), " ")
				if len(v.Names) != r.names || gone != r.gone || strings.Join(changed, " ") != r.changed || state != r.state {
					t.Fatalf("reading %d: %d names, gone %q, changed %q, %s %v, want %+v", i, len(v.Names), gone, changed, state, v.Broken, r)
				}
				known, found = v.Names, memory.String()
			}
		})
	}
}

// An original names the record that is made of it.
func TestOriginals(t *testing.T) {
	v := names.Remember("no JSON").Believe(names.List{
		Type: "users", Operation: "/users", Group: source.Writers, Record: func(id string) string { return "user-" + id }, Came: elements(1), Total: 1,
	}, time.Now())
	want := source.Original{Type: "users", ID: "1", Group: source.Writers, Record: "user-1", Operation: "/users", Data: json.RawMessage(`{"id":1}`)}
	if len(v.Changed) != 1 || fmt.Sprint(v.Changed[0]) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", v.Changed, want)
	}
}

// A list without end does not fill the memory.
func TestMost(t *testing.T) {
	v := names.Remember("").Believe(names.List{Came: elements(names.Most + 5), Total: -1}, time.Now())
	if len(v.Names) != names.Most || len(v.Changed) != names.Most {
		t.Errorf("%d names, %d to store", len(v.Names), len(v.Changed))
	}
}

// A memory is bounded; what it has no room for stays.
func TestMemory(t *testing.T) {
	now, known, memory := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC), elements(50_000), names.Remember("")
	for i, want := range []int{50_000, 49_000, 48_000, 47_000} {
		came := maps.Clone(elements(50_000))
		for id := range 4000 {
			delete(came, strconv.Itoa(id+1))
		}
		v := memory.Believe(names.List{Known: known, Came: came, Total: len(came)}, now)
		if len(v.Names) != want || v.Broken != nil || len(memory.String()) > 60_000 {
			t.Errorf("reading %d: %d names, a memory of %d bytes, %v", i, len(v.Names), len(memory.String()), v.Broken)
		}
		known, now = v.Names, now.Add(time.Hour)
	}
}

// Errors of a list do not end a run; those of the run are no list's.
func TestIsOfList(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"none":        {nil, false},
		"500":         {&get.Error{Status: http.StatusInternalServerError}, true},
		"403":         {fmt.Errorf("x: %w", &get.Error{Status: http.StatusForbidden}), true},
		"429":         {&get.Error{Status: http.StatusTooManyRequests, Err: get.ErrTooMany}, false},
		"a shape":     {get.ErrShape, true},
		"a time-out":  {&get.Error{Err: context.DeadlineExceeded}, true},
		"cancelled":   {&get.Error{Err: context.Canceled}, false},
		"of the gate": {&get.Error{Err: fmt.Errorf("%w: %w", get.ErrGate, errors.New("no budget"))}, false},
	} {
		if names.IsOfList(test.err) != test.want {
			t.Errorf("%s: want %t", name, test.want)
		}
	}
}
