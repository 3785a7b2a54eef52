package generator_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator"
	"ayna/server/newsroom"
	"ayna/testrun"
)

// After any edits a site that is brought up to date is the one that would be
// made from nothing.
func TestRandomEdits(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	seeds, steps := 1, 3
	if testrun.Long() {
		seeds, steps = 12, 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := newPress(t)
			p.mustBuild(t, func(*generator.Options) {})
			random := rand.New(rand.NewPCG(uint64(seed), 9))
			for step := range steps {
				at := time.Date(2026, 11, 1, step, 0, 0, 0, time.UTC)
				_, made := p.edit(t, random, at)
				p.mustBuild(t, func(o *generator.Options) { o.Offline = true })
				p.checkFromNothing(t)
				t.Logf("step %d, %s", step, made)
			}
		})
	}
}

// edit makes up to four changes to the archive. It returns the ids of the records
// that it changed, and what it did.
func (p *press) edit(t *testing.T, random *rand.Rand, at time.Time) (ids []string, made string) {
	t.Helper()
	records := items(t, p.config.Archive)
	anyone := func() *archive.Record { return records[random.IntN(len(records))] }
	word := func() string { return fmt.Sprintf("kelime%d", random.IntN(1000)) }
	fields := []func() (string, any){
		func() (string, any) { return "Title", "Başlık " + word() },
		func() (string, any) { return "Description", "Spot " + word() },
		func() (string, any) { return "Text", "<p>Metin " + word() + "</p>" },
		func() (string, any) {
			return "Text", `<p>Bakınız: <a href="` + anyone().URL + `">` + word() + "</a></p>"
		},
		func() (string, any) { return "Tags", []string{word(), "kıyı"} },
		func() (string, any) { return "Editor", word() },
		func() (string, any) { return "Path", anyone().Path },
		func() (string, any) { return "StartDate", at.AddDate(0, 0, -random.IntN(300)).Format(time.RFC3339) },
		func() (string, any) { return "RelatedNews", []any{map[string]any{"Id": anyone().ID, "Title": word()}} },
		func() (string, any) {
			return "Files", []any{map[string]any{"FileUrl": "https://img.akcaliman.example/" + word() + ".jpg"}}
		},
	}
	var steps []string
	for range 1 + random.IntN(4) {
		record := anyone()
		ids = append(ids, record.ID)
		switch random.IntN(8) {
		case 0:
			id := fmt.Sprint(99000000 + random.IntN(1000000))
			ids, steps = append(ids, id), append(steps, "new "+id)
			r := newsroom.Item(archive.Article, id, "Title", "Yeni "+word(), "Path", record.Path, "CreatedDate", at.Format(time.RFC3339))
			r.Listed = at
			p.puts(t, r)
		case 1:
			steps = append(steps, "gone "+record.ID)
			p.update(t, func(tx *archive.Tx) error { return tx.MarkGone(record.Kind, record.ID, at) })
		default:
			field, value := fields[random.IntN(len(fields))]()
			steps = append(steps, field+" of "+record.ID)
			amend(t, p.config.Archive, record, map[string]any{field: value}, at)
		}
	}
	return ids, strings.Join(steps, ", ")
}

func (p *press) update(t *testing.T, change func(*archive.Tx) error) {
	t.Helper()
	a := newsroom.Open(t, p.config.Archive)
	defer a.Close()
	newsroom.Update(t, a, change)
}

// items returns the items of an archive that have texts.
func items(t *testing.T, name string) []*archive.Record {
	t.Helper()
	a := newsroom.Read(t, name)
	defer a.Close()
	var found []*archive.Record
	for r, err := range a.Catalog.Scan(t.Context(), archive.Article, archive.Column, archive.Gallery, archive.Video) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Address != "" && !r.Fetched.IsZero() {
			found = append(found, r)
		}
	}
	return found
}
