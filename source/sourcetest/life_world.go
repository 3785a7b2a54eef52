package sourcetest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
)

// A wrong is a kind of fault that a source has for one run.
type wrong struct {
	name  string
	lacks bool // records or names may seem to be gone
	make  func(*life) fault
}

// wrongs are all of them. What exactly each one does is drawn anew for each run.
var wrongs = []wrong{
	{"an empty list", true, func(l *life) fault { return fault(empty).ofLists().at(l.anyList()) }},
	{"a list cut short", true, func(l *life) fault { return l.cutShort().ofLists().at(l.anyList()) }},
	{"a replica that lacks the newest", true, func(l *life) fault {
		return without(l.lastChanged(1 + l.random.IntN(3))...).at(l.lists(Needed)...)
	}},
	{"an older replica", true, func(l *life) fault { return l.older() }},
	{"older records", true, func(l *life) fault { return l.older(l.anyItems(1 + l.random.IntN(10))...) }},
	{"another type", false, func(l *life) fault {
		values := []any{nil, 7, []any{"x"}, map[string]any{"x": []any{"y"}}}
		return l.spoil(func(element map[string]any, f Field, key string) {
			value := values[l.random.IntN(len(values))]
			if isFilled := value != nil && typeOf(value) != typeOf(7); isFilled || typeOf(value) != typeOf(f.Empty) {
				element[key] = value
			}
		})
	}},
	{"missing fields", false, func(l *life) fault {
		return l.spoil(func(element map[string]any, _ Field, key string) { delete(element, key) })
	}},
	{"emptied fields", false, func(l *life) fault {
		return l.spoil(func(element map[string]any, f Field, key string) {
			id := textOf(element[keyLike(element, "id")])
			// An emptied field beside a newer date of change is an edit, and believed.
			isEdit := slices.Contains(l.due, id) || l.before[id]["date of change"] != l.truth[id]["date of change"]
			if f.MayBeEmpty && !isEdit {
				element[key] = f.Empty
			}
		})
	}},
	{"a closed list", false, func(l *life) fault {
		return status(l.Closed[l.random.IntN(len(l.Closed))]).at(l.anyList(Names, Optional))
	}},
	{"a broken list", false, func(l *life) fault {
		breaks := []fault{status(500), slow, cutOff, body(`{"unexpected":true}`), body("[1,2]"), body(webPage)}
		return breaks[l.random.IntN(len(breaks))].at(l.anyList())
	}},
	{"wrong totals", true, func(l *life) fault {
		totals := []string{"1", "500", "", "-5"}
		total := totals[l.random.IntN(len(totals))]
		return func(a *answer) { a.total(total) }
	}},
	{"small pages", false, func(l *life) fault {
		most := 10 + l.random.IntN(30)
		return func(a *answer) {
			if n, err := strconv.Atoi(a.query.Get(a.newsroom.Size)); err == nil && n > most && a.newsroom.RefuseSize != nil {
				a.replace(a.newsroom.RefuseSize(a.newsroom.Size))
			}
		}
	}},
	{"words around the JSON", false, func(l *life) fault {
		before, after, isPage := l.random.IntN(2) == 0, l.random.IntN(2) == 0, l.random.IntN(2) == 0
		return fault(func(a *answer) {
			if before {
				a.body = append([]byte("<br />\n<b>Warning</b>:  Undefined array key<br />\n"), a.body...)
			}
			if after {
				a.body = append(a.body, "\n<!-- 0.3 s -->"...)
			}
			if isPage {
				a.header.Set("Content-Type", "text/html; charset=UTF-8")
			}
		}).at(l.lists(Needed, Names, Optional)...)
	}},
	{"slow answers", false, func(l *life) fault { return l.some(4, slow) }},
	{"errors", false, func(l *life) fault { return l.some(4, status(500), status(503), status(429), cutOff, body(webPage)) }},
	{"lacking, and their own addresses too", true, func(l *life) fault {
		ids := l.anyItems(1 + l.random.IntN(3))
		isClosed := l.random.IntN(2) == 0
		return fault(func(a *answer) {
			if a.Own && isClosed {
				status(http.StatusForbidden)(a)
			} else if a.Own || a.isList() {
				without(ids...)(a)
			}
		}).at(l.lists(Needed, Optional)...)
	}},
	{leftOut, true, func(l *life) fault {
		lacking := without(l.anyItems(1 + l.random.IntN(12))...)
		return fault(func(a *answer) {
			if a.IDs != nil && !a.Own {
				lacking(a)
			}
		}).at(l.lists(Needed)...)
	}},
	{"twins", false, func(l *life) fault { return fault(twins).ofLists().at(l.anyList()) }},
	{"odd ids", true, func(l *life) fault {
		ids, odd := l.anyItems(2), []any{nil, "", -5, 1.5, map[string]any{"a": 1}, []any{}, strings.Repeat("x", 300), "../../etc", true}
		return fault(func(a *answer) {
			a.edit(func(element map[string]any) bool {
				key := keyLike(element, "id")
				isOne := slices.Contains(ids, textOf(element[key]))
				if isOne {
					element[key] = odd[l.random.IntN(len(odd))]
				}
				return isOne
			})
		}).ofLists().at(l.lists(Needed)...)
	}},
	{"an empty list after words", true, func(l *life) fault {
		return fault(func(a *answer) {
			empty(a)
			a.body = slices.Concat([]byte("<b>Warning</b>: "), a.body, []byte("<script></script>"))
		}).ofLists().at(l.anyList())
	}},
}

const webPage = "<!DOCTYPE html><title>Giriş</title><p>Bir dakika…</p>"

// anyList returns the name of a list with one of some needs, or of any.
func (l *life) anyList(needs ...Need) string {
	if needs == nil {
		needs = []Need{Needed, Names, Optional}
	}
	names := l.lists(needs...)
	return names[l.random.IntN(len(names))]
}

// anyItems returns ids of public items, often those that have changed before this run.
func (l *life) anyItems(n int) []string {
	ids := idsOf(l.paper.Items())
	l.random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	if l.random.IntN(2) == 0 {
		ids = append(slices.Clone(l.edited), ids...)
	}
	return ids[:min(n, len(ids))]
}

// lastChanged returns the ids of the items that have changed last, and whose change the mirror
// knows. Of others a replica that lags behind has the version before.
func (l *life) lastChanged(n int) []string {
	ids := idsOf(l.paper.Items())
	slices.SortStableFunc(ids, func(a, b string) int {
		return strings.Compare(l.truth[b]["date of change"], l.truth[a]["date of change"])
	})
	isAfter := func(a, b string) bool { return l.truth[a]["date of change"] > l.truth[b]["date of change"] }
	for n < len(ids) && !isAfter(ids[n-1], ids[n]) { // one of the same second would be a witness
		n++
	}
	for i, id := range ids[:n] {
		if was := l.before[id]; was != nil && was["date of change"] != l.truth[id]["date of change"] {
			return ids[:i]
		}
	}
	return ids[:n]
}

// some has one in so many answers meet one of some faults.
func (l *life) some(in int, faults ...fault) fault {
	return func(a *answer) {
		if l.random.IntN(in) == 0 {
			faults[l.random.IntN(len(faults))](a)
		}
	}
}

// cutShort leaves out the end of each part of a list; half of the time the total knows.
func (l *life) cutShort() fault {
	keep, counts := l.random.IntN(20), l.random.IntN(2) == 0
	return func(a *answer) {
		n := 0
		a.elements(func(all []json.RawMessage) []json.RawMessage {
			n = min(keep, len(all))
			return all[:n]
		})
		if counts {
			a.total(strconv.Itoa(n))
		}
	}
}

// spoil changes some fields of some items in lists, in single records or in both.
func (l *life) spoil(change func(element map[string]any, f Field, key string)) fault {
	ids, where := l.anyItems(1+l.random.IntN(15)), l.random.IntN(3)
	var fields []Field
	for range 1 + l.random.IntN(3) {
		fields = append(fields, l.Fields[l.random.IntN(len(l.Fields))])
	}
	return fault(func(a *answer) {
		if where == 0 && !a.isList() || where == 1 && a.isList() {
			return
		}
		a.edit(func(element map[string]any) (changed bool) {
			if !slices.Contains(ids, textOf(element[keyLike(element, "id")])) {
				return false
			}
			for _, f := range fields {
				for _, key := range f.Keys {
					if _, has := element[key]; has {
						change(element, f, key)
						changed = true
					}
				}
			}
			return changed
		})
	}).at(l.lists(Needed)...)
}

// older has a copy of the paper of some runs ago answer: all requests of this run, or for
// some of the records alone.
func (l *life) older(ids ...string) fault {
	if len(l.copies) == 0 {
		return func(*answer) {}
	}
	l.replica = &l.copies[l.random.IntN(len(l.copies))]
	return copied(l.replica.paper, ids...)
}

// copied has a copy of the paper answer, or for records with some ids alone.
func copied(paper http.Handler, ids ...string) fault {
	return func(a *answer) {
		whole := httptest.NewRecorder()
		paper.ServeHTTP(whole, a.request)
		old := &answer{Call: a.Call, newsroom: a.newsroom, query: a.query, status: whole.Code, header: whole.Header(), body: whole.Body.Bytes()}
		if ids == nil {
			a.status, a.header, a.body = old.status, old.header, old.body
			return
		}
		byID := make(map[string]json.RawMessage)
		old.elements(func(all []json.RawMessage) []json.RawMessage {
			for _, raw := range all {
				byID[idOf(raw)] = raw
			}
			return all
		})
		a.elements(func(all []json.RawMessage) []json.RawMessage {
			for i, raw := range all {
				if id := idOf(raw); byID[id] != nil && slices.Contains(ids, id) {
					all[i] = byID[id]
				}
			}
			return all
		})
	}
}

const (
	noFault = "no fault"
	leftOut = "records left out in bulk"
)

// begin gives the paper faults for the next run, and returns their names.
func (l *life) begin() string {
	l.replica, l.layer.fault = nil, nil
	if l.random.IntN(2) == 0 {
		return noFault
	}
	var names []string
	var faults []fault
	for range 1 + l.random.IntN(3) {
		w := wrongs[l.random.IntN(len(wrongs))]
		// A list and an answer in bulk that lack the same records are a proof.
		isProof := len(names) > 0 && (w.name == leftOut || slices.Contains(names, leftOut))
		if w.lacks && !l.calm || isProof || slices.Contains(names, w.name) {
			continue
		}
		f := w.make(l)
		names = append(names, w.name)
		faults = append(faults, func(a *answer) {
			was := *a
			was.header = a.header.Clone()
			was.body = bytes.Clone(a.body)
			if f(a); a.differs(&was) {
				l.met[w.name]++
				l.lacked = l.lacked || w.lacks
			}
		})
	}
	l.layer.fault = func(a *answer) {
		for _, f := range faults {
			f(a)
		}
	}
	if names == nil {
		return noFault
	}
	return strings.Join(names, ", ")
}
