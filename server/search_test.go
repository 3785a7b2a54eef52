package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/server"
	"ayna/testrun/fakepaper"
)

var later = time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)

// asHit is a record without related news as a hit shows it.
func asHit(document string) string { return strings.TrimSuffix(document, "}") + `,"RelatedNews":[]}` }

// keepHit keeps a hit of a record as a synchronisation does.
func keepHit(t *testing.T, a *archive.Archive, kind record.Kind, id string, hit []byte) {
	t.Helper()
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		r, err := tx.Get(kind, id)
		if err != nil {
			return err
		}
		if err := tx.Hits.Put(id, hit); err != nil {
			return err
		}
		r.Hit = hit
		if err := record.Fill(&r.Record, record.Dates{}); err != nil {
			return err
		}
		_, err = tx.Put(r, later)
		return err
	})
}

// A search after a change of the archive has a new answer.
func TestSearchFollowsTheArchive(t *testing.T) {
	a := openSmall(t)
	h := server.New(a, server.Options{})
	search := func(word string) string { return get(h, "GET", "/v1/search/"+word).Body.String() }
	const none = `{"Count":0,"List":[]}`
	if got := search("zeytin"); got != none {
		t.Fatalf("before: %s", got)
	}
	olive := fakepaper.Raw(record.Video, `{"Id":"41000031","CreatedDate":"2026-03-06T08:00:00Z","Title":"Zeytin"}`, ``)
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return store(tx, olive, later) })
	if got, want := search("zeytin"), `{"Count":1,"List":[`+asHit(string(olive.List))+`]}`; got != want {
		t.Errorf("after a record came: %s, want %s", got, want)
	}
	hit := `{"Id":"41000031", "Text":"<p>Zeytin</p>","Unknown":1,"Title":"Zeytin"}`
	keepHit(t, a, record.Video, "41000031", []byte(hit))
	if got, want := search("zeytin"), `{"Count":1,"List":[`+hit+`]}`; got != want {
		t.Errorf("as the source's own search showed it: %s, want %s", got, want)
	}
	olive.Single = []byte(`{"Id":"41000031","Title":"Zeytin","Text":"<p>Ağaç</p>","Editor":"x"}`)
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return store(tx, olive, later) })
	if got, want := search("zeytin"), `{"Count":1,"List":[{"Id":"41000031","Title":"Zeytin","Text":"<p>Ağaç</p>","RelatedNews":[]}]}`; got != want {
		t.Errorf("after its text came: %s, want %s", got, want)
	}
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Video, "41000031", later) })
	if got := search("zeytin"); got != none {
		t.Errorf("after it went: %s", got)
	}
	if w := get(h, "GET", "/v1/newsvideos/41000031"); w.Code != 404 {
		t.Errorf("a record that is gone: %d", w.Code)
	}
}

func TestAnyKeyword(t *testing.T) {
	h := newSmall(t, server.Options{})
	for _, keyword := range []string{
		`"`, `""`, `*`, `"*`, `^`, `-`, `NEAR(a b)`, `title:kar`, `{title}:kar`, `a AND`, `OR`, `(`, `)`, `'`, `;`, `--`, `\`, "\x00", "\xff\xfe", "\r\n",
		strings.Repeat("(a+)+", 400), strings.Repeat("a ", 500), strings.Repeat("ı", 2000), "😀", "a\u0301", "İ̇", "%", "_", "..", "...", "a/../b", "a?b#c",
	} {
		for _, query := range []string{"", "?s=1&$top=1&$skip=1"} {
			w := get(h, "GET", "/v1/search/"+escape(keyword)+query)
			var answer struct {
				Count int
				List  []json.RawMessage
			}
			if keyword == ".." && w.Code == 307 { // a path that is cleaned on the way
				continue
			}
			if err := json.Unmarshal(w.Body.Bytes(), &answer); w.Code != 200 || err != nil || answer.List == nil {
				t.Errorf("%q%s: %d %s", keyword, query, w.Code, w.Body)
			}
		}
	}
}

// Equal words count once, and every word counts.
func TestSearchOfManyWords(t *testing.T) {
	h := newSmall(t, server.Options{})
	for keyword, want := range map[string]string{
		strings.Repeat("yağmur ", 32) + "yok":                               `{"Count":0,"List":[]}`,
		strings.Repeat("yağmur ", 40) + "izmir":                             asHit(string(small[1].Single)),
		"izmir " + strings.Repeat("YAĞMUR ", 40):                            asHit(string(small[1].Single)),
		"izmir yağmur iz":                                                   asHit(string(small[1].Single)),
		"b c d e f g h j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8":   `{"Count":0,"List":[]}`,
		"b c d e f g h j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8 9": `{"Message":"a search has at most 32 different words","HelpLink":"/v1/"}`,
	} {
		status := 200
		if strings.Contains(want, "Message") {
			status = 400
		}
		if strings.Contains(want, `"Id"`) {
			want = `{"Count":1,"List":[` + want + `]}`
		}
		if w := get(h, "GET", "/v1/search/"+escape(keyword)); w.Code != status || w.Body.String() != want {
			t.Errorf("%s: %d %s, want %d %s", keyword, w.Code, w.Body, status, want)
		}
	}
}

// Many clients search for the same words while the archive changes.
func TestSearchSideBySide(t *testing.T) {
	a := openSmall(t)
	h := server.New(a, server.Options{})
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for n := range 40 {
				target := fmt.Sprintf("/v1/search/%s?$top=%d", url.PathEscape([]string{"kar", "yağmur", "deniz"}[n%3]), n%5)
				if w := get(h, "GET", target); w.Code != 200 || !json.Valid(w.Body.Bytes()) {
					t.Errorf("%d: %s: %d %s", i, target, w.Code, w.Body)
				}
			}
		})
	}
	for n := range 20 {
		fakepaper.Update(t, a, func(tx *archive.Tx) error {
			return store(tx, fakepaper.Raw(record.Video, fmt.Sprintf(`{"Id":"4200%04d","Title":"Deniz"}`, n), ``), later)
		})
	}
	wait.Wait()
	if got := get(h, "GET", "/v1/search/deniz?$top=0").Body.String(); got != `{"Count":20,"List":[]}` {
		t.Errorf("in the end: %s", got)
	}
}

// A request that was given up does not disturb others for the same words.
func TestSearchGivenUp(t *testing.T) {
	h := newSmall(t, server.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", "/v1/search/kar", nil))
	if w := get(h, "GET", "/v1/search/kar?$top=0"); w.Body.String() != `{"Count":1,"List":[]}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A hit has the fields of the API document's section 2.8, from whichever record
// of the archive has them.
func TestFieldsOfHits(t *testing.T) {
	const changed = `"2026-03-05T10:00:00Z"`
	tests := []struct {
		name         string
		kind         record.Kind
		list, single string
		want         string // the hit without "Id", "Title" and what it begins with
	}{
		{"gallery, the date in its list record", record.Gallery, `"ModifieDate":` + changed, `"Text":""`, `"Text":"","ModifiedDate":` + changed + `,"RelatedNews":[]`},
		{"video, the other spelling", record.Video, `"ModifiedDate":` + changed, `"Text":""`, `"Text":"","ModifiedDate":` + changed + `,"RelatedNews":[]`},
		{"article without a date of its own", record.Article, `"ModifiedDate":` + changed, `"RelatedNews":[{"Id":"1"}]`, `"RelatedNews":[{"Id":"1"}],"ModifiedDate":` + changed},
		{"article with both", record.Article, `"ModifiedDate":"x"`, `"RelatedNews":[],"ModifiedDate":` + changed, `"RelatedNews":[],"ModifiedDate":` + changed},
		{"the single record's spelling", record.Video, `"Path":"/x/"`, `"ModifieDate":` + changed, `"ModifieDate":` + changed + `,"ModifiedDate":` + changed + `,"RelatedNews":[]`},
		{"column, which has no date", record.Column, `"Path":"/x/"`, `"Text":"a"`, `"Text":"a","RelatedNews":[]`},
		{"fields in other letters", record.Gallery, `"MODIFIEDATE":` + changed, `"Text":"","relatednews":[{"Id":"1"}]`, `"Text":"","relatednews":[{"Id":"1"}],"ModifiedDate":` + changed},
		{"a date that is null", record.Gallery, `"ModifieDate":null`, `"Text":""`, `"Text":"","RelatedNews":[]`},
		{"what has not arrived", record.Gallery, `"ModifieDate":` + changed, ``, `"ModifieDate":` + changed + `,"ModifiedDate":` + changed + `,"RelatedNews":[]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := fakepaper.Raw(test.kind, `{"Id":"7","Title":"Zeytin",`+test.list+`}`, "")
			if test.single != "" {
				r.Single = []byte(`{"Id":"7","Title":"Zeytin",` + test.single + `}`)
			}
			want := `{"Count":1,"List":[{"Id":"7","Title":"Zeytin",` + test.want + `}]}`
			if got := get(server.New(fakepaper.Archive(t, r), server.Options{}), "GET", "/v1/search/zeytin").Body.String(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
