package main

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// spelled returns an address in a text of JSON as some writer, editor or program spells it.
func spelled(random *rand.Rand, address string) string {
	var b strings.Builder
	for _, r := range address {
		choice := random.IntN(7)
		switch {
		case r == '/' && choice == 0:
			b.WriteString(`\/`)
		case r > 127 && choice < 2:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, [2]string{"%%%02X", "%%%02x"}[choice], c)
			}
		case (r > 127 || choice == 6) && r > 64 && choice > 1 && choice < 4:
			fmt.Fprintf(&b, `\u%04x`, r)
		case r > 127 && choice == 4:
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mentioned is a service whose records link each other by all addresses that they had, in
// whatever spelling. Needles are what must be nowhere after the first is forgotten.
func mentioned(t *testing.T, random *rand.Rand, p **workdir) (needles []string) {
	t.Helper()
	s := startUpstream(t, fakepaper.Options{Items: 12})
	paths := []string{"/yaşam/gizli-çay-bahçesi", "/أخبار/سر-gizli", "/spor/eski-gizli-ağaç"}
	id := fmt.Sprint(50000000 + random.IntN(9000000))
	needles = append(needles, id)
	version := func(path string, i int) fakepaper.Record {
		when := time.Now().Add(time.Duration(i-10) * time.Minute)
		return fakepaper.Record{
			Group: "articles", ID: id, Title: "Gizlenenbaşlık", Text: fmt.Sprintf("<p>gizlenenmetin %d</p>", i), Path: "/yasam/",
			URL: s.Base + path, Created: when, Modified: when, Pictures: []string{s.Base + fmt.Sprintf("/resim/gizli-%d.png", i)},
		}
	}
	s.Add(version(paths[0], 0))
	*p = newWorkdir(t, s, concurrency, fewFiles+"media: mirror\ncontent: {kinds: [article]}\n")
	(*p).mustBuild(t)
	for i := 1; i < len(paths); i++ {
		s.Edit("articles", id, func(r *fakepaper.Record) { *r = version(paths[i], i) })
		(*p).mustBuild(t)
	}
	for i := range 8 {
		var text strings.Builder
		for _, path := range paths {
			link := spelled(random, []string{s.Base + path, path, strings.TrimPrefix(s.Base, "http:") + path, filepath.Base(path), "../" + filepath.Base(path)}[random.IntN(5)])
			var decoded string
			if err := json.Unmarshal([]byte(`"`+link+`"`), &decoded); err != nil {
				t.Fatal(err)
			}

			needles = append(needles, link, decoded)
			fmt.Fprintf(&text, `<a href=\"%s\">bağ</a> `, link)
		}
		other := fmt.Sprint(70000000 + i)
		raw := fmt.Sprintf(`{"Id":"%s","Title":"Komşu %d","Path":"/spor/","Text":"%s","RelatedNews":[{"Id":"%s","Title":"Gizlenenbaşlık"},{"Id":"70000009"}]}`, other, i, text.String(), id)
		s.Add(fakepaper.Record{Group: "articles", ID: other, RawList: raw, RawSingle: raw})
	}
	(*p).mustBuild(t)
	return append(needles, "izlenenbaşlık", "gizlenenmetin")
}

// Whatever moment a forget is killed at, the next command, be it one that only reads, ends
// its work: no file holds the record, an address of it or a picture.
func TestForgetKilledAtAnyMoment(t *testing.T) {
	testrun.NeedsSlow(t, "kills a program many times")
	t.Parallel()
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	var p *workdir
	needles := mentioned(t, random, &p)
	if found := p.holds(t, needles); len(found) < 8 {
		t.Fatalf("before: %q", found)
	}
	pictures := len(p.tree(t, ".ayna/media"))
	record := "article/" + needles[0]
	whole := p.copy(t)
	start := time.Now()
	if c := whole.startCommand(t, "ayna", "forget", record); c.wait(t, time.Minute) != exitOK {
		t.Fatalf("%s%s", c.out, c.err)
	}
	took := time.Since(start)
	kills := testrun.Counts{Slow: 5, Long: 200}.Now()
	for i := range kills + 1 {
		one := p.copy(t)
		c := one.startCommand(t, "ayna", "forget", record)
		time.Sleep(took * time.Duration(i) / time.Duration(kills))
		c.Process.Kill()
		c.wait(t, time.Minute)
		if !one.barred(t) {
			continue // it had not begun
		}
		next := [][]string{{"pack", "zip", "--out", "site.zip"}, {"build", "--offline"}, {"backup", "copy"}, {"rollback"}, {"export", "--out", "records.jsonl"}}[i%5]
		c = one.startCommand(t, append([]string{"ayna"}, next...)...)
		if code := c.wait(t, time.Minute); code != exitOK && next[0] != "rollback" {
			t.Errorf("kill %d: %s ends with %d\n%s%s", i, next[0], code, c.out, c.err)
		}
		for name, file := range map[string]string{"pack": "site.zip"} {
			if next[0] == name {
				needle := unzipped(t, filepath.Join(one.dir, file), needles)
				if needle != "" {
					t.Errorf("kill %d: the pack holds %s", i, needle)
				}
			}
		}
		if found := one.holds(t, needles); len(found) > 0 {
			t.Errorf("kill %d, then %s: %q", i, next[0], found)
		}
		if left := len(one.tree(t, ".ayna/media")); left != pictures-3 {
			t.Errorf("kill %d, then %s: %d pictures of %d", i, next[0], left, pictures)
		}
	}
}

// Nothing is left of a post of WordPress, its draft's address and what pages embed of it
// included, with pretty and with plain permalinks.
func TestForgetPost(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, plain := range []bool{false, true} {
		s := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 6, PlainPermalinks: plain})
		p := &workdir{dir: t.TempDir()}
		config := fmt.Sprintf("title: Deneme\nbase_url: https://ayna.example/\nsource: {url: %q, kind: wordpress, per_second: 0}\n%s", s.Base, fewFiles)
		if err := os.WriteFile(filepath.Join(p.dir, "site.yaml"), []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
		category := s.AddCategory(fakepaper.Term{Name: "Yaşam", Slug: "yasam"})
		id := s.Publish(fakepaper.Post{Title: "Gizlenenbaşlık", Text: "<p>gizlenenmetin</p>", Slug: "gizli-çay", Categories: []int{category}, Sticky: true})
		addresses := []string{"/?p=" + fmt.Sprint(id)}
		if !plain {
			addresses = append(addresses, "/yasam/gizli-çay/", "/yasam/gizli-%c3%a7ay/", "/yasam/gizli-%C3%A7ay/embed/#?secret=a", "/yasam/gizli-&#231;ay/amp/")
		}
		for _, address := range addresses {
			for _, base := range []string{"", s.Base, strings.TrimPrefix(s.Base, "http:"), strings.Replace(s.Base, "//", "//www.", 1)} {
				s.Publish(fakepaper.Post{Title: "Komşu", Text: fmt.Sprintf(`<p><a href="%[1]s">bağ</a>, %[1]s</p><figure><iframe src="%[1]s"></iframe></figure>`, base+address)})
			}
		}
		p.mustBuild(t)
		needles := []string{"gizli-", "izlenenbaşlık", "gizlenenmetin", fmt.Sprint(id)}
		if found := p.copy(t).holds(t, needles); len(found) < 20 {
			t.Fatalf("before: %q", found)
		}
		if c := p.startCommand(t, "ayna", "forget", fmt.Sprintf("article/%d", id)); c.wait(t, time.Minute) != exitOK {
			t.Fatalf("%s%s", c.out, c.err)
		}
		if found := p.copy(t).holds(t, needles); len(found) > 0 {
			t.Errorf("plain permalinks %t: %q", plain, found)
		}
		if p.mustBuild(t); len(p.holds(t, needles)) > 0 {
			t.Errorf("plain permalinks %t: it came back: %q", plain, p.holds(t, needles))
		}
	}
}

// barred reports whether the list of forgotten records has one.
func (p *workdir) barred(t *testing.T) (is bool) {
	t.Helper()
	db, err := sql.Open("sqlite", p.archivePath())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(`SELECT EXISTS (SELECT 1 FROM forgotten)`).Scan(&is); err != nil {
		t.Fatal(err)
	}
	return is
}

// holds returns the files that hold one of the texts, but for reports and the lists of
// what is forgotten, of the archive and of a backup, which it empties.
func (p *workdir) holds(t *testing.T, texts []string) (found []string) {
	t.Helper()
	for _, name := range []string{p.archivePath(), filepath.Join(p.dir, "copy", "archive.db")} {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		db, err := sql.Open("sqlite", name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = db.Exec(`DELETE FROM forgotten; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)`)
		db.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	err := filepath.WalkDir(p.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), "report-") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				found = append(found, strings.TrimPrefix(name, p.dir)+": "+text)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// unzipped returns the first text that a file of a zip file holds.
func unzipped(t *testing.T, name string, texts []string) string {
	t.Helper()
	pack, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer pack.Close()
	for _, file := range pack.File {
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				return file.Name + ": " + text
			}
		}
	}
	return ""
}
