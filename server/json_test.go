package server_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"ayna/record"
	"ayna/server"
	"ayna/testrun/fakepaper"
)

// $select keeps the bytes of the selected fields as they were received.
func TestSelectKeepsBytes(t *testing.T) {
	tests := []struct{ name, record, fields, want string }{
		{"blanks", "{ \"Id\" : \"1\" ,\r\n\t\"Title\" :\t\"a\" , \"Files\" : [ 1 , {} ] }", "Title,Files", `{"Title":"a","Files":[ 1 , {} ]}`},
		{"order of the record", `{"Title":"a","Id":"1"}`, "Id,Title", `{"Title":"a","Id":"1"}`},
		{"brackets and quotes in strings", `{"Id":"1","Title":"]}\"[{\\","Url":"}"}`, "Title,Url", `{"Title":"]}\"[{\\","Url":"}"}`},
		{"escapes stay", `{"Id":"1","Title":"\u003cb\u003e\u0131\/"}`, "Title", `{"Title":"\u003cb\u003e\u0131\/"}`},
		{"nested names do not count", `{"Id":"1","Files":[{"Title":"x"}],"Title":"a"}`, "Title", `{"Title":"a"}`},
		{"scalars", `{"Id":1,"Title":null,"Description":true,"Path":-1.5e+3}`, "Id,Title,Description,Path", `{"Id":1,"Title":null,"Description":true,"Path":-1.5e+3}`},
		{"scalar at the end", `{"Id":"1","Title":12}`, "Title", `{"Title":12}`},
		{"escaped name", `{"Id":"1","\u0054itle":"a"}`, "Title", `{"\u0054itle":"a"}`},
		{"duplicate names", `{"Id":"1","Title":"a","Title":"b"}`, "Title", `{"Title":"a","Title":"b"}`},
		{"name in other case", `{"Id":"1","title":"a"}`, "Title", `{"title":"a"}`},
		{"name in any case in the request", `{"Id":"1","Title":"a"}`, "tITLE, iD", `{"Id":"1","Title":"a"}`},
		{"named twice", `{"Id":"1","Title":"a"}`, "Title,Title", `{"Title":"a"}`},
		{"empty values", `{"Id":"1","Title":"","Files":[],"Tags":{}}`, "Title,Files,Tags", `{"Title":"","Files":[],"Tags":{}}`},
		{"missing field", `{"Id":"1"}`, "Text", `{}`},
		{"non-ASCII", `{"Id":"1","Title":"ığ\u0000😀"}`, "Title", `{"Title":"ığ\u0000😀"}`},
		{"depth", `{"Id":"1","Files":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `,"Title":"a"}`, "Title", `{"Title":"a"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := server.New(fakepaper.Archive(t, fakepaper.Raw(record.Article, test.record, test.record)), server.Options{})
			single := get(h, "GET", "/v1/articles/1?$select="+url.QueryEscape(test.fields)).Body.String()
			if single != test.want {
				t.Errorf("got  %s\nwant %s", single, test.want)
			}
			list := get(h, "GET", "/v1/articles?$select="+url.QueryEscape(test.fields)).Body.String()
			if list != "["+test.want+"]" || !json.Valid([]byte(list)) {
				t.Errorf("in the list: %s", list)
			}
			if whole := get(h, "GET", "/v1/articles/1").Body.String(); whole != test.record {
				t.Errorf("whole: %s", whole)
			}
		})
	}
}

// $select takes ModifiedDate and ModifieDate for the same field, whichever a record has.
func TestSelectDateOfChange(t *testing.T) {
	operations := map[string]record.Kind{"articles": record.Article, "columns": record.Column, "newsphotogalleries": record.Gallery, "newsvideos": record.Video}
	for operation, kind := range operations {
		for _, had := range []string{"ModifiedDate", "ModifieDate"} {
			want := `{"` + had + `":"2026-03-05T10:00:00Z"}`
			document := `{"Id":"1",` + want[1:]
			h := server.New(fakepaper.Archive(t, fakepaper.Raw(kind, document, document)), server.Options{})
			for _, name := range []string{"ModifiedDate", "MODIFIEDATE"} {
				target := "/v1/" + operation
				if list := get(h, "GET", target+"?$select="+name).Body.String(); list != "["+want+"]" {
					t.Errorf("%s, %s of %s in the list: %s", target, name, document, list)
				}
				if single := get(h, "GET", target+"/1?$select=id,"+name).Body.String(); single != document {
					t.Errorf("%s, %s of %s: %s", target, name, document, single)
				}
			}
		}
	}
}
