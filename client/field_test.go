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
		t.Run("D06 D64 "+test.json, func(t *testing.T) {
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
		{"D05 text from number", `{"Title":5}`, `Title="5"`},
		{"D05 text from a long number", `{"Title":12345678901234567890}`, `Title="12345678901234567890"`},
		{"D05 text from bool", `{"Title":true}`, `Title="true"`},
		{"D05 text from array", `{"Editor":["A",2,null,["x"]]}`, `Editor="A, 2"`},
		{"D05 text from object", `{"Editor":{"Name":"Ela","Title":"Ş"}}`, `Editor="Ela"`},
		{"D05 text from a strange object", `{"Editor":{"Name":{"Name":"Ela"}}}`, `Editor=""`},
		{"D05 text from null", `{"Title":null,"Description":null,"Text":null}`, `Title=""`},
		{"D05 tags from text", `{"Tags":" a, ,b,"}`, `Tags=[]string{"a", "b"}`},
		{"D05 tags from number", `{"Tags":7}`, `Tags=[]string{"7"}`},
		{"D05 tags of objects", `{"Tags":[{"Title":"a"},{"Name":"b"},"",null,3]}`, `Tags=[]string{"a", "b", "3"}`},
		{"D05 no tags", `{"Tags":null}`, `Tags=[]string(nil)`},
		{"D05 empty tags", `{"Tags":""}`, `Tags=[]string{}`},
		{"D05 files from object", `{"Files":{"FileUrl":" http://a \n","Metadata":{"Title":"x\r\n"}}}`, `Files=[]client.File{client.File{URL:"http://a", Title:"x", Description:""}}`},
		{"D05 files from empty object", `{"Files":{}}`, `Files=[]client.File{}`},
		{"D05 files from text", `{"Files":"http://a"}`, `Files=[]client.File{client.File{URL:"http://a", Title:"", Description:""}}`},
		{"D05 odd files", `{"Files":[null,1,{"FileUrl":null},{"fileurl":"http://a","metadata":[]}]}`, `Files=[]client.File{client.File{URL:"http://a", Title:"", Description:""}}`},
		{"D18 files null", `{"Files":null}`, `Files=[]client.File(nil)`},
		{"D18 files missing", `{}`, `Files=[]client.File(nil)`},
		{"D18 files empty", `{"Files":[]}`, `Files=[]client.File{}`},
		{"D05 related from object", `{"RelatedNews":{"Id":1}}`, `Related=["1"]`},
		{"D05 related odd", `{"RelatedNews":["1",null,{"Id":2}]}`, `Related=["2"]`},
		{"D05 writers from text", `{"Writers":"Ela"}`, `Writers=[]client.Writer{}`},
		{"D28 other case", `{"id":"a","TITLE":"b"}`, `Title="b"`},
		{"D28 exact name wins", `{"TITLE":"b","Title":"a","title":"c"}`, `Title="a"`},
		{"D28 exact name null", `{"TITLE":"b","Title":null}`, `Title=""`},
		{"D28 first of several cases", `{"title":"c","TITLE":"a","tITLE":"b"}`, `Title="a"`},
		{"D28 twice", `{"Title":"a","Title":"b"}`, `Title="b"`},
		{"D19 empty date of .NET", `{"ModifiedDate":"0001-01-01T00:00:00"}`, `Modified=""`},
		{"D20 both spellings", `{"ModifieDate":"2026-01-01T00:00:00Z","ModifiedDate":"2026-01-02T00:00:00Z"}`, `Modified="2026-01-02T00:00:00Z"`},
		{"D20 first unreadable", `{"ModifieDate":"2026-01-01T00:00:00Z","ModifiedDate":"yesterday"}`, `Modified="2026-01-01T00:00:00Z"`},
		{"D21 bad date", `{"ModifiedDate":["2026-01-01T00:00:00Z"]}`, `Modified=""`},
		{"D34 invalid UTF-8", "{\"Title\":\"a\xffb\"}", `Title="a�b"`},
		{"D34 lone surrogate", `{"Title":"a\ud800b"}`, `Title="a�b"`},
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
