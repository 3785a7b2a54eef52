package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
	"ayna/server"
	"ayna/testrun/fakepaper"
)

// lenientRecords are those of the table below: titles of folders and ids that a
// client does not expect.
var lenientRecords = append([]*archive.Record{
	fakepaper.Raw(record.Article, `{"Id":"41","CreatedDate":"2026-02-01T07:00:00Z","Title":"Boşluksuz"}`, `{"Id":"41","Title":"Boşluksuz"}`),
	fakepaper.Raw(record.Article, `{"Id":"a/b","CreatedDate":"2026-02-01T06:00:00Z","Title":"Bölülü"}`, `{"Id":"a/b","Title":"Bölülü"}`),
	fakepaper.Raw(record.Article, `{"Id":"o'c","CreatedDate":"2026-02-01T05:00:00Z","Title":"Körfez"}`, `{"Id":"o'c","Title":"Körfez","Text":"<p>KÖRFEZ’de şölen</p>"}`),
	fakepaper.Raw(record.Folder, `{"Id":"66b1","Path":"/ozellestirme/","Title":" Özelleştirme"}`, ``),
	fakepaper.Raw(record.Folder, `{"Id":"66b2","Path":"/10-kasim/","Title":"10 Kasım"}`, ``),
	fakepaper.Raw(record.Folder, `{"Id":"66b3","Path":"/cevre/","Title":"Çevre"}`, ``),
	fakepaper.Raw(record.Folder, `{"Id":"66b4","Path":"/emlak/","Title":"emlak"}`, ``),
}, small...)

func openLenient(t *testing.T) *archive.Archive {
	t.Helper()
	a := fakepaper.Archive(t, lenientRecords...)
	blank := []byte(`{"Id":"41 ","Title":"Boşlukla biten"}`)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		_, err := tx.Put(&archive.Record{Record: record.Record{Kind: record.Article, ID: "41 ", Answers: record.Answers{List: blank, Single: blank}}, Progress: archive.Progress{Listed: later, Fetched: later}}, later)
		return err
	})
	return a
}

// Each request of old clients has the answer of the documented request beside it.
func TestOldClientsAreAnswered(t *testing.T) {
	h := server.New(openLenient(t), server.Options{})
	tests := []struct{ name, target, same string }{
		{"trailing slash of a list", "/v1/articles/", "/v1/articles"},
		{"trailing slash before parameters", "/v1/articles/?%24top=4", "/v1/articles?$top=4"},
		{"trailing slash of a record", "/v1/articles/41000001/?apikey=x", "/v1/articles/41000001"},
		{"trailing slash of the date", "/v1/date/", "/v1/date"},
		{"trailing slash of a search", "/v1/search/kar/", "/v1/search/kar"},
		{"trailing slash of the description", "/v1/openapi.json/", "/v1/openapi.json"},
		{"two trailing slashes", "/v1/columns//", "/v1/columns"},
		{"doubled slash in front", "//v1/writers", "/v1/writers"},
		{"doubled slash after the version", "/v1//writers", "/v1/writers"},
		{"doubled slash before an id", "/v1/writers//65aa", "/v1/writers/65aa"},
		{"doubled slashes everywhere", "///v1//paths///66ac//", "/v1/paths/66ac"},
		{"no slash after the version", "/v1", "/v1/"},
		{"names of groups in any case", "/v1/NewsVideos/41000030", "/v1/newsvideos/41000030"},
		{"an id that ends in a blank", "/v1/articles/41%20/", "/v1/articles?Id=41%20"},
		{"an id that ends in no blank", "/v1/articles/41/", "/v1/articles?Id=41"},
		{"an id with a slash", "/v1/articles/a%2Fb/", "/v1/articles?Id=a/b"},
		{"a keyword with a slash", "/v1/search/%2Fkar%2F/", "/v1/search/kar"},
		{"the same $top twice", "/v1/articles?$top=2&$top=2", "/v1/articles?$top=2"},
		{"the same key twice", "/v1/articles?apikey=x&$top=2&APIKEY=x&%24top=2", "/v1/articles?$top=2"},
		{"$select of nothing", "/v1/articles?$select=-1", "/v1/articles"},
		{"$select of all", "/v1/articles/41000001?$select=*", "/v1/articles/41000001"},
		{"$select of all and one", "/v1/articles?$select=*,Id", "/v1/articles"},
		{"$expand of all", "/v1/articles?$expand=*", "/v1/articles"},
		{"$select of an unknown name and one", "/v1/articles?$select=Spot,Title", "/v1/articles?$select=Title"},
		{"Windows-1254, encoded", "/v1/search/k%F6rfez", "/v1/search/k%C3%B6rfez"},
		{"Windows-1254, capitals", "/v1/search/K%D6RFEZ", "/v1/search/k%C3%B6rfez"},
		{"Windows-1254, Turkish letters", "/v1/search/%FE%F6len", "/v1/search/%C5%9F%C3%B6len"},
		{"bytes of both", "/v1/search/k%F6rfez%20%C5%9F%C3%B6len", "/v1/search/k%C3%B6rfez%20%C5%9F%C3%B6len"},
		{"OData's key", "/v1/articles('41000001')", "/v1/articles/41000001"},
		{"OData's key, a number", "/v1/articles(41000001)/?$select=Id,Title", "/v1/articles/41000001?$select=Id,Title"},
		{"OData's key, named and encoded", "/v1/articles%28Id%3D%2741000001%27%29", "/v1/articles/41000001"},
		{"OData's key with a quote", "/v1/articles('o''c')", "/v1/articles?Id=o'c"},
		{"OData's key with a slash", "/v1/articles('a%2Fb')", "/v1/articles?Id=a/b"},
		{"small t and z", "/v1/articles?$filter=ModifiedDate%20ge%202026-03-05t00:00:00z", "/v1/articles?$filter=ModifiedDate%20ge%202026-03-05T00:00:00Z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, want := get(h, "GET", test.target), get(h, "GET", test.same)
			if want.Code != 200 || want.Body.Len() < 25 {
				t.Fatalf("%s: %d %s", test.same, want.Code, want.Body)
			}
			if got.Code != 200 || got.Body.String() != want.Body.String() {
				t.Errorf("%s\n got %d %s\nwant %s", test.target, got.Code, got.Body, want.Body)
			}
		})
	}
}

// Answers that old clients rely on, and requests that name no record, keyword or
// operation.
func TestAnswersForOldClients(t *testing.T) {
	h := server.New(openLenient(t), server.Options{})
	tests := []struct {
		name, target string
		status       int
		body         string
	}{
		{"a slash that is not encoded", "/v1/articles/a/b", 404, "no such operation"},
		{"a blank is a keyword without words", "/v1/search/%20/", 200, `{"Count":0,"List":[]}`},
		{"no keyword", "/v1/search//", 404, "no such operation"},
		{"dots are an id", "/v1/articles/..", 404, `no record \"..\"`},
		{"encoded dots are an id", "/v1/x/%2e%2e/articles", 404, "no such operation"},
		{"two values", "/v1/articles?$top=20&$top=21", 400, `\"$top\" is given twice, with different values`},
		{"two values, one of them empty", "/v1/articles?$top=20&$top=", 400, "twice"},
		{"folders in the byte order of their titles", "/v1/paths?$select=Title", 200,
			`[{"Title":" Özelleştirme"},{"Title":"10 Kasım"},{"Title":"Gündem"},{"Title":"Spor"},{"Title":"emlak"},{"Title":"Çevre"}]`},
		{"a count", "/v1/articles/$count", 200, "7"},
		{"a count that is narrowed, not cut", "/v1/articles/%24count/?$filter=Id%20lt%20'41000004'%20and%20Id%20ge%20'4100'&$top=1", 200, "3"},
		{"a count with a bad filter", "/v1/articles/$count?$filter=Text%20eq%20'a'", 400, "no such property"},
		{"a key that is not closed", "/v1/articles('41000001'", 404, "no such operation"},
		{"a key without a value", "/v1/articles()", 404, "no such operation"},
		{"an error names the help", "/v1/articles/9", 404, `{"Message":"no record \"9\" in articles","HelpLink":"/v1/"}`},
		{"so does that of a parameter", "/v1/articles?$top=x", 400, `"HelpLink":"/v1/"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(h, "GET", test.target)
			if w.Code != test.status || !strings.Contains(w.Body.String(), test.body) {
				t.Errorf("%s\n got %d %s\nwant %d %s", test.target, w.Code, w.Body, test.status, test.body)
			}
		})
	}
}

// Every answer has the headers of the quota, and their values fit 32 bits.
func TestQuotaIsAlwaysAnnounced(t *testing.T) {
	const most = "1000000000"
	open := server.New(openSmall(t), server.Options{})
	keyed := server.New(openSmall(t), server.Options{APIKey: "k", PerHour: 500})
	tests := []struct {
		name         string
		h            http.Handler
		target       string
		status       int
		second, hour string
	}{
		{"list", open, "/v1/articles", 200, most, most},
		{"unknown record", open, "/v1/articles/9", 404, most, most},
		{"bad parameter", open, "/v1/articles?$top=x", 400, most, most},
		{"no operation", open, "/v1/nothing", 404, most, most},
		{"description", open, "/v1/", 200, most, most},
		{"no key", keyed, "/v1/date", 401, most, "500"},
		{"key", keyed, "/v1/date?apikey=k", 200, most, "499"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := get(test.h, "GET", test.target)
			limit := map[bool]string{true: most, false: "500"}[test.hour == most]
			if w.Code != test.status || spelled(w, "X-RateLimit-Limit-second") != most || spelled(w, "X-RateLimit-Remaining-second") != test.second ||
				spelled(w, "X-RateLimit-Limit-hour") != limit || spelled(w, "X-RateLimit-Remaining-hour") != test.hour {
				t.Errorf("%d %v", w.Code, w.Header())
			}
		})
	}
}

// The server's parts agree on which paths are the API's.
func TestSplitByPath(t *testing.T) {
	part := func(name string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Part", name) })
	}
	h := server.Split(part("api"), part("health"), part("site"))
	for target, want := range map[string]string{
		"/v1": "api", "/v1/": "api", "//v1/date": "api", "///v1": "api", "/v1//date": "api", "/v12/": "site", "/x/v1/": "site", "/healthz": "health", "//healthz": "site", "/": "site",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://x"+target, nil))
		if got := w.Header().Get("Part"); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}

// Lists of a source that has no summaries there show those of single records.
func TestListsHaveSummaries(t *testing.T) {
	poor, rest := `{"Id":"5","CreatedDate":"2026-02-01T07:00:00Z","Title":"Ad"`, `"Description":"Özet","Files":[{"FileUrl":"http://x.example/5.jpg"}]`
	h := server.New(fakepaper.Archive(t,
		fakepaper.Raw(record.Article, poor+"}", `{"Id":"5","Title":"Ad",`+rest+`,"Text":"<p>Söz</p>"}`),
		fakepaper.Raw(record.Article, `{"Id":"4","CreatedDate":"2026-02-01T06:00:00Z"}`, ``),
		fakepaper.Raw(record.Column, `{"Id":"6","Title":"Köşe","Description":""}`, `{"Id":"6","Title":"Köşe","Description":"Başka"}`),
	), server.Options{})
	for target, want := range map[string]string{
		"/v1/articles":                         "[" + poor + "," + rest + `},{"Id":"4","CreatedDate":"2026-02-01T06:00:00Z"}]`,
		"/v1/articles?$top=1&$select=Id,Files": `[{"Id":"5","Files":[{"FileUrl":"http://x.example/5.jpg"}]}]`,
		"/v1/articles?$skip=1":                 `[{"Id":"4","CreatedDate":"2026-02-01T06:00:00Z"}]`,
		"/v1/columns":                          `[{"Id":"6","Title":"Köşe","Description":""}]`,
	} {
		if w := get(h, "GET", target); w.Body.String() != want {
			t.Errorf("%s: %s, want %s", target, w.Body, want)
		}
	}
}
