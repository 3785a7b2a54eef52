package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"ayna/client"
)

func TestEnvelopes(t *testing.T) {
	tests := []struct {
		name, body, envelope string
		records              string // joined by |
		skipped, count       int
	}{
		{name: "array", body: `[ {"Id":1, "x":[]},{"Id":2}]`, envelope: "array", records: `{"Id":1, "x":[]}|{"Id":2}`, count: -1},
		{name: "empty array", body: `[]`, envelope: "array", count: -1},
		{name: "value", body: `{"@odata.count":7,"value":[{"Id":1}]}`, envelope: "value", records: `{"Id":1}`, count: 7},
		{name: "value empty", body: `{"value":[]}`, envelope: "value", count: -1},
		{name: "d.results", body: `{"d":{"results":[{"Id":1}],"__count":"12"}}`, envelope: "d.results", records: `{"Id":1}`, count: 12},
		{name: "d", body: `{"d":[{"Id":1}]}`, envelope: "d", records: `{"Id":1}`, count: -1},
		{name: "List", body: `{"Count":212,"List":[{"Id":1}]}`, envelope: "List", records: `{"Id":1}`, count: 212},
		{name: "List with facets", body: `{"Facets":[{"a":1}],"List":[{"Id":1}]}`, envelope: "List", records: `{"Id":1}`, count: -1},
		{name: "List, no error", body: `{"List":[],"Message":null,"Error":""}`, envelope: "List", count: -1},
		{name: "other wrapper", body: `{"page":1,"Articles":[{"Id":1}]}`, envelope: "Articles", records: `{"Id":1}`, count: -1},
		{name: "bad count", body: `{"Count":-3,"List":[]}`, envelope: "List", count: -1},
		{name: "null count", body: `{"Count":null,"List":[]}`, envelope: "List", count: -1},
		{name: "odd elements", body: `[null,{"Id":1},"x",3,[],true,{}]`, envelope: "array", records: `{"Id":1}|{}`, skipped: 5, count: -1},
		{name: "key in a record", body: `[{"Id":1,"Title":"` + canary + `"},{"Id":2}]`, envelope: "array", records: `{"Id":2}`, skipped: 1, count: -1},
		{name: "key in the envelope", body: `{"` + canary + `":[]}`, envelope: "****", count: -1},
		{name: "byte order mark", body: "\ufeff \r\n[{\"Id\":1}]\n", envelope: "array", records: `{"Id":1}`, count: -1},
		{name: "invalid UTF-8 kept", body: "[{\"Id\":\"\xfe\"}]", envelope: "array", records: "{\"Id\":\"\xfe\"}", count: -1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := connect(t, answering(200, test.body, "Date: Fri, 13 Nov 2026 10:00:00 GMT"))
			batch, err := c.List(context.Background(), client.Articles, client.Query{})
			if err != nil {
				t.Fatal(err)
			}
			var records []string
			for _, record := range batch.Records {
				records = append(records, string(record))
			}
			if got := strings.Join(records, "|"); got != test.records {
				t.Errorf("records %s, want %s", got, test.records)
			}
			if batch.Envelope != test.envelope || batch.Skipped != test.skipped || batch.Count != test.count {
				t.Errorf("envelope %q, skipped %d, count %d; want %q, %d, %d",
					batch.Envelope, batch.Skipped, batch.Count, test.envelope, test.skipped, test.count)
			}
			if want := time.Date(2026, 11, 13, 10, 0, 0, 0, time.UTC); !batch.Date.Equal(want) {
				t.Errorf("date %v, want %v", batch.Date, want)
			}
		})
	}
}

// TestNoList holds the answers to a list operation that must not pass for an
// empty list.
func TestNoList(t *testing.T) {
	html := "Content-Type: text/html; charset=utf-8"
	tests := []struct {
		name, body string
		headers    []string
		want       error
		message    string // part of the error's text
	}{
		{"two arrays", `{"a":[],"b":[],"secret":"text"}`, nil, client.ErrShape, `"a, b, secret"`},
		{"no array", `{"a":{"b":[]}}`, nil, client.ErrShape, `"a"`},
		{"null", `null`, nil, client.ErrShape, ""},
		{"string", `""`, nil, client.ErrShape, ""},
		{"number", `0`, nil, client.ErrShape, ""},
		{"bool", `true`, nil, client.ErrShape, ""},
		{"object", `{}`, nil, client.ErrShape, ""},
		{"null list", `{"Count":0,"List":null}`, nil, client.ErrShape, "Count, List"},
		{"empty body", ``, nil, client.ErrNotJSON, "empty"},
		{"blank body", " \r\n", nil, client.ErrNotJSON, "empty"},
		{"only a byte order mark", "\ufeff", nil, client.ErrNotJSON, "empty"},
		{"HTML", `[]`, []string{html}, client.ErrNotJSON, "HTML"},
		{"HTML called JSON", "\n <html>oops</html>", nil, client.ErrNotJSON, "HTML"},
		{"message", `{"message":"no Route matched"}`, nil, client.ErrShape, "no Route matched"},
		{"message and details", `{"Message":"broken","Details":[]}`, nil, client.ErrShape, "broken"},
		{"message beside an empty list", `{"Message":"broken","List":[]}`, nil, client.ErrShape, "broken"},
		{"OData error", `{"error":{"code":"x","message":"broken"}}`, nil, client.ErrShape, "broken"},
		{"errors", `{"errors":[{"message":"broken"}]}`, nil, client.ErrShape, "broken"},
		{"one record", `{"Id":"1","Files":[]}`, nil, client.ErrShape, "Files"},
		{"cut", `[{"Id":1}`, nil, client.ErrNotJSON, ""},
		{"more than JSON", `[]]`, nil, client.ErrNotJSON, ""},
		{"plain text", `Rate Limit Exceeded`, nil, client.ErrNotJSON, "Rate Limit Exceeded"},
		{"br", `[]`, []string{"Content-Encoding: br"}, client.ErrNotJSON, "encoding"},
		{"deflate", `[]`, []string{"Content-Encoding: deflate"}, client.ErrNotJSON, "encoding"},
		{"unknown charset", `[]`, []string{"Content-Type: application/json; charset=x-klingon"}, client.ErrNotJSON, "charset"},
		{"UTF-16 undeclared", "\xff\xfe[\x00]\x00", nil, client.ErrNotJSON, ""},
		{"nesting", strings.Repeat("[", 10001) + strings.Repeat("]", 10001), nil, client.ErrNotJSON, "depth"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			handler := func(w http.ResponseWriter, r *http.Request) {
				for _, header := range test.headers {
					name, value, _ := strings.Cut(header, ": ")
					w.Header().Set(name, value)
				}
				if w.Header().Get("Content-Type") == "" {
					w.Header().Set("Content-Type", "application/json")
				}
				io.WriteString(w, test.body)
			}
			batch, err := connect(t, handler).List(context.Background(), client.Articles, client.Query{})
			if !errors.Is(err, test.want) {
				t.Fatalf("got %+v and %v, want %v", batch, err, test.want)
			}
			if !strings.Contains(err.Error(), test.message) {
				t.Errorf("%v does not say %q", err, test.message)
			}
			if strings.Contains(err.Error(), "text") && test.name == "two arrays" {
				t.Errorf("%v shows content", err)
			}
		})
	}
}

func TestSingleAnswers(t *testing.T) {
	tests := []struct {
		name, body string
		fields     []string
		want       string
		err        error
	}{
		{"object", ` {"Id":"1", "x":1} `, nil, `{"Id":"1", "x":1}`, nil},
		{"array of one", `[{"Id":"1"}]`, nil, `{"Id":"1"}`, nil},
		{"OData", `{"d":{"Id":"1"}}`, nil, `{"Id":"1"}`, nil},
		{"id in other case", `{"ID":1}`, nil, `{"ID":1}`, nil},
		{"wrapper", `{"Data":{"Id":1, "Folder":{"Id":"1"}}}`, nil, `{"Id":1, "Folder":{"Id":"1"}}`, nil},
		{"wrapper with more", `{"Id":null,"Message":"","User":{"Id":"7"},"x":[1],"data": {"ID":"1"}}`, nil, `{"ID":"1"}`, nil},
		{"wrapper, selected", `{"Data":{"Id":"1","Files":[]}}`, []string{"Id", "Files"}, `{"Id":"1","Files":[]}`, nil},
		{"record with a part of its id", `{"Id":"1","Part":{"Id":"1"}}`, nil, `{"Id":"1","Part":{"Id":"1"}}`, nil},
		{"selected, without Id", `{"Files":[{"FileUrl":"a"}]}`, []string{"Files"}, `{"Files":[{"FileUrl":"a"}]}`, nil},
		{"a record that has a message", `{"Id":"1","Message":"x"}`, nil, `{"Id":"1","Message":"x"}`, nil},
		{"null", `null`, nil, "", client.ErrNoRecord},
		{"null with blanks", " null\n", nil, "", client.ErrNoRecord},
		{"empty object", `{}`, nil, "", client.ErrNoRecord},
		{"empty text", `""`, nil, "", client.ErrNoRecord},
		{"only a byte order mark", "\ufeff\n", nil, "", client.ErrNoRecord},
		{"empty object, selected", `{}`, []string{"Title"}, "", client.ErrShape},
		{"number", `7`, nil, "", client.ErrShape},
		{"empty", ``, nil, "", client.ErrNoRecord},
		{"no Id", `{"Title":"x"}`, nil, "", client.ErrShape},
		{"null Id", `{"Id":null}`, nil, "", client.ErrShape},
		{"empty array", `[]`, nil, "", client.ErrNoRecord},
		{"array of two", `[{"Id":"1"},{"Id":"2"}]`, nil, "", client.ErrShape},
		{"array of a string", `["1"]`, nil, "", client.ErrShape},
		{"Message", `{"Message":"x"}`, []string{"Title"}, "", client.ErrShape},
		{"message", `{"message":"x"}`, nil, "", client.ErrShape},
		{"error", `{"error":"x"}`, nil, "", client.ErrShape},
		{"wrapper of another record", `{"Data":{"Id":"2"}}`, nil, "", client.ErrShape},
		{"wrapper of no record", `{"Data":{"Title":"x"}}`, nil, "", client.ErrShape},
		{"wrapper of two", `{"a":{"Id":"1"},"b":{"Id":"1"}}`, nil, "", client.ErrShape},
		{"wrapper in a wrapper", `{"a":{"b":{"Id":"1"}}}`, nil, "", client.ErrShape},
		{"error with an Id", `{"error":{"Id":"1","message":"x"}}`, nil, "", client.ErrShape},
		{"error beside a record", `{"Message":"x","Data":{"Id":"1"}}`, nil, "", client.ErrShape},
		{"key in a wrapped record", `{"Data":{"Id":"1","Text":"` + canary + `"}}`, nil, "", client.ErrSecret},
		{"key in the record", `{"Id":"1","Text":"` + canary + `"}`, nil, "", client.ErrSecret},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := connect(t, answering(200, test.body)).Single(context.Background(), client.Articles, "1", test.fields...)
			if !errors.Is(err, test.err) || string(got) != test.want || test.err != client.ErrNoRecord && errors.Is(err, client.ErrNoRecord) {
				t.Errorf("got %s, %v; want %s, %v", got, err, test.want, test.err)
			}
		})
	}
}

func TestCharset(t *testing.T) {
	const want = "Iğdır'da şölen"
	tests := []struct{ name, contentType, title string }{
		{"windows-1254", "application/json; charset=windows-1254", "I\xf0d\xfdr'da \xfe\xf6len"},
		{"iso-8859-9", `application/json; charset="ISO-8859-9"`, "I\xf0d\xfdr'da \xfe\xf6len"},
		{"utf-8", "application/json; charset=UTF-8", want},
		{"undeclared", "application/json", want},
		{"broken header", "application/json; charset", want},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := connect(t, answeringAs(test.contentType, `{"Id":"1","Title":"`+test.title+`"}`))
			article, err := c.Article(context.Background(), "1")
			if err != nil || article.Title != want {
				t.Errorf("got %q, %v", article.Title, err)
			}
		})
	}
	t.Run("UTF-16 by its mark", func(t *testing.T) {
		body := "\xfe\xff"
		for _, b := range []byte(`{"Id":"1"}`) {
			body += "\x00" + string(rune(b))
		}
		article, err := connect(t, answeringAs("application/json; charset=utf-16", body)).Article(context.Background(), "1")
		if err != nil || article.ID != "1" {
			t.Errorf("got %q, %v", article.ID, err)
		}
	})
}

func answeringAs(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		io.WriteString(w, body)
	}
}

func TestGzip(t *testing.T) {
	pack := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.Bytes()
	}
	good := pack(`[{"Id":1}]`)
	badSum := bytes.Clone(good)
	badSum[len(badSum)-6] ^= 1
	tests := []struct {
		name string
		body []byte
		want error // nil: any, if there must be one
		ok   bool
	}{
		{name: "whole", body: good, ok: true},
		{name: "cut", body: good[:len(good)-9], want: io.ErrUnexpectedEOF},
		{name: "checksum", body: badSum, want: gzip.ErrChecksum},
		{name: "bomb", body: pack(`["` + strings.Repeat(" ", 8<<20) + `"]`), want: client.ErrTooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := connect(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				w.Header().Set("Content-Type", "application/json")
				w.Write(test.body)
			}, func(config *client.Config) { config.MaxBody = 1 << 20 })
			batch, err := c.List(context.Background(), client.Articles, client.Query{})
			if test.ok && (err != nil || len(batch.Records) != 1) || !test.ok && !errors.Is(err, test.want) {
				t.Errorf("got %d records, %v; want %v", len(batch.Records), err, test.want)
			}
		})
	}
}
