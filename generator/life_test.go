package generator_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/arrange"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/record"
	"ayna/templates"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// TestLife plays lives of sites: steps of random edits, after each of which a build that keeps
// files gives the same tree as one from nothing. A third of the lives mirrors a WordPress, a
// third a Ghost, and the others have records of the Read API.
func TestLife(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	lives, steps := testrun.Counts{Plain: 4, Slow: 8, Long: 60}.Now(), testrun.Counts{Plain: 9, Slow: 12, Long: 100}.Now()
	compared, kept, reread := 0, 0, 0
	for seed := range uint64(lives) {
		l := newSiteLife(t, seed)
		for step := range steps {
			done := l.change()
			files, n := l.compare()
			compared, kept = compared+files, kept+n
			if t.Failed() {
				t.Fatalf("life %d, step %d: %s", seed, step, done)
			}
		}
		reread += l.reread
	}
	t.Logf("%d lives of %d steps: %d files compared, %d of them kept, %d records read again", lives, steps, compared, kept, reread)
	if kept < compared/4 {
		t.Errorf("%d of %d files were kept", kept, compared)
	}
}

type siteLife struct {
	*press
	*rand.Rand
	t        *testing.T
	records  []*archive.Record
	settings map[string]string // lines of site.yaml
	version  int               // of the program
	made     int
	reread   int          // records
	at       time.Time    // now
	paper    *livingPaper // that the archive mirrors; nil if its records are put there
}

func newSiteLife(t *testing.T, seed uint64) *siteLife {
	p, err := openPress(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := &siteLife{press: p, Rand: rand.New(rand.NewPCG(seed, 8)), t: t, at: fakepaper.Newest.AddDate(0, 0, 2), settings: map[string]string{
		"language": []string{"tr", "tr", "en", "ar", "de"}[seed%5],
		"markdown": fmt.Sprint(seed%2 == 0), "search": fmt.Sprintf("{texts: %t}", seed%4 < 2),
		"searches": "[haber, {title: Köprü, query: köprü}]", "feeds": mixesOfLife[0],
		"media": "link", "widths": "[]", "compress": "[]", "base_url": "https://ayna.example/haber/",
	}}
	if seed%3 > 0 {
		l.settings["media"] = "mirror"
		l.settings["attachments"] = []string{"{}", "{kinds: [document]}"}[seed%3%2]
	}
	if seed%4 == 3 {
		l.settings["compress"], l.settings["widths"] = "[gzip, zstd]", "[16]"
	}
	if err := os.MkdirAll(filepath.Join(p.dir, "whole", "media"), 0o755); err != nil {
		t.Fatal(err)
	}
	if l.paper = l.openPaper(seed); l.paper != nil {
		l.configure()
		l.sync()
		return l
	}
	l.configure()
	for i := range 4 {
		l.put(fakepaper.Fields(record.Folder, fmt.Sprint(700+i), "Path", l.folder(i), "Title", l.words()))
		l.put(fakepaper.Fields(record.Writer, fmt.Sprint(800+i), "ContentType", "PersonContainer", "Fullname", fmt.Sprint("Yazar ", i), "Files", l.pictures()))
	}
	for range 60 + seed%2*80 {
		l.put(l.item())
	}
	l.put(fakepaper.Fields(record.Page, "900", "Title", "Manşet", "PageNews", []any{l.reference(), l.reference()}))
	for i := range 3 {
		l.put(fakepaper.Fields(record.Article, fmt.Sprint(950+i), "ContentType", "Page", "Title", l.words(), "ParentId", []string{"", "950", "950"}[i],
			"Order", i, "Url", fmt.Sprintf("http://www.haber.example/kurum-%d/", i), "Text", l.value("Text"), "CreatedDate", "2026-03-14T09:00:00Z"))
	}
	return l
}

// mixesOfLife and the rest of the values of settings that change in a life.
var (
	mixesOfLife    = []string{"{mixes: [{title: Karma, include: [/spor/, \"tag:liman\"]}]}", "{mixes: [{title: Karma, include: [/kent/, \"word:haber\"]}]}"}
	settingsOfLife = map[string][]string{
		"title": {"Kıyı", "Körfez"}, "description": {"Bir", "İki"}, "timezone": {"UTC", "Asia/Tokyo"}, "navigation": {"[]", "[/kent/, /spor/]"},
		"markdown": {"true", "false"}, "media": {"mirror", "link"}, "compress": {"[]", "[gzip]"}, "feeds": mixesOfLife,
		"search": {"{texts: true}", "{texts: false}"}, "footer": {"Bir", `"*İki*"`}, "templates": {`""`, "theme"},
	}
)

// configure reads site.yaml anew, as the settings are now.
func (l *siteLife) configure() {
	l.t.Helper()
	var lines strings.Builder
	for _, key := range slices.Sorted(maps.Keys(l.settings)) {
		fmt.Fprintf(&lines, "%s: %s\n", key, l.settings[key])
	}
	theme, err := templates.FS.ReadFile("layout.html")
	if err == nil {
		err = os.MkdirAll(filepath.Join(l.dir, "theme"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(l.dir, "theme", "layout.html"), bytes.ReplaceAll(theme, []byte("</body>"), fmt.Appendf(nil, "<!--%d--></body>", l.made%3)), 0o644)
	}
	name := filepath.Join(l.dir, "life.yaml")
	if err == nil {
		err = os.WriteFile(name, []byte(lines.String()), 0o644)
	}
	output, kept := l.config.Output, l.config.Archive
	if err == nil {
		l.config, err = config.Load(name, func(string) (string, bool) { return fakepaper.GhostKey, true })
	}
	if err != nil {
		l.t.Fatal(err)
	}
	l.config.Output, l.config.Archive, l.config.Comments = output, kept, config.MirrorComments
	if l.config.Templates != "" {
		l.config.Templates = filepath.Join(l.dir, "theme")
	}
}

// change makes a random change, and returns what it did.
func (l *siteLife) change() string {
	l.t.Helper()
	hidden := filepath.Join(l.dir, ".public.ayna", []string{"keys", arrange.KeptName}[l.IntN(2)])
	r := l.records[l.IntN(len(l.records))]
	l.at = l.at.Add(time.Duration(1+l.IntN(30)) * time.Hour)
	switch n := l.IntN(46); {
	case l.paper != nil && (n < 5 || n > 16 && n < 36):
		return l.changePaper()
	case n >= 42:
		return l.comment(r.ID)
	case n >= 40:
		return l.damage(r)
	case n == 39:
		l.version++
		return "another program"
	case n >= 36:
		keys := slices.Sorted(maps.Keys(settingsOfLife))
		key := keys[l.IntN(len(keys))]
		l.settings[key] = settingsOfLife[key][l.IntN(2)]
		l.configure()
		return key + " " + l.settings[key]
	case n < 5:
		for range 1 + l.IntN(3) {
			l.put(l.item())
		}
		return "new items"
	case n < 9:
		name := fmt.Sprintf("aa%02d.png", l.IntN(40))
		for _, file := range []string{name, name[:4] + ".pdf"} {
			if err := os.WriteFile(filepath.Join(l.dir, "whole", "media", file), fakepaper.PNG(8+l.IntN(60), 9), 0o644); err != nil {
				l.t.Fatal(err)
			}
		}
		m := archive.Media{URL: fmt.Sprintf("http://img.haber.example/%d.png", l.IntN(40)), Name: name, Type: "image/png", Width: 1 + l.IntN(90), Height: 9, Bytes: 99, Fetched: fakepaper.Noon}
		if l.config.Attached && n > 6 {
			m.URL, m.Name, m.Type, m.Width, m.Height = fmt.Sprintf("http://img.haber.example/%d.pdf", l.IntN(9)), name[:4]+".pdf", "application/pdf", 0, 0
		}
		update(l.t, l.config.Archive, func(tx *archive.Tx) error { return tx.PutMedia(m) })
		return "picture " + m.URL
	case n < 11:
		update(l.t, l.config.Archive, func(tx *archive.Tx) error { return tx.MarkGone(r.Kind, r.ID, fakepaper.Noon) })
		return "gone " + r.ID
	case n < 12:
		l.mustForget(l.t, r)
		l.records = slices.DeleteFunc(l.records, func(other *archive.Record) bool { return other == r })
		return "forget " + r.ID
	case n < 13:
		content, err := os.ReadFile(hidden)
		if err == nil && len(content) > 0 {
			content[l.IntN(len(content))] ^= 1 << l.IntN(8)
			err = os.WriteFile(hidden, content[:len(content)-l.IntN(2)], 0o644)
		}
		return fmt.Sprint("damaged ", hidden, err)
	case n < 14:
		return fmt.Sprint("rollback ", output.Rollback(l.config.Output))
	case n < 15:
		return "nothing"
	case n < 17:
		return l.replaceArchive()
	}
	field, value := fieldsOfLife[l.IntN(len(fieldsOfLife))], any(l.words())
	switch r.Kind {
	case record.Folder, record.Page:
		field = "Title"
	case record.Writer:
		if field = "Fullname"; l.IntN(2) == 0 {
			field, value = "Files", l.pictures()
		}
	default:
		value = l.value(field)
	}
	l.put(fakepaper.With(r, field, value))
	return fmt.Sprint(field, " of ", r.Kind, " ", r.ID, ": ", value)
}

// damage damages a record, so that its files fail or have a replacement, builds the site, and
// makes the record whole again.
func (l *siteLife) damage(r *archive.Record) string {
	l.t.Helper()
	const rows = " WHERE row IN (SELECT row FROM record WHERE kind = ? AND id = ?)"
	l.exec("UPDATE raw SET single = replace(single, 'haber', 'rebah')"+rows, string(r.Kind), r.ID)
	l.exec("DELETE FROM body"+rows, string(r.Kind), r.ID)
	failed := 0
	if report, err := l.build(l.t.Context(), l.offlineOptions); err == nil {
		failed = len(report.Files.Failed)
	}
	if l.paper == nil && l.IntN(2) == 0 {
		l.put(fakepaper.With(r, "Title", l.words()))
	} else { // it is what it was
		l.exec("UPDATE raw SET single = replace(single, 'rebah', 'haber')"+rows, string(r.Kind), r.ID)
	}
	return fmt.Sprintf("damaged %s %s, %d files failed", r.Kind, r.ID, failed)
}

// exec changes the archive behind the program's back.
func (l *siteLife) exec(statement string, arguments ...any) {
	l.t.Helper()
	db, err := sql.Open("sqlite", l.config.Archive)
	if err == nil {
		_, err = db.Exec(statement, arguments...)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *siteLife) offlineOptions(o *generator.Options) {
	o.Offline, o.AllowDelete, o.Version = true, 1, fmt.Sprint("program ", l.version)
	o.Now = func() time.Time { return l.at }
}

// compare builds the site, and compares it with one from nothing, as is another site of the
// archive that is built now and then. It returns how many files they have, and how many of them
// were kept.
func (l *siteLife) compare() (files, kept int) {
	l.t.Helper()
	build := func(output string) (map[string][]byte, *generator.Report) {
		report := l.mustBuild(l.t, func(o *generator.Options) {
			l.offlineOptions(o)
			o.Config.Output = output
		})
		if report.Reread != nil {
			l.reread += report.Reread.Records
		}
		return treeOf(l.t, output), report
	}
	outputs := []string{l.config.Output}
	if l.IntN(3) == 0 {
		outputs = append(outputs, filepath.Join(l.dir, "another", "public"))
	}
	var want map[string][]byte
	for _, output := range outputs {
		got, report := build(output)
		if want == nil {
			want, _ = build(filepath.Join(l.t.TempDir(), "fresh"))
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if !bytes.Equal(got[name], want[name]) && name != site.Manifest {
				l.t.Errorf("%s: %s is stale", output, name)
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok && !strings.HasPrefix(name, site.AssetsDir) {
				l.t.Errorf("%s: %s should not be there", output, name)
			}
		}
		if len(report.Files.Differing) > 0 {
			l.t.Errorf("%s: kept files differ: %v", output, report.Files.Differing)
		}
		files, kept = files+len(want), kept+report.Files.Kept
	}
	return files, kept
}
