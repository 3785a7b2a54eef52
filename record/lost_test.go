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
		kind       record.Kind
		kept, next archive.Record
		want       string
	}{
		{"nothing", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(full)}}}, ""},
		{"text", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(strings.Replace(full, "<p>x</p>", " ", 1))}}}, "text"},
		{"text that members alone read", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(strings.Replace(full, `"Text":"<p>x</p>"`, `"Text":"","Access":"members"`, 1))}}}, ""},
		{"an empty paragraph", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(strings.Replace(full, "<p>x</p>", "<p>&nbsp;</p>", 1))}}}, "text"},
		{"a picture instead", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(strings.Replace(full, "<p>x</p>", "<img src='/a.png'>", 1))}}}, ""},
		{"tags of the single record", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(strings.Replace(full, `["a"]`, `{"a":1}`, 1))}}}, "tags"},
		{"pictures of the single record", record.Gallery, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(strings.Replace(full, `http://p.example/1.jpg`, ``, 1))}}}, "pictures"},
		{"a title that the list has", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(strings.Replace(full, `"Title":"T"`, `"Title":""`, 1))}}}, ""},
		{"the only title, and a spot that says nothing", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(strings.Replace(strings.Replace(full, `"T"`, `null`, 1), `"D"`, `"."`, 1))}}}, "title, description"},
		{"pictures that only the list loses", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(full)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(`{"Id":"1"}`), Single: []byte(full)}}}, ""},
		{"everything of a list record", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(`{"Id":"1"}`)}}}, "title, folder, pictures, tags"},
		{"text of a search", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Hit: []byte(hit)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Hit: []byte(hit), Single: []byte(`{"Id":"1","Title":"T"}`)}}}, "text"},
		{"never there", record.Gallery, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(list), Single: []byte(`{"Id":"1","Title":"T"}`)}}}, ""},
		{"news of a page", record.Page, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"Id":"1","Title":"T","PageNews":[{"Id":"2"}]}`)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"Id":"1","Title":"T","PageNews":[]}`)}}}, "news"},
		{"related news", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"Id":"1","Title":"T","RelatedNews":[{"Id":"2"}]}`)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"Id":"1","Title":"T"}`)}}}, ""},
		{"a writer", record.Column, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(`{"Id":"1","Title":"T","Fullname":"A B"}`)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(`{"Id":"1","Title":"T"}`)}}}, "writer"},
		{"dates and address", record.Video, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(undated)}}}, "date of publication, date of change, address"},
		{"dates and address of a list record", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(dated), Single: []byte(undated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(undated), Single: []byte(undated)}}}, "date of publication, date of change, address"},
		{"dates and address that the list has", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(dated), Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(dated), Single: []byte(undated)}}}, ""},
		{"dates and address that only the list loses", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(dated), Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{List: []byte(undated), Single: []byte(dated)}}}, ""},
		{"dates that are none", record.Column, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"StartDate":"??","CreatedDate":["??"],"ModifiedDate":"0001-01-01T00:00:00Z","Url":"/a/1"}`)}}}, "date of publication, date of change"},
		{"one date of publication of two", record.Page, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(strings.Replace(dated, "Start", "End", 1))}}}, ""},
		{"dates of an unknown order", record.Column, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"StartDate":"03/04/2026","CreatedDate":"30 Ekim 2026","ModifiedDate":"03/04/2026","Url":"/a/1"}`)}}}, "date of change"},
		{"other dates, another address", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"StartDate":"2026-03-15","ModifieDate":"2026-03-16","Url":"http://a.example/2"}`)}}}, ""},
		{"an address that leads nowhere", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(dated)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(strings.Replace(dated, "/a/1", "javascript:a()", 1))}}}, "address"},
		{"of what cannot be read", record.Article, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`[`)}}}, archive.Record{Record: record.Record{Answers: record.Answers{Single: []byte(`{"Id":"1"}`)}}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.kept.Kind, test.next.Kind = test.kind, test.kind
			lost, err := record.Lost(&test.kept.Record, &test.next.Record, record.Dates{})
			if got := strings.Join(lost, ", "); got != test.want || err != nil {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
	if _, err := record.Lost(new(record.Record), &record.Record{Answers: record.Answers{Single: []byte(`[`)}}, record.Dates{}); err == nil {
		t.Error("no error of an answer that cannot be read")
	}
}
