package sourcetest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"
)

// An answer is an answer of the paper on its way to the mirror.
type answer struct {
	Call
	newsroom *Newsroom
	request  *http.Request
	query    url.Values // of the request
	status   int
	header   http.Header
	body     []byte
	slow     time.Duration
	cut      bool // the connection breaks in the middle of the body
}

// A fault edits answers.
type fault func(*answer)

// at limits a fault to answers of some lists, by their names; without names to none.
func (f fault) at(lists ...string) fault {
	return func(a *answer) {
		for _, name := range lists {
			if a.List == name {
				f(a)
			}
		}
	}
}

// status replaces the answer by an error without a meaning of its own.
func status(code int) fault {
	return func(a *answer) { a.replace(code, `{"message":"no"}`) }
}

func body(text string) fault {
	return func(a *answer) { a.replace(http.StatusOK, text) }
}

func slow(a *answer)   { a.slow = time.Hour }
func cutOff(a *answer) { a.cut = true }

func (a *answer) replace(status int, body string) { a.status, a.body = status, []byte(body) }

// each runs a part with each of some faults, one after the other, in one mirror.
func (m *mirror) each(faults map[string]fault, run func(fault)) {
	for _, name := range keysOf(faults) {
		m.in(name, func() { run(faults[name]) })
	}
}

// isList reports whether the answer is a part of a list, and not of records by their ids.
func (a *answer) isList() bool { return a.IDs == nil && !a.Own }

// edit calls change with each element, decoded, and encodes those that it has changed.
func (a *answer) edit(change func(element map[string]any) bool) {
	a.elements(func(all []json.RawMessage) []json.RawMessage {
		for i, raw := range all {
			var element map[string]any
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			if d.Decode(&element) == nil && change(element) {
				all[i] = encode(element)
			}
		}
		return all
	})
}

// lacking leaves out elements by their ids. A record at its own address is not found then, as
// a source says it of what it never had.
func lacking(ids ...string) fault {
	return func(a *answer) {
		if a.Own && slices.Contains(ids, a.IDs[0]) {
			a.replace(a.newsroom.NeverHad())
			return
		}
		a.elements(func(all []json.RawMessage) []json.RawMessage {
			return slices.DeleteFunc(all, func(raw json.RawMessage) bool { return slices.Contains(ids, idOf(raw)) })
		})
	}
}

// without is lacking, and the total of a list that comes with one answer does not count what is
// left out.
func without(ids ...string) fault {
	return func(a *answer) {
		lacking(ids...)(a)
		left := 0
		a.elements(func(all []json.RawMessage) []json.RawMessage {
			left = len(all)
			return all
		})
		if a.isList() && !a.newsroom.isLater(a.query) {
			a.total(strconv.Itoa(left))
		}
	}
}

// ofLists limits a fault to lists: records by their ids come whole.
func (f fault) ofLists() fault {
	return func(a *answer) {
		if a.isList() {
			f(a)
		}
	}
}

// ofSingles limits a fault to records by their ids: lists come whole.
func (f fault) ofSingles() fault {
	return func(a *answer) {
		if !a.isList() {
			f(a)
		}
	}
}

// elements replaces the elements of an answer. An answer that holds none stays.
func (a *answer) elements(change func([]json.RawMessage) []json.RawMessage) {
	if a.status != http.StatusOK {
		return
	}
	if edit := a.newsroom.Elements; edit != nil {
		a.body = edit(a.body, change)
		return
	}
	var list []json.RawMessage
	var object map[string]json.RawMessage
	member := a.newsroom.Member(a.List)
	switch {
	case json.Unmarshal(a.body, &list) == nil:
		a.body = encode(nonNil(change(list)))
	case json.Unmarshal(a.body, &object) != nil:
	case member == "":
		if changed := change([]json.RawMessage{a.body}); len(changed) == 1 {
			a.body = changed[0]
		}
	case json.Unmarshal(object[member], &list) == nil:
		object[member] = encode(nonNil(change(list)))
		a.body = encode(object)
	}
}

func nonNil(list []json.RawMessage) []json.RawMessage {
	return append([]json.RawMessage{}, list...)
}

// differs reports whether a fault has changed an answer.
func (a *answer) differs(was *answer) bool {
	return a.status != was.status || a.slow != was.slow || a.cut != was.cut || !bytes.Equal(a.body, was.body) || !maps.EqualFunc(a.header, was.header, slices.Equal)
}

// total replaces the number of records that the answer claims.
func (a *answer) total(text string) {
	if a.newsroom.SetTotal != nil && a.status == http.StatusOK {
		a.body = a.newsroom.SetTotal(a.header, a.body, text)
	}
}

// empty leaves out all elements of a list.
func empty(a *answer) {
	a.elements(func([]json.RawMessage) []json.RawMessage { return nil })
	if a.isList() {
		a.total("0")
	}
}

// encode does not escape HTML, and keeps numbers.
func encode(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // what was decoded is encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// idOf returns the id of an element.
func idOf(raw json.RawMessage) string {
	var element struct{ ID any } // in any case
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&element) != nil {
		return ""
	}
	return textOf(element.ID)
}

// textOf returns a text or a number as a text.
func textOf(value any) string {
	switch id := value.(type) {
	case string:
		return id
	case json.Number:
		return id.String()
	}
	return ""
}

// A layer stands between the mirror and a paper, edits answers and logs requests.
type layer struct {
	newsroom *Newsroom

	mu      sync.Mutex
	paper   http.Handler
	before  func(*http.Request) *http.Request // of a request that the paper answers
	fault   fault
	met     int // answers that faults have changed
	log     []Call
	arrived func(Call) // may be nil
	endless func()     // is called if a run sends too many requests
}

// mostRequests is more than any run of the suite may send. The answers to those above it
// take long, so that the run ends soon after it is cancelled.
const mostRequests = 600

func (l *layer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call := l.newsroom.Call(r)
	l.mu.Lock()
	l.log = append(l.log, call)
	n, paper, before, fault, arrived := len(l.log), l.paper, l.before, l.fault, l.arrived
	l.mu.Unlock()
	pause(r, time.Millisecond)
	if n > mostRequests {
		l.endless()
		pause(r, time.Second)
		http.Error(w, "too many requests", http.StatusInternalServerError)
		return
	}
	if arrived != nil {
		arrived(call)
	}
	if before != nil {
		r = before(r)
	}
	r.Header.Del("Accept-Encoding") // compressed elements cannot be edited
	whole := httptest.NewRecorder()
	paper.ServeHTTP(whole, r)
	a := &answer{Call: call, newsroom: l.newsroom, request: r, query: r.URL.Query(), status: whole.Code, header: whole.Header(), body: whole.Body.Bytes()}
	if fault != nil {
		was := *a
		was.header = a.header.Clone()
		if fault(a); a.differs(&was) {
			l.set(func(l *layer) { l.met++ })
		}
	}
	pause(r, a.slow)
	maps.Copy(w.Header(), a.header)
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	if a.cut {
		a.body = a.body[:len(a.body)/2]
	}
	w.WriteHeader(a.status)
	w.Write(a.body)
	if a.cut {
		panic(http.ErrAbortHandler)
	}
}

// pause waits, unless nobody waits for the answer any more.
func pause(r *http.Request, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-r.Context().Done():
	}
}

func (l *layer) set(change func(*layer)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(l)
}

// calls returns how many requests keep accepts since the log was cleared.
func (l *layer) calls(keep func(Call) bool) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.log {
		if keep(c) {
			n++
		}
	}
	return n
}
