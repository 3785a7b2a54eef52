package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/server"
	"ayna/testrun/fakepaper"
)

// small is an archive of a few records in the recorded shape.
var small = []*archive.Record{
	fakepaper.Raw(record.Article,
		`{"Id":"41000001","ContentType":"Article","CreatedDate":"2026-03-01T08:00:00Z","Description":"Iğdır'da kar","Files":[],"ModifiedDate":"2026-03-05T10:00:00.52Z","Path":"/gundem/","StartDate":"2026-03-01T08:00:00Z","Tags":["kar"],"Title":"Kar yağdı","Url":"http://x.example/1"}`,
		`{"Id":"41000001", "ContentType":"Article","CreatedDate":"2026-03-01T08:00:00Z","Description":"Iğdır'da kar","Editor":"","Files":[],"ModifiedDate":"2026-03-05T10:00:00.52Z","Path":"/gundem/","RelatedNews":[],"StartDate":"2026-03-01T08:00:00Z","Tags":["kar"],"Text":"<p>IĞDIR ılık \u003cb\u003e</p>","Title":"Kar yağdı","Url":"http://x.example/1","Writers":[]}`),
	fakepaper.Raw(record.Article,
		`{"Id":"41000002","CreatedDate":"2026-03-02T08:00:00Z","Path":"/spor/","Paths":["/spor/","/kent/"],"Title":"Maç"}`,
		`{"Id":"41000002","CreatedDate":"2026-03-02T08:00:00Z","Path":"/spor/","Paths":["/spor/","/kent/"],"Text":"<p>İzmir'de yağmur</p>","Title":"Maç"}`),
	fakepaper.Raw(record.Article, `{"Id":"41000003","CreatedDate":"2026-03-03T08:00:00Z","Path":"/o'brien/","Title":"Gövdesi gelmedi"}`, ``),
	fakepaper.Raw(record.Column,
		`{"Id":"41000010","Fullname":"Işıl Öz","ContentType":"Column","CreatedDate":"2026-03-04T08:00:00Z","Path":"/yazarlar/","Title":"Köşe","WriterId":"65aa"}`,
		`{"Id":"41000010","Fullname":"Işıl Öz","Text":"<p>yağmur</p>","Title":"Köşe"}`),
	fakepaper.Raw(record.Gallery, `{"Id":"41000020","CreatedDate":"2026-03-05T08:00:00Z","Title":"Galeri"}`, `{"Id":"41000020","Title":"Galeri","Text":""}`),
	fakepaper.Raw(record.Video, `{"Id":"41000030","CreatedDate":"2026-03-06T08:00:00Z","Title":"Video"}`, `{"Id":"41000030","Title":"Video","Text":""}`),
	fakepaper.Raw(record.Page, `{"Id":"65cd","CreatedDate":"2026-01-01T00:00:00Z","Title":"Manşet","Url":"/manset"}`, `{"Id":"65cd","PageNews":[{"Id":"41000001"}],"Title":"Manşet"}`),
	fakepaper.Raw(record.Writer, `{"Id":"65aa","Fullname":"Işıl Öz","CreatedDate":"2026-01-01T00:00:00Z"}`, `{"Id":"65aa","Fullname":"Işıl Öz","RelatedNews":[]}`),
	fakepaper.Raw(record.Folder, `{"Id":"66ac","Path":"/spor/","Title":"Spor"}`, `{"Id":"66ac","Path":"/spor/","Title":"Spor"}`),
	fakepaper.Raw(record.Folder, `{"Id":"66ad","Path":"/gundem/","Title":"Gündem"}`, `{"Id":"66ad","Path":"/gundem/","Title":"Gündem"}`),
}

func openSmall(t *testing.T) *archive.Archive {
	t.Helper()
	return fakepaper.Archive(t, small...)
}

// store puts a record that arrives at a time.
func store(tx *archive.Tx, r *archive.Record, at time.Time) error {
	arrived := *r
	arrived.Listed = at
	return fakepaper.Store(tx, &arrived)
}

func newSmall(t *testing.T, options server.Options) http.Handler {
	options.Now = func() time.Time { return time.Date(2026, 11, 20, 9, 5, 7, 0, time.UTC) }
	return server.New(openSmall(t), options)
}

func list(rows ...int) string {
	var parts []string
	for _, row := range rows {
		parts = append(parts, string(small[row].List))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func get(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestAnswers(t *testing.T) {
	h := newSmall(t, server.Options{})
	tests := []struct {
		name, target string
		status       int
		body         string // whole, if it begins with [ or {; else a part
	}{
		{"articles", "/v1/articles", 200, list(2, 1, 0)},
		{"columns", "/v1/columns", 200, list(3)},
		{"galleries", "/v1/newsphotogalleries", 200, list(4)},
		{"videos", "/v1/newsvideos", 200, list(5)},
		{"pages", "/v1/pages", 200, list(6)},
		{"writers", "/v1/writers", 200, list(7)},
		{"paths, by title", "/v1/paths", 200, list(9, 8)},
		{"article", "/v1/articles/41000001", 200, string(small[0].Single)},
		{"column", "/v1/columns/41000010", 200, string(small[3].Single)},
		{"gallery", "/v1/newsphotogalleries/41000020", 200, string(small[4].Single)},
		{"video", "/v1/newsvideos/41000030", 200, string(small[5].Single)},
		{"page", "/v1/pages/65cd", 200, string(small[6].Single)},
		{"writer", "/v1/writers/65aa", 200, string(small[7].Single)},
		{"path", "/v1/paths/66ac", 200, string(small[8].Single)},
		{"date", "/v1/date", 200, `{"Date":"Fri, 20 Nov 2026 09:05:07 GMT"}`},
		{"writer as ?Id=", "/v1/writers?Id=65aa", 200, string(small[7].Single)},
		{"path as ?id=", "/v1/paths?id=66ac", 200, string(small[8].Single)},
		{"article as ?Id=", "/v1/articles?Id=41000001", 200, string(small[0].Single)},
		{"unknown ?Id=", "/v1/writers?Id=0", 404, `{"Message":"no record \"0\" in writers","HelpLink":"/v1/"}`},

		{"unknown id", "/v1/articles/9", 404, `{"Message":"no record \"9\" in articles","HelpLink":"/v1/"}`},
		{"id that is a pattern", "/v1/articles/*", 404, `{"Message":"no record \"*\" in articles","HelpLink":"/v1/"}`},
		{"id of another kind", "/v1/articles/41000010", 404, "no record"},
		{"hostile id", "/v1/articles/%27%20or%201%3D1%20--", 404, "no record"},
		{"not arrived", "/v1/articles/41000003", 503, "has not reached the archive yet"},
		{"no such operation", "/v1/news", 404, "no such operation"},

		{"eq", "/v1/articles?$filter=Path%20eq%20'/spor/'", 200, list(1)},
		{"%24 and +", "/v1/articles?%24filter=Path+eq+%27%2Fspor%2F%27", 200, list(1)},
		{"name in any case", "/v1/articles?$FILTER=Path%20eq%20'/spor/'&$Top=1", 200, list(1)},
		{"doubled quote", "/v1/articles?$filter=Path%20eq%20'/o''brien/'", 200, list(2)},
		{"Path matches one folder", "/v1/articles?$filter=Path%20eq%20'/'", 200, `[]`},
		{"Id", "/v1/articles?$filter=Id%20eq%20'41000002'", 200, list(1)},
		{"Id as a number", "/v1/articles?$filter=Id%20eq%2041000002", 200, list(1)},
		{"WriterId", "/v1/columns?$filter=WriterId%20eq%20'65aa'", 200, list(3)},
		{"path of paths", "/v1/paths?$filter=Path%20eq%20'/spor/'", 200, list(8)},
		{"modified since", "/v1/articles?$filter=ModifiedDate%20ge%20Datetime'2026-03-03T00:00:00Z'", 200, list(2, 0)},
		{"modified until", "/v1/articles?$filter=ModifiedDate%20le%20datetimeoffset'2026-03-03T11:00:00%2B03:00'", 200, list(2, 1)},
		{"modified on both sides", "/v1/articles?$filter=ModifiedDate%20ge%202026-03-03%20and%20ModifiedDate%20le%202026-03-04", 200, list(2)},
		{"and", "/v1/articles?$filter=Path%20eq%20'/spor/'%20and%20Id%20eq%20'41000001'", 200, `[]`},
		{"empty filter", "/v1/articles?$filter=", 200, list(2, 1, 0)},

		{"property of another operation", "/v1/articles?$filter=WriterId%20eq%20'65aa'", 400, "at character 1: no such property here; allowed properties are ModifiedDate, Path, Id"},
		{"unknown property", "/v1/pages?$filter=Title%20eq%20'a'", 400, "allowed properties are Id"},
		{"unknown operator", "/v1/articles?$filter=Path%20like%20'a'", 400, "$filter, at character 6: no such operator; there are eq, ne"},
		{"or, and, not, parentheses", "/v1/articles?$filter=not%20(Path%20eq%20'/spor/'%20or%20Id%20eq%20'41000003')%20and%20Path%20eq%20'/gundem/'", 200, list(0)},
		{"open quote", "/v1/articles?$filter=Path%20eq%20'/spor/", 400, "at character 9: this quote is not closed"},
		{"no value", "/v1/articles?$filter=Path%20eq", 400, "expected a property or a value"},
		{"bad date", "/v1/articles?$filter=ModifiedDate%20ge%20Datetime'yesterday'", 400, "write a date as"},
		{"unknown type", "/v1/articles?$filter=Id%20eq%20guid'1'", 400, "no such type of value"},
		{"hanging and", "/v1/articles?$filter=Id%20eq%201%20and", 400, "at character"},
		{"NUL", "/v1/articles?$filter=Path%20eq%20'%00'", 200, `[]`},
		{"injection", "/v1/articles?$filter=Path%20eq%20'a''%20or%20''1''=''1'", 200, `[]`},
		{"parentheses", "/v1/articles?$filter=" + strings.Repeat("(", 1000), 400, "at character"},
		{"too long", "/v1/articles?$filter=Path%20eq%20'" + strings.Repeat("a", 2048) + "'", 400, "longer than 2048 bytes"},

		{"$select", "/v1/articles?$select=Id,Title&$top=1", 200, `[{"Id":"41000003","Title":"Gövdesi gelmedi"}]`},
		{"$select of folders", "/v1/articles?$select=Id,Paths&$filter=Id%20eq%20'41000002'", 200, `[{"Id":"41000002","Paths":["/spor/","/kent/"]}]`},
		{"a filter goes by the main folder", "/v1/articles?$filter=Path%20eq%20'/kent/'", 200, `[]`},
		{"$select of a single, byte for byte", "/v1/articles/41000001?$select=Text", 200, `{"Text":"<p>IĞDIR ılık \u003cb\u003e</p>"}`},
		{"$select in any case, with $expand", "/v1/articles/41000001?$select=%20title%20&$expand=Files", 200, `{"Files":[],"Title":"Kar yağdı"}`},
		{"$select of what the record lacks", "/v1/writers/65aa?$select=Files", 200, `{}`},
		{"$expand alone narrows nothing", "/v1/articles/41000001?$expand=Files", 200, string(small[0].Single)},
		{"empty $select", "/v1/articles/41000001?$select=", 200, string(small[0].Single)},
		{"unknown name", "/v1/articles?$top=1&$select=Id,Nothing", 200, `[{"Id":"41000003"}]`},
		{"name of another operation", "/v1/articles/41000001?$select=WriterId", 200, string(small[0].Single)},
		{"10,000 names", "/v1/articles?$top=1&$select=" + strings.Repeat("x,", 9999) + "Id", 200, `[{"Id":"41000003"}]`},
		{"hostile name", "/v1/articles?$top=1&$select=Id%00,Title", 200, `[{"Title":"Gövdesi gelmedi"}]`},
		{"unknown relation", "/v1/articles?$top=1&$select=Id&$expand=Nothing", 200, `[{"Id":"41000003"}]`},
		{"path and option of a relation", "/v1/articles/41000001?$select=Files/FileUrl,Title($top=1)", 200, `{"Files":[],"Title":"Kar yağdı"}`},
		{"date in a relation", "/v1/pages/65cd?$select=PageNews/ModifieDate", 200, `{"PageNews":[{"Id":"41000001"}]}`},
		{"date of what has none", "/v1/pages?$select=ModifieDate", 200, list(6)},
		{"all relations", "/v1/articles/41000001?$select=Title&$expand=*", 200, `{"Files":[],"RelatedNews":[],"Title":"Kar yağdı","Writers":[]}`},

		{"$orderby", "/v1/articles?$orderby=Id", 200, list(0, 1, 2)},
		{"$orderby desc", "/v1/articles?$orderby=Path%20desc,id%20asc", 200, list(1, 2, 0)},
		{"$orderby by date", "/v1/articles?$orderby=ModifiedDate+desc", 200, list(0, 2, 1)},
		{"$orderby StartDate", "/v1/articles?%24ORDERBY=startdate", 200, list(0, 1, 2)},
		{"$orderby both dates", "/v1/articles?$orderby=StartDate%20desc,CreatedDate", 200, list(2, 1, 0)},
		{"$orderby both dates, and one twice", "/v1/articles?$orderby=StartDate,CreatedDate,startdate", 400, "once"},
		{"$orderby with a filter", "/v1/articles?$orderby=Id&$filter=Id%20gt%20'41000001'&$top=1", 200, list(1)},
		{"$orderby Title of paths", "/v1/paths?$orderby=Title%20desc", 200, list(8, 9)},
		{"empty $orderby", "/v1/articles?$orderby=", 200, list(2, 1, 0)},
		{"$orderby of nothing", "/v1/articles?$orderby=Id,", 400, "$orderby"},
		{"$orderby unknown", "/v1/articles?$orderby=Text", 400, "there are ModifiedDate, Path, Id, StartDate, CreatedDate"},
		{"$orderby twice", "/v1/articles?$orderby=Id,Id%20desc", 400, "once"},
		{"$orderby sideways", "/v1/articles?$orderby=Id%20sideways", 400, "asc or desc"},
		{"$orderby more words", "/v1/articles?$orderby=Id%20desc%20desc", 400, "$orderby"},
		{"$orderby injection", "/v1/articles?$orderby=Id%3Bdrop%20table", 400, "$orderby"},
		{"$count", "/v1/articles?$count=true&$top=1", 200, list(2)},
		{"$count nonsense", "/v1/articles?$count=maybe", 400, "$count must be false or true"},

		{"$top and $skip", "/v1/articles?$top=1&$skip=1", 200, list(1)},
		{"$top 0", "/v1/articles?$top=0", 200, `[]`},
		{"$skip beyond the end", "/v1/articles?$skip=99999999999999999999", 200, `[]`},
		{"$skip all", "/v1/articles?$skip=3", 200, `[]`},
		{"$skip of a search", "/v1/search/kar?$skip=2147483647", 200, `{"Count":1,"List":[]}`},
		{"$top 2^64", "/v1/articles?$top=18446744073709551616", 200, list(2, 1, 0)},
		{"$top -1", "/v1/articles?$top=-1", 400, `{"Message":"$top must be a whole number, 0 or more","HelpLink":"/v1/"}`},
		{"$top 1e9", "/v1/articles?$top=1e9", 400, "$top"},
		{"$top abc", "/v1/articles?$top=abc", 400, "$top"},
		{"$top empty", "/v1/articles?$top=", 200, list(2, 1, 0)},
		{"$top twice", "/v1/articles?$top=1&%24TOP=2", 400, `\"$top\" is given twice, with different values`},
		{"$skip 1.5", "/v1/articles?$skip=1.5", 400, "$skip"},
		{"bad escape", "/v1/articles?$top=%zz", 400, "the query cannot be read"},
		{"unknown parameter", "/v1/articles?$format=json&x=y&$top=1", 200, list(2)},

		{"search", "/v1/search/kar", 200, `{"Count":1,"List":[{"Id":"41000001","ContentType":"Article","CreatedDate":"2026-03-01T08:00:00Z","Description":"Iğdır'da kar","Files":[],"ModifiedDate":"2026-03-05T10:00:00.52Z","Path":"/gundem/","RelatedNews":[],"StartDate":"2026-03-01T08:00:00Z","Tags":["kar"],"Text":"<p>IĞDIR ılık \u003cb\u003e</p>","Title":"Kar yağdı","Url":"http://x.example/1"}]}`},
		{"no hit", "/v1/search/yok", 200, `{"Count":0,"List":[]}`},
		{"no word", "/v1/search/%25_*%22", 200, `{"Count":0,"List":[]}`},
		{"query language", "/v1/search/a%20OR%20NOT%20(b", 200, `{"Count":0,"List":[]}`},
		{"a slash in a keyword", "/v1/search/a%2Fb", 200, `{"Count":0,"List":[]}`},
		{"search without a keyword", "/v1/search/", 404, "no such operation"},
		{"search s=2", "/v1/search/kar?s=2", 400, "s must be"},
		{"search $top=-1", "/v1/search/kar?$top=-1", 400, "$top"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(h, "GET", test.target)
			got := w.Body.String()
			whole := strings.HasPrefix(test.body, "[") || strings.HasPrefix(test.body, "{")
			if w.Code != test.status || (whole && got != test.body) || !strings.Contains(got, test.body) {
				t.Errorf("%s\n got %d %s\nwant %d %s", test.target, w.Code, got, test.status, test.body)
			}
			if !json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
				t.Errorf("%s: %s is no JSON", w.Header().Get("Content-Type"), got)
			}
			if (w.Header().Get("Retry-After") != "") != (w.Code == http.StatusServiceUnavailable) {
				t.Errorf("Retry-After %q with status %d", w.Header().Get("Retry-After"), w.Code)
			}
		})
	}
}

func TestSearchFoldsTurkish(t *testing.T) {
	h := newSmall(t, server.Options{})
	tests := []struct{ keyword, want string }{
		{"ığdır", "41000001"}, {"IĞDIR", "41000001"}, {"igdir", "41000001"}, {"İĞDİR", "41000001"},
		{"izmir", "41000002"}, {"İZMİR", "41000002"}, {"ızmır", "41000002"}, {"IZM", "41000002"},
		{"yagmur", "41000010 41000002"}, {"YAĞMUR", "41000010 41000002"}, {"yağmur?s=-1", "41000010 41000002"},
		{"yağmur?s=1", "41000002 41000010"}, {"yağmur?$top=1", "41000010"}, {"yağmur?$top=1&$skip=1", "41000002"},
		{"izmir yağ", "41000002"}, {"yağ izmir", ""},
		{"gövdesi", "41000003"}, // what has not arrived is found by its headline
	}
	for _, test := range tests {
		word, query, _ := strings.Cut(test.keyword, "?")
		w := get(h, "GET", "/v1/search/"+escape(word)+"?"+query)
		var answer struct {
			Count int
			List  []struct{ Id string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v", test.keyword, err)
		}
		var ids []string
		for _, hit := range answer.List {
			ids = append(ids, hit.Id)
		}
		if got := strings.Join(ids, " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.keyword, got, test.want)
		}
		if strings.Contains(query, "$top") && answer.Count != 2 {
			t.Errorf("%s: Count %d, want all hits", test.keyword, answer.Count)
		}
	}
}

func escape(word string) string {
	var b strings.Builder
	for _, c := range []byte(word) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func TestTopIsCapped(t *testing.T) {
	h := server.New(fakepaper.Archive(t, requestRecords()...), server.Options{}) // 55 articles
	for target, want := range map[string]int{
		"/v1/articles": 50, "/v1/articles?$top=51": 50, "/v1/articles?$top=1000000": 50, "/v1/articles?$top=1": 1,
		"/v1/articles?$top=51&$skip=50": 5, "/v1/search/haber?$top=51": 50,
	} {
		if got := strings.Count(get(h, "GET", target).Body.String(), `"Id"`); got != want {
			t.Errorf("%s: %d records, want %d", target, got, want)
		}
	}
}

func TestNotAGet(t *testing.T) {
	h := newSmall(t, server.Options{})
	for _, target := range []string{"/v1/articles", "/v1/articles/41000001", "/v1/search/kar", "/v1/date", "/v1/openapi.json", "/v1/", "/v1/nothing"} {
		w := get(h, "POST", target)
		if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" || w.Body.String() != `{"Message":"every operation is a GET","HelpLink":"/v1/"}` {
			t.Errorf("%s: %d, Allow %q: %s", target, w.Code, w.Header().Get("Allow"), w.Body)
		}
	}
}
