package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ayna/client"
)

func TestReadOperation(t *testing.T) {
	for address, want := range map[string]client.Operation{
		"https://api.example/v1/articles/41":               {Group: client.Articles, ID: "41"},
		"http://api.example:8080/V1/Articles/41/":          {Group: client.Articles, ID: "41"},
		"http://a/news/api/v1/articles('41')":              {Group: client.Articles, ID: "41"},
		"http://a/v1/columns(Id='4''1')":                   {Group: client.Columns, ID: "4'1"},
		"http://a/v1/writers?id=5a&apikey=x":               {Group: client.Writers, ID: "5a"},
		"http://a/v1/articles?$top=50&%24skip=100":         {Group: client.Articles},
		"http://a//v1//newsphotogalleries//":               {Group: client.Galleries},
		"http://a/v1/newsvideos/%2F%2e%2e":                 {Group: client.Videos, ID: "/.."},
		"http://a/v1/pages/1?$SELECT=Id,Title":             {Group: client.Pages, ID: "1", Select: "Id,Title"},
		"http://a/v1/paths?$select=":                       {Group: client.Paths},
		"http://a/v1/search/k%C4%B1%C5%9F?s=1":             {Keyword: "kış"},
		"http://a/web/2017/http://b/v1/articles/41?x=%zz&": {Group: client.Articles, ID: "41"},
		"http://a/v1/articles/v1":                          {Group: client.Articles, ID: "v1"},
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := client.ReadOperation(u); !ok || got != want {
			t.Errorf("%s: %+v, %t, want %+v", address, got, ok, want)
		}
	}
	for _, address := range []string{
		"", "http://a/", "http://a/articles/41", "http://a/v2/articles/41", "http://a/v1", "http://a/v1/", "http://a/v1/date", "http://a/v1/search",
		"http://a/v1/articles/41/pictures", "http://a/v1/articles/$count", "http://a/v1/polls/1", "http://a/?x=/v1/articles/41", "mailto:v1/articles",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := client.ReadOperation(u); ok {
			t.Errorf("%s: %+v", address, got)
		}
	}
}

func TestReadCaptured(t *testing.T) {
	const key = "0123456789abcdef0123"
	for _, test := range []struct {
		name, path, media, body string
		want                    string // the records
		skipped                 int
		err                     error
	}{
		{"single", "/v1/articles/1", "application/json", ` {"Id":"1", "Title":"x"} `, `{"Id":"1", "Title":"x"}`, 0, nil},
		{"number", "/v1/articles/1", "", `[{"Id":1}]`, `{"Id":1}`, 0, nil},
		{"another record", "/v1/articles/1", "", `{"Id":"2"}`, "", 0, client.ErrOther},
		{"list", "/v1/articles", "", `{"value":[{"Id":"1"},5,{"Id":"2"}]}`, `{"Id":"1"} {"Id":"2"}`, 1, nil},
		{"search", "/v1/search/x", "", `{"Count":1,"List":[{"Id":"1"}]}`, `{"Id":"1"}`, 0, nil},
		{"declared encoding", "/v1/articles/1", "application/json; charset=iso-8859-9", "{\"Id\":\"1\",\"Title\":\"\xfe\"}", `{"Id":"1","Title":"ş"}`, 0, nil},
		{"HTML", "/v1/articles/1", "text/html", `{"Id":"1"}`, "", 0, client.ErrNotJSON},
		{"HTML as JSON", "/v1/articles", "application/json", `<html>`, "", 0, client.ErrNotJSON},
		{"nothing", "/v1/articles", "", ``, "", 0, client.ErrNotJSON},
		{"error", "/v1/articles/1", "", `{"Message":"yok"}`, "", 0, client.ErrShape},
		{"key of the address", "/v1/articles/1?ApiKey=" + key, "", `{"Id":"1","x":"` + key + `"}`, "", 0, client.ErrSecret},
		{"key in a list", "/v1/articles?apikey=" + key, "", `[{"Id":"1","x":"` + key + `"},{"Id":"2"}]`, `{"Id":"2"}`, 1, nil},
	} {
		u, err := url.Parse("http://api.example" + test.path)
		if err != nil {
			t.Fatal(err)
		}
		o, _ := client.ReadOperation(u)
		got, err := client.ReadCaptured(u, o, http.Header{"Content-Type": {test.media}, "Content-Encoding": {"gzip"}}, []byte(test.body))
		var records []string
		for _, r := range got.Records {
			records = append(records, string(r))
			if !json.Valid(r) {
				t.Errorf("%s: %s", test.name, r)
			}
		}
		if text := strings.Join(records, " "); text != test.want || got.Skipped != test.skipped || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%s: %s, %d skipped, %v", test.name, text, got.Skipped, err)
		}
		if strings.Contains(strings.Join(records, " ")+errorText(err), key) {
			t.Errorf("%s: the key is in %s, %v", test.name, records, err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
