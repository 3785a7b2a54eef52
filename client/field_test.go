package client_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/client"
)

func TestID(t *testing.T) {
	tests := []struct{ json, want string }{
		{`{"Id":"51200311"}`, "51200311"},
		{`{"Id":" 65aa09f8f018fbaf44942506\n"}`, " 65aa09f8f018fbaf44942506\n"},
		{`{"Id":"51200311 "}`, "51200311 "},
		{`{"Id":" "}`, " "},
		{`{"Id":51200311}`, "51200311"},
		{`{"Id":9007199254740993}`, "9007199254740993"},
		{`{"Id":123456789012345678901234567890}`, "123456789012345678901234567890"},
		{`{"Id":1.0}`, "1"},
		{`{"Id":1e3}`, "1000"},
		{`{"Id":12.50E1}`, "125"},
		{`{"Id":1.5}`, "1.5"},
		{`{"Id":-7}`, "-7"},
		{`{"Id":-0}`, "0"},
		{`{"Id":1e999999999}`, "1e999999999"},
		{`{"Id":1e100000}`, "1e100000"},
		{`{"Id":-1e-65}`, "-1e-65"},
		{`{"Id":"1.0"}`, "1.0"},
		{`{"Id":""}`, ""},
		{`{"Id":null}`, ""},
		{`{"Id":true}`, ""},
		{`{"Id":{"a":1}}`, ""},
		{`{}`, ""},
		{`{"":"9"}`, ""},
	}
	for _, test := range tests {
		t.Run(test.json, func(t *testing.T) {
			var article client.Article
			var folder client.Path
			if err := json.Unmarshal([]byte(test.json), &article); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(test.json), &folder); err != nil {
				t.Fatal(err)
			}
			if article.ID != test.want || folder.ID != test.want {
				t.Errorf("article %q, path %q, want %q", article.ID, folder.ID, test.want)
			}
		})
	}
}

func TestCoercion(t *testing.T) {
	tests := []struct{ name, json, want string }{
		{"text from number", `{"Title":5}`, `Title="5"`},
		{"text from a long number", `{"Title":12345678901234567890}`, `Title="12345678901234567890"`},
		{"text from bool", `{"Title":true}`, `Title="true"`},
		{"text from array", `{"Editor":["A",2,null,["x"]]}`, `Editor="A, 2"`},
		{"text from object", `{"Editor":{"Name":"Ela","Title":"Ş"}}`, `Editor="Ela"`},
		{"text from a strange object", `{"Editor":{"Name":{"Name":"Ela"}}}`, `Editor=""`},
		{"text from null", `{"Title":null,"Description":null,"Text":null}`, `Title=""`},
		{"tags from text", `{"Tags":" a, ,b,"}`, `Tags=[]string{"a", "b"}`},
		{"tags from number", `{"Tags":7}`, `Tags=[]string{"7"}`},
		{"tags of objects", `{"Tags":[{"Title":"a"},{"Name":"b"},"",null,3]}`, `Tags=[]string{"a", "b", "3"}`},
		{"no tags", `{"Tags":null}`, `Tags=[]string(nil)`},
		{"empty tags", `{"Tags":""}`, `Tags=[]string{}`},
		{"files from object", `{"Files":{"FileUrl":" http://a \n","Metadata":{"Title":"x\r\n"}}}`, `Files=[]client.File{client.File{URL:"http://a", Title:"x", Description:""}}`},
		{"files from empty object", `{"Files":{}}`, `Files=[]client.File{}`},
		{"files from text", `{"Files":"http://a"}`, `Files=[]client.File{client.File{URL:"http://a", Title:"", Description:""}}`},
		{"odd files", `{"Files":[null,1,{"FileUrl":null},{"fileurl":"http://a","metadata":[]}]}`, `Files=[]client.File{client.File{URL:"http://a", Title:"", Description:""}}`},
		{"files null", `{"Files":null}`, `Files=[]client.File(nil)`},
		{"files missing", `{}`, `Files=[]client.File(nil)`},
		{"files empty", `{"Files":[]}`, `Files=[]client.File{}`},
		{"related from object", `{"RelatedNews":{"Id":1}}`, `Related=["1"]`},
		{"related odd", `{"RelatedNews":["1",null,{"Id":2}]}`, `Related=["2"]`},
		{"writers from text", `{"Writers":"Ela"}`, `Writers=[]client.Writer{}`},
		{"other case", `{"id":"a","TITLE":"b"}`, `Title="b"`},
		{"exact name wins", `{"TITLE":"b","Title":"a","title":"c"}`, `Title="a"`},
		{"exact name null", `{"TITLE":"b","Title":null}`, `Title=""`},
		{"first of several cases", `{"title":"c","TITLE":"a","tITLE":"b"}`, `Title="a"`},
		{"twice", `{"Title":"a","Title":"b"}`, `Title="b"`},
		{"empty date of .NET", `{"ModifiedDate":"0001-01-01T00:00:00"}`, `Modified=""`},
		{"both spellings", `{"ModifieDate":"2026-01-01T00:00:00Z","ModifiedDate":"2026-01-02T00:00:00Z"}`, `Modified="2026-01-02T00:00:00Z"`},
		{"first unreadable", `{"ModifieDate":"2026-01-01T00:00:00Z","ModifiedDate":"yesterday"}`, `Modified="2026-01-01T00:00:00Z"`},
		{"two dates", `{"ModifiedDate":["2026-01-01T00:00:00Z","2026-01-02T00:00:00Z"]}`, `Modified=""`},
		{"invalid UTF-8", "{\"Title\":\"a\xffb\"}", `Title="a�b"`},
		{"lone surrogate", `{"Title":"a\ud800b"}`, `Title="a�b"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var a client.Article
			if err := json.Unmarshal([]byte(test.json), &a); err != nil {
				t.Fatal(err)
			}
			modified := ""
			if !a.ModifiedDate.IsZero() {
				modified = a.ModifiedDate.Format(time.RFC3339)
			}
			var related []string
			for _, r := range a.RelatedNews {
				related = append(related, r.ID)
			}
			got := map[string]string{
				"Title": fmt.Sprintf("%q", a.Title), "Editor": fmt.Sprintf("%q", a.Editor), "Tags": fmt.Sprintf("%#v", a.Tags),
				"Files": fmt.Sprintf("%#v", a.Files), "Related": fmt.Sprintf("%q", related), "Writers": fmt.Sprintf("%#v", a.Writers),
				"Modified": fmt.Sprintf("%q", modified),
			}
			name, want, _ := strings.Cut(test.want, "=")
			if got[name] != want {
				t.Errorf("%s is %s, want %s", name, got[name], want)
			}
		})
	}
}
