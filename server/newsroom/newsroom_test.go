package newsroom_test

import (
	"maps"
	"slices"
	"testing"

	"ayna/client"
	"ayna/generator/wire"
	"ayna/server/newsroom"
)

// What a service answers reaches an archive as what Stored makes, in every shape of the
// answers.
func TestShapes(t *testing.T) {
	for name, o := range map[string]newsroom.Options{
		"as recorded":         {},
		"wrapped":             {Envelope: "value"},
		"OData":               {Envelope: "d.results", DateForm: "ticks"},
		"as in the document":  {NumericIDs: true, ModifieDate: true, UndatedSingles: true, IDInQuery: true},
		"another seed":        {Seed: 7, TopCap: 3, ShortPages: true},
		"records of a sample": {Sample: true},
	} {
		t.Run(name, func(t *testing.T) {
			o.Items, o.Key = 150, "key"
			s := newsroom.Listen(t, o)
			c, err := client.New(client.Config{BaseURL: s.Base, APIKey: "key"})
			if err != nil {
				t.Fatal(err)
			}
			titles := make(map[string]string)
			stored := s.Stored()
			a := newsroom.Archive(t, stored...)
			for _, r := range stored {
				got, err := a.Get(t.Context(), r.Kind, r.ID)
				if err != nil {
					t.Fatal(err)
				}
				single, err := c.Single(t.Context(), wire.Groups[r.Kind], r.ID)
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
