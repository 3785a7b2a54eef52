package record_test

import (
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
)

// What readers see of a record and would not see any more.
func TestLost(t *testing.T) {
	const (
		list = `{"Id":"1","Title":"T","Path":"/a/","Tags":["a"],"Files":[{"FileUrl":"http://p.example/1.jpg"}]}`
		full = `{"Id":"1","Title":"T","Description":"D","Path":"/a/","Text":"<p>x</p>","Tags":["a"],"Files":[{"FileUrl":"http://p.example/1.jpg"}]}`
		hit  = `{"Id":"1","Text":"<p>x</p>","Tags":["a"]}`

		dated   = `{"Id":"1","StartDate":"2026-03-14T06:30:00Z","CreatedDate":"2026-03-14T06:00:00Z","ModifiedDate":"2026-03-14T09:00:00Z","Url":"/a/1"}`
		undated = `{"Id":"1","Description":"D"}`
	)
	tests := []struct {
		name       string
		kind       archive.Kind
		kept, next archive.Record
		want       string
	}{
		{"nothing", archive.Article, archive.Record{List: []byte(list), Single: []byte(full)}, archive.Record{List: []byte(list), Single: []byte(full)}, ""},
		{"text", archive.Article, archive.Record{List: []byte(list), Single: []byte(full)}, archive.Record{List: []byte(list), Single: []byte(strings.Replace(full, "<p>x</p>", " ", 1))}, "text"},
		{"text that members alone read", archive.Article, archive.Record{Single: []byte(full)}, archive.Record{Single: []byte(strings.Replace(full, `"Text":"<p>x</p>"`, `"Text":"","Access":"members"`, 1))}, ""},
		{"an empty paragraph", archive.Article, archive.Record{Single: []byte(full)}, archive.Record{Single: []byte(strings.Replace(full, "<p>x</p>", "<p>&nbsp;</p>", 1))}, "text"},
		{"a picture instead", archive.Article, archive.Record{Single: []byte(full)}, archive.Record{Single: []byte(strings.Replace(full, "<p>x</p>", "<img src='/a.png'>", 1))}, ""},
		{"tags of the single record", archive.Article, archive.Record{List: []byte(list), Single: []byte(full)}, archive.Record{List: []byte(list), Single: []byte(strings.Replace(full, `["a"]`, `{"a":1}`, 1))}, "tags"},
		{"pictures of the single record", archive.Gallery, archive.Record{List: []byte(list), Single: []byte(full)}, archive.Record{List: []byte(list), Single: []byte(strings.Replace(full, `http://p.example/1.jpg`, ``, 1))}, "pictures"},
		{"a title that the list has", archive.Article, archive.Record{List: []byte(list), Single: []byte(full)}, archive.Record{List: []byte(list), Single: []byte(strings.Replace(full, `"Title":"T"`, `"Title":""`, 1))}, ""},
		{"the only title, and a spot that says nothing", archive.Article, archive.Record{Single: []byte(full)}, archive.Record{Single: []byte(strings.Replace(strings.Replace(full, `"T"`, `null`, 1), `"D"`, `"."`, 1))}, "title, description"},
		{"pictures that only the list loses", archive.Article, archive.Record{List: []byte(list), Single: []byte(full)}, archive.Record{List: []byte(`{"Id":"1"}`), Single: []byte(full)}, ""},
		{"everything of a list record", archive.Article, archive.Record{List: []byte(list)}, archive.Record{List: []byte(`{"Id":"1"}`)}, "title, folder, pictures, tags"},
		{"text of a search", archive.Article, archive.Record{List: []byte(list), Hit: []byte(hit)}, archive.Record{List: []byte(list), Hit: []byte(hit), Single: []byte(`{"Id":"1","Title":"T"}`)}, "text"},
		{"never there", archive.Gallery, archive.Record{List: []byte(list)}, archive.Record{List: []byte(list), Single: []byte(`{"Id":"1","Title":"T"}`)}, ""},
		{"news of a page", archive.Page, archive.Record{Single: []byte(`{"Id":"1","Title":"T","PageNews":[{"Id":"2"}]}`)}, archive.Record{Single: []byte(`{"Id":"1","Title":"T","PageNews":[]}`)}, "news"},
		{"related news", archive.Article, archive.Record{Single: []byte(`{"Id":"1","Title":"T","RelatedNews":[{"Id":"2"}]}`)}, archive.Record{Single: []byte(`{"Id":"1","Title":"T"}`)}, ""},
		{"a writer", archive.Column, archive.Record{List: []byte(`{"Id":"1","Title":"T","Fullname":"A B"}`)}, archive.Record{List: []byte(`{"Id":"1","Title":"T"}`)}, "writer"},
		{"dates and address", archive.Video, archive.Record{Single: []byte(dated)}, archive.Record{Single: []byte(undated)}, "date of publication, date of change, address"},
		{"dates and address of a list record", archive.Article, archive.Record{List: []byte(dated), Single: []byte(undated)}, archive.Record{List: []byte(undated), Single: []byte(undated)}, "date of publication, date of change, address"},
		{"dates and address that the list has", archive.Article, archive.Record{List: []byte(dated), Single: []byte(dated)}, archive.Record{List: []byte(dated), Single: []byte(undated)}, ""},
		{"dates and address that only the list loses", archive.Article, archive.Record{List: []byte(dated), Single: []byte(dated)}, archive.Record{List: []byte(undated), Single: []byte(dated)}, ""},
		{"dates that are none", archive.Column, archive.Record{Single: []byte(dated)}, archive.Record{Single: []byte(`{"StartDate":"??","CreatedDate":["??"],"ModifiedDate":"0001-01-01T00:00:00Z","Url":"/a/1"}`)}, "date of publication, date of change"},
		{"one date of publication of two", archive.Page, archive.Record{Single: []byte(dated)}, archive.Record{Single: []byte(strings.Replace(dated, "Start", "End", 1))}, ""},
		{"dates of an unknown order", archive.Column, archive.Record{Single: []byte(dated)}, archive.Record{Single: []byte(`{"StartDate":"03/04/2026","CreatedDate":"30 Ekim 2026","ModifiedDate":"03/04/2026","Url":"/a/1"}`)}, "date of change"},
		{"other dates, another address", archive.Article, archive.Record{Single: []byte(dated)}, archive.Record{Single: []byte(`{"StartDate":"2026-03-15","ModifieDate":"2026-03-16","Url":"http://a.example/2"}`)}, ""},
		{"an address that leads nowhere", archive.Article, archive.Record{Single: []byte(dated)}, archive.Record{Single: []byte(strings.Replace(dated, "/a/1", "javascript:a()", 1))}, "address"},
		{"of what cannot be read", archive.Article, archive.Record{Single: []byte(`[`)}, archive.Record{Single: []byte(`{"Id":"1"}`)}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.kept.Kind, test.next.Kind = test.kind, test.kind
			lost, err := record.Lost(&test.kept, &test.next, record.Dates{})
			if got := strings.Join(lost, ", "); got != test.want || err != nil {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
	if _, err := record.Lost(new(archive.Record), &archive.Record{Single: []byte(`[`)}, record.Dates{}); err == nil {
		t.Error("no error of an answer that cannot be read")
	}
}
