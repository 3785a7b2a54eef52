package sourcetest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

// listRows have lists without an end, and wrong totals.
func listRows(n *Newsroom) []row {
	rows := []row{
		{name: "an endless list of items", items: few, run: func(m *mirror) {
			m.under(m.endless(m.PageSize).ofLists().at(m.lists(Needed)...), func() {
				m.sweep(exitPartial, exitShape, exitFailure)
				m.wantGone(false, keysOf(m.was)...)
			})
			for range 3 {
				m.sweep(0, exitPartial, exitWithheld)
			}
			m.wantGone(false, keysOf(m.was)...)
		}},
		{name: "the offset is ignored", needs: []Ability{Paged, Singles}, run: func(m *mirror) {
			m.options.PageSize = 10
			m.layer.set(func(l *layer) {
				l.before = func(r *http.Request) *http.Request { return parameter(r, m.Offset, "") }
			})
			m.sweep(exitShape)
			m.keeps()
			m.layer.set(func(l *layer) { l.before = nil })
			m.sweep(0)
			m.keeps()
		}},
	}
	if names := n.lists(Names); len(names) > 0 {
		rows = append(rows, row{name: "an endless list of names", slow: true, run: func(m *mirror) {
			const size = 2_000 // of an answer, so that even 200,000 names come soon
			m.under(m.endless(size).ofLists().at(names[0]), func() {
				m.sweep(exitPartial)
				m.wantGone(false, keysOf(m.was)...)
			})
			for range 3 {
				m.sweep(0, exitPartial, exitWithheld)
			}
			m.wantGone(false, keysOf(m.was)...)
		}})
	}
	for name, total := range map[string]string{"too low": "1", "missing": "", "negative": "-5", "no number": "çok"} {
		if name == "no number" && n.Member("posts") != "" {
			total = "null"
		}
		rows = append(rows, row{name: "totals are wrong: " + name, needs: []Ability{TellsTotals}, items: few, fresh: true, slow: name == "negative" || name == "no number", run: func(m *mirror) {
			m.options.PageSize = 5
			m.under(func(a *answer) { a.total(total) }, func() {
				m.exits(0)
				m.keeps()
				m.sweep(0)
				m.keeps()
			})
		}})
	}
	rows = append(rows, row{name: "later parts of the list do not come", needs: []Ability{Paged}, run: func(m *mirror) {
		m.options.PageSize = 10
		later := lacking(idsOf(m.paper.Items()[10:])...)
		faults := map[string]fault{"broken": status(500), "forbidden": status(403), "empty": empty}
		for _, name := range keysOf(faults) {
			m.in(name, func() {
				m.under(fault(func(a *answer) {
					switch {
					case a.isList() && m.isLater(a.query):
						faults[name](a)
					case name != "empty": // else that is proof
						later.ofSingles()(a)
					}
				}).at(m.lists(Needed)...), func() {
					m.options.Full = name == "forbidden"
					m.sweep(0, exitPartial)
					m.keeps()
					m.options.Full = false
				})
				m.sweep(0)
				m.keeps()
			})
		}
	}})
	rows = append(rows, row{name: "totals are wrong: too high", needs: []Ability{TellsTotals}, items: few, fresh: true, run: func(m *mirror) {
		m.options.PageSize = 5
		m.under(fault(func(a *answer) { a.total("500") }).at(m.lists(Needed)...), func() {
			m.exits(exitPartial)
			m.keeps()
			m.sweep(0)
			m.keeps()
		})
	}})
	slices.SortFunc(rows, byName)
	return rows
}

// endless fills each part of a list up to a size with elements that were never there before.
func (m *mirror) endless(size int) fault {
	next := 90_000_000
	var model map[string]any
	return func(a *answer) {
		a.elements(func(all []json.RawMessage) []json.RawMessage {
			if model == nil && len(all) > 0 {
				d := json.NewDecoder(bytes.NewReader(all[0]))
				d.UseNumber()
				if d.Decode(&model) != nil {
					model = nil
				}
			}
			for model != nil && len(all) < size {
				next++
				key := keyLike(model, "id")
				switch id := model[key].(type) {
				case string: // as long as the others
					model[key] = id[:max(0, len(id)-8)] + strconv.Itoa(next)
				default:
					model[key] = next
				}
				all = append(all, encode(model))
			}
			return all
		})
		a.total("1000000")
	}
}

// pageRows refuse or ignore sizes of pages.
func pageRows(*Newsroom) []row {
	const most = 10
	tooMany := func(text string) bool {
		n, err := strconv.Atoi(text)
		return err == nil && n > most
	}
	return []row{
		{name: "large pages are refused", needs: []Ability{RefusesSize}, fresh: true, run: func(m *mirror) {
			m.under(func(a *answer) {
				if tooMany(a.query.Get(m.Size)) {
					a.replace(m.RefuseSize(m.Size))
				}
			}, func() {
				m.exits(0)
				m.keeps()
				m.retitle(m.item(3).ID)
				m.sweep(0)
				m.keepsEdited(m.item(3).ID)
			})
		}},
		{name: "the size is ignored", needs: []Ability{Paged, RefusesSize}, fresh: true, run: func(m *mirror) {
			m.layer.set(func(l *layer) {
				l.before = func(r *http.Request) *http.Request {
					if tooMany(r.URL.Query().Get(m.Size)) {
						return parameter(r, m.Size, strconv.Itoa(most))
					}
					return r
				}
			})
			m.exits(0)
			m.keeps()
			m.sweep(0)
			m.keeps()
		}},
	}
}

// noiseRows have other text around JSON.
func noiseRows(n *Newsroom) (rows []row) {
	const notice = "<br />\n<b>Warning</b>:  Undefined array key in <b>/var/www/eklenti.php</b> on line <b>7</b><br />\n"
	words := func(before, after string) fault {
		return func(a *answer) { a.body = slices.Concat([]byte(before), a.body, []byte(after)) }
	}
	asHTML := func(a *answer) { a.header.Set("Content-Type", "text/html; charset=UTF-8") }
	for name, f := range map[string]fault{
		"words before it": words(notice, ""), "words after it": words("", "\n<!-- 0.3 s -->"), "a web page's type": asHTML,
		"a web page's type, and words": func(a *answer) { words(notice, "")(a); asHTML(a) },
	} {
		rows = append(rows, row{name: "noise: " + name, needs: []Ability{HasNoise}, items: few, chain: failing, slow: name == "a web page's type, and words", run: func(m *mirror) {
			edited := m.itemWith("pictures", 4)
			m.retitle(edited)
			m.under(f.at(m.lists(Needed, Names, Optional)...), func() {
				m.sweep(0)
				m.keepsEdited(edited)
				m.sweep(0)
				if most := 1; len(m.warnings) > most {
					m.Errorf("%d warnings, want %d: %q", len(m.warnings), most, m.warnings)
				}
			})
		}})
	}
	emptyPage := func(a *answer) {
		empty(a)
		words(notice, "<script></script>")(a)
	}
	page := body("<!DOCTYPE html><title>Giriş</title><p>Bir dakika…</p>")
	for name, f := range map[string]fault{"an empty list after words": fault(emptyPage).ofLists(), "a web page": page} {
		rows = append(rows, row{name: "noise: " + name, needs: []Ability{HasNoise}, items: few, chain: failing, run: func(m *mirror) {
			m.under(f.at(m.lists(Needed)...), func() {
				m.sweep(exitPartial, exitDown, exitShape)
				m.keeps()
			})
			m.sweep(0)
			m.keeps()
		}})
	}
	slices.SortFunc(rows, byName)
	return rows
}
