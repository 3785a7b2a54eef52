package archive_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/query"
	"ayna/record"
	"ayna/server/filter"
	"ayna/testrun/attack"
	"ayna/testrun/postgrestest"
)

// What no text of PostgreSQL can hold: documents keep every byte, and of other
// texts a record is found again by what it was stored under.
func TestHostileTexts(t *testing.T) {
	everyKind(t, func(t *testing.T, a *archive.Archive) {
		long := strings.Repeat("uzun", 5000)
		for i, id := range append(attack.For(attack.ID), "\xff\xfe", `\x41`, noise(20_000)) {
			r := article("", "başlık\x00", i)
			r.ID, r.Path, r.URL, r.Spot, r.Editor = id, "/"+id+"/", "http://x.example/"+id, id, id
			r.List = []byte("{\"Id\":\"\\u0000\xff\x00\\\"}" + id)
			r.Images, r.Lead = []string{r.URL, noise(10_000 + i)}, r.URL
			r.Text = long + " " + id + " " + noise(3000)
			r.Tags, r.Writers = []string{id}, []record.Person{{ID: id}}
			put(t, a, r, noon)
			edited := r
			edited.List = append(slices.Clone(r.List), 'x')
			put(t, a, edited, noon)
			got, err := a.Records.Get(ctx, record.Article, id)
			if err != nil || !bytes.Equal(got.List, edited.List) || got.Hash == [32]byte{} {
				t.Errorf("%.20q: %.60q, %v", id, got.List, err)
				continue
			}
			revisions, err := revisionsOf(a, got.Row)
			if err != nil || len(revisions) != 1 || !bytes.Equal(revisions[0].JSON, r.List) {
				t.Errorf("%.20q: %d revisions, %v", id, len(revisions), err)
			}
			update(t, a, func(tx *archive.Tx) error {
				if err := tx.PutMedia(archive.Media{URL: r.URL, Name: "a.jpg", Fetched: noon}); err != nil {
					return err
				}
				if err := tx.Hits.Put(id, r.List); err != nil {
					return err
				}
				if err := tx.State.SetDirectory("tag", id, "d"); err != nil {
					return err
				}
				_, err := tx.Hits.Add("q"+id, []string{id})
				return err
			})
			if media, err := a.Pictures.Of(ctx, got.Row); err != nil || len(media) != 1 {
				t.Errorf("%.20q: pictures %v, %v", id, media, err)
			}
			for _, where := range []*query.Condition{
				{Exact: true, Bounds: []query.Bound{{Property: query.ByPath, Operator: query.Equal, Value: r.Path}}},
				{Exact: true, Bounds: []query.Bound{{Property: query.ByWriter, Operator: query.Equal, Value: id}}},
				{Uses: []query.Property{query.ByPath}, Holds: func(v query.Values) bool {
					return strings.HasSuffix(v.Of(query.ByPath).(string), v.Stored(id+"/"))
				}},
			} {
				if got, err := count(a, query.Query{Kind: record.Article, Where: where}); got != 1 || err != nil {
					t.Errorf("%.20q: %d of %.60q, %v", id, got, fmt.Sprint(where.Bounds), err)
				}
			}
			if rows, err := a.Index.Saved(ctx, "q"+id, nil); err != nil || !slices.Contains(rows, got.Row) {
				t.Errorf("%.20q: hits %v, %v", id, rows, err)
			}
			update(t, a, func(tx *archive.Tx) error { return tx.ForgetForTest(record.Article, id) })
		}
		if hits, err := search(a, "baslık", false, 9, 0); err != nil || hits.Count != 0 {
			t.Errorf("forgotten, and found: %v, %v", hits, err)
		}
	})
}

// noise is text that no compression makes short.
func noise(n int) string {
	var b strings.Builder
	for i := uint64(n); b.Len() < n; {
		i = i*6364136223846793005 + 1442695040888963407
		b.WriteByte("abcdefghijklmnopqrstuvwxyz012345"[i>>59])
	}
	return b.String()
}

// Conditions and orders choose the same records in the same order everywhere.
func TestEveryKindAnswersAlike(t *testing.T) {
	file, other := open(t), openAt(t, postgrestest.Address(t))
	paths := []string{"/spor/", "/Spor/", "/ş/", "/por/", "", "/%_\\/", "/i/", "/ı/", "/Z/", "/é/"}
	for i := range 60 {
		r := article(fmt.Sprint(i), paths[i*7%len(paths)], i%5)
		r.Path = paths[i%len(paths)]
		r.Modified = noon.Add(time.Duration(i%4) * time.Hour)
		if i%4 == 3 {
			r.Modified, r.Published = time.Time{}, time.Time{}
		}
		if i%3 > 0 {
			r.Writers = []record.Person{{ID: fmt.Sprint(i % 6)}}
		}
		for _, a := range []*archive.Archive{file, other} {
			put(t, a, r, noon)
		}
	}
	properties := []query.Property{query.ByID, query.ByPath, query.ByTitle, query.ByWriter, query.ByModified, query.ByPublished}
	var conditions []string
	for i, name := range []string{"Id", "Path", "Title", "WriterId", "ModifiedDate", "StartDate"} {
		values := []string{"'/spor/'", "''", "'3'", "'/ı/'", "'/Z'"}
		if properties[i].IsDate() {
			values = []string{noon.Format(time.RFC3339), noon.Add(time.Hour).Format(time.RFC3339)}
		}
		for _, v := range values {
			for _, o := range []string{"eq", "ne", "gt", "ge", "lt", "le"} {
				c := name + " " + o + " " + v
				conditions = append(conditions, c, "not ("+c+" or Id eq '5')", c+" and Path ne '/ı/'")
			}
		}
	}
	for i, c := range conditions {
		q := query.Query{Kind: record.Article, Where: where(t, c), Limit: 20, Skip: i % 3}
		q.Order.By, q.Order.Down = []query.Property{properties[i%len(properties)]}, []bool{i%2 == 0}
		if got, want := listed(t, other, q), listed(t, file, q); got != want {
			t.Errorf("%s %+v: got %s, want %s", c, q, got, want)
		}
		n, err := count(other, q)
		want, _ := count(file, q)
		if n != want || err != nil {
			t.Errorf("%s %+v: counted %d, want %d, %v", c, q, n, want, err)
		}
	}
	if got, want := summaries(t, other), summaries(t, file); got != want {
		t.Errorf("summaries: got %s\nwant %s", got, want)
	}
}

// where returns the condition of a $filter.
func where(t *testing.T, expression string) *query.Condition {
	t.Helper()
	condition, err := filter.Parse(expression, []filter.Property{
		{Name: "Id", Archive: query.ByID}, {Name: "Path", Archive: query.ByPath}, {Name: "Title", Archive: query.ByTitle},
		{Name: "WriterId", Archive: query.ByWriter}, {Name: "ModifiedDate", Archive: query.ByModified}, {Name: "StartDate", Archive: query.ByPublished},
	}, time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	return condition
}
