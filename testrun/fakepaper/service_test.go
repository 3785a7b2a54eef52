package fakepaper_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"

	"ayna/client"
	"ayna/record"
	"ayna/server"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A search of the sample finds what the server finds in an archive of it.
func TestSearchOfSample(t *testing.T) {
	testrun.NotShort(t)
	const base = "http://haber.example"
	archived, err := server.Sample(t.Context(), base)
	if err != nil {
		t.Fatal(err)
	}
	news := fakepaper.New(fakepaper.Options{Sample: true, Base: base})
	for _, keyword := range []string{"liman", "LİMAN", "körfez", "deniz", "Işıl", "son çey", "yokböyle"} {
		var hits [2][]string
		for i, h := range []http.Handler{archived, news} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/v1/search/"+url.PathEscape(keyword)+"?$top=50", nil))
			var answer struct {
				Count int
				List  []client.Hit
			}
			if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
				t.Fatalf("%s: %s", keyword, w.Body)
			}
			hits[i] = []string{fmt.Sprint(answer.Count)}
			for _, hit := range answer.List {
				hits[i] = append(hits[i], fmt.Sprintf("%s %.20s %.20s", hit.ID, hit.Title, hit.Text))
			}
		}
		if !slices.Equal(hits[0], hits[1]) {
			t.Errorf("%s: in the archive\n%q\nin the service\n%q", keyword, hits[0], hits[1])
		}
	}
}

// What a service answers reaches an archive as what Stored makes, in every shape of the
// answers.
func TestShapes(t *testing.T) {
	for name, o := range map[string]fakepaper.Options{
		"as recorded":         {},
		"wrapped":             {Envelope: "value"},
		"OData":               {Envelope: "d.results", DateForm: "ticks"},
		"as in the document":  {NumericIDs: true, ModifieDate: true, UndatedSingles: true, IDInQuery: true},
		"another seed":        {Seed: 7, TopCap: 3, ShortPages: true},
		"records of a sample": {Sample: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.Items, o.Key = 150, "key"
			s := fakepaper.Listen(t, o)
			c, err := client.New(client.Config{BaseURL: s.Base, APIKey: "key"})
			if err != nil {
				t.Fatal(err)
			}
			titles := make(map[string]string)
			stored := s.Stored()
			a := fakepaper.Archive(t, stored...)
			for _, r := range stored {
				got, err := a.Records.Get(t.Context(), r.Kind, r.ID)
				if err != nil {
					t.Fatal(err)
				}
				single, err := c.Single(t.Context(), record.Groups[r.Kind], r.ID)
				if err != nil || string(single) != string(got.Single) {
					t.Fatalf("%s %s: %v, %s, want %s", r.Kind, r.ID, err, single, got.Single)
				}
				titles[string(r.Kind)+"/"+r.ID] = got.Title
			}
			n := 0
			for article, err := range c.Articles(t.Context(), client.Query{}) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; titles["article/"+article.ID] == "" {
					t.Errorf("article %s of the list has no title", article.ID)
				}
			}
			if !o.Sample && n != 90 || len(titles) < 150 || len(slices.Compact(slices.Sorted(maps.Values(titles)))) < 140 {
				t.Errorf("%d articles, %d records, %d titles", n, len(titles), len(slices.Compact(slices.Sorted(maps.Values(titles)))))
			}
		})
	}
}
