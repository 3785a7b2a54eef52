package feed_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/runstate"
	"ayna/generator/arrange"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/picture"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// seen is when all records of the tests were first seen.
var seen = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// paper is a small one with a record of every kind.
func paper() []*archive.Record {
	file := func(address, title, caption string) map[string]any {
		return map[string]any{"FileUrl": address, "Metadata": map[string]string{"Title": title, "Description": caption}}
	}
	return []*archive.Record{
		fakepaper.Fields(record.Folder, "66ac2bae18c773091cd22a01", "Path", "/spor/", "Title", "Spor"),
		fakepaper.Fields(record.Folder, "66ac2bae18c773091cd22a02", "Path", "/spor/futbol/", "Title", "Futbol"),
		fakepaper.Fields(record.Writer, "65aa09f8f018fbaf44942506", "Fullname", "Nehir Taşkın", "Path", "/yazarlar/", "Url", "http://www.haber.example/yazarlar/nehir-taskin/",
			"Files", []any{file("http://img.haber.example/i/4.jpg", "", "")}),
		fakepaper.Fields(record.Writer, "65aa09f8f018fbaf44942507", "Fullname", "Işıl Özden", "Path", "/yazarlar/", "Url", "http://www.haber.example"),
		fakepaper.Item(record.Article, "51200311", "CreatedDate", "2026-03-14T09:12:05.253Z", "ModifiedDate", "2026-03-14T10:17:25.5Z", "StartDate", "2026-03-14T09:13:00Z",
			"Title", " Akçalimanspor, İnceada'yı 2 &lt; 3 &amp; son dakikada geçti", "Description", "Umut Çakır'ın golü 90+4'te geldi", "Path", "/spor/futbol/",
			"Url", "http://www.haber.example/akcalimanspor-51200311", "Editor", "Körfez Haber Ajansı", "Tags", []string{"Akçalimanspor", "Spor"},
			"Files", []any{file("http://img.haber.example/i/1.jpg", "Gol anı", "Çakır golden sonra"), file("http://img.haber.example/i/2.jpg", "", "Tribün")},
			"Text", `<p>H<sub>2</sub>O ]]&gt; ve <a href="http://www.haber.example/yazarlar/nehir-taskin/son-ceyrek-51200118">köşe</a>.</p><p><img src="/i/3" alt="Stat"></p><table><tr><td>Gol</td><td>4</td></tr></table><iframe src="https://www.youtube.com/embed/ornekvideo1"></iframe>`),
		fakepaper.Waiting(fakepaper.Item(record.Article, "51200310", "CreatedDate", "2026-03-14T09:01:00Z", "ModifiedDate", "2026-03-14T09:01:00Z", "Description", ".", "Tags", nil, "Text", "")),
		fakepaper.Waiting(fakepaper.Item(record.Article, "51200309", "CreatedDate", "", "Description", "", "Path", "/spor/", "Tags", nil, "Text", "")),
		fakepaper.Item(record.Column, "51200118", "CreatedDate", "2026-03-13T14:29:12.84Z", "StartDate", "2026-03-13T14:30:00Z", "Fullname", "Nehir Taşkın", "WriterId", "65aa09f8f018fbaf44942506",
			"Path", "/spor/", "Url", "http://www.haber.example/yazarlar/nehir-taskin/son-ceyrek-51200118", "Tags", nil, "Text", "<p><p>Soru şu: kim dinliyor?</p>\r\n</p>"),
		fakepaper.Item(record.Gallery, "51200401", "CreatedDate", "2026-03-15T12:41:25.637Z", "Title", "Fener alayı yola çıktı!", "Description", ".", "Path", "/spor/", "Tags", []string{"spor"}, "Text", "",
			"Files", []any{file("http://img.haber.example/i/4.jpg", "", "Meydan"), file("http://img.haber.example/i/5.png", "", "Aynada olmayan"), file("http://img.haber.example/i/6.jpg", "Fenerler", "")}),
		fakepaper.Item(record.Video, "51200502", "CreatedDate", "2026-03-15T13:00:00Z", "Description", "Kıyıdan görüntüler", "Path", "/spor/", "Tags", nil, "Text", "<p>Kıyı, kaleden limana.</p>", "Files", []any{file("http://img.haber.example/i/1.jpg", "Poster", "")}),
		fakepaper.Fields(record.Page, "65cddcc67b0a934e44ee2d70", "Title", "Ada günlüğü", "Url", "/ada-gunlugu/", "CreatedDate", "2026-02-01T08:00:00Z",
			"PageNews", []any{map[string]string{"Id": "51200118"}, map[string]string{"Id": "51200310"}}),
		fakepaper.Waiting(fakepaper.Fields(record.Page, "65cddcc67b0a934e44ee2d71", "Title", "Boş sayfa", "Url", "/bos/", "CreatedDate", "2026-02-02T08:00:00Z")),
	}
}

// article is one article of the given fields, list and single record alike.
func article(id, fields string) *archive.Record {
	json := fmt.Sprintf(`{"Id":%q,"ContentType":"Article",%s}`, id, fields)
	return fakepaper.Raw(record.Article, json, json)
}

// mirrored is the pictures that the archive has of the invented paper.
var mirrored = []archive.Media{
	{URL: "http://img.haber.example/i/1.jpg", Name: "aa11.jpg", Type: "image/jpeg", Width: 620, Height: 349, Bytes: 54321},
	{URL: "http://www.haber.example/i/3", Name: "cc33.png", Type: "image/png", Width: 100, Height: 50, Bytes: 333},
	{URL: "http://img.haber.example/i/4.jpg", Name: "dd44.jpg", Type: "image/jpeg", Width: 620, Height: 413, Bytes: 44444},
	{URL: "http://img.haber.example/i/6.jpg", Name: "ff66.jpg", Type: "image/jpeg", Bytes: 66666},
}

func settings(t testing.TB) site.Settings {
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	return site.Settings{
		Title: "Ayna & Haber", Description: "Körfez'in haberleri", BaseURL: "https://ayna.example/haber/",
		Language: "tr", Words: words, Location: time.UTC, SourceName: "Haber Örneği", SourceHome: "http://www.haber.example/",
		Formats: []site.Format{site.RSS, site.Atom, site.JSON},
	}
}

var options = feed.Options{Items: 50, FullText: true, Authority: "ayna.example", Date: "2026-01-01", Hub: "https://hub.example/"}

func store(t testing.TB, records []*archive.Record, media []archive.Media) *archive.Archive {
	t.Helper()
	a := fakepaper.Archive(t)
	put(t, a, records, media)
	fakepaper.Update(t, a, func(tx *archive.Tx) error { // below the gallery; entries have their number alone
		for _, id := range []string{"1", "2"} {
			if _, err := tx.Comments.Put(archive.Comment{ID: id, Record: "51200401", HTML: "<p>Yorum</p>"}); err != nil {
				return err
			}
		}
		return nil
	})
	publishedBefore(t, a, "", "gundem", "spor", "spor/futbol", "etiket/akcalimanspor", "etiket/spor")
	return a
}

// publishedBefore notes lists as an earlier version published them: with all feeds of
// tags, and with months.
func publishedBefore(t testing.TB, a *archive.Archive, dirs ...string) {
	t.Helper()
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for _, dir := range dirs {
			if err := tx.State.SetPublishedList(runstate.PublishedList{Dir: dir}); err != nil {
				return err
			}
		}
		return nil
	})
}

func put(t testing.TB, a *archive.Archive, records []*archive.Record, media []archive.Media) {
	t.Helper()
	for _, r := range records {
		r.Listed = seen
	}
	fakepaper.Put(t, a, records...)
	fakepaper.Mirror(t, a, media...)
}

func arranged(t testing.TB, a *archive.Archive, settings site.Settings) *story.Reader {
	t.Helper()
	s, err := arrange.Arrange(t.Context(), a, arrange.Options{
		Settings: settings, Comments: true, Searches: []arrange.Search{{Title: "Kıyı haberleri", Query: "kıyı"}},
		Mixes: []arrange.Mix{{Title: "Denizsiz", Include: []string{"/spor/", "writer:65aa09f8f018fbaf44942506"}, Exclude: []string{"tag:SPOR"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	reader := story.New(a, s, true)
	reader.Sizes = func(name string, width int) []picture.Size { return picture.Sizes(name, width, []int{160, 320}) }
	return reader
}

// filesOf returns the files by path.
func filesOf(t testing.TB, reader *story.Reader, options feed.Options) map[string]output.File {
	t.Helper()
	files := make(map[string]output.File)
	for file, err := range feed.New(reader, options).Files(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := files[file.Path]; twice {
			t.Fatalf("%s comes twice", file.Path)
		}
		files[file.Path] = file
	}
	return files
}

// render returns the rendered files by path.
func render(t testing.TB, reader *story.Reader, options feed.Options) map[string]string {
	t.Helper()
	rendered := make(map[string]string)
	for name, file := range filesOf(t, reader, options) {
		var b bytes.Buffer
		if err := file.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		rendered[name] = b.String()
	}
	return rendered
}

// standard renders the invented paper.
func standard(t testing.TB) map[string]string {
	return render(t, arranged(t, store(t, paper(), mirrored), settings(t)), options)
}

// TestPortrait: the feed of a writer has the writer's picture, as has the writer in entries.
func TestPortrait(t *testing.T) {
	const dir, picture = "yazar/nehir-taskin-65aa09f8f018fbaf44942506/", "https://ayna.example/haber/media/dd44.jpg"
	rendered := standard(t)
	for name, mark := range map[string]string{
		dir + "feed.xml": "<url>" + picture + "</url>", dir + "atom.xml": "<icon>" + picture + "</icon>", dir + "feed.json": `"icon": "` + picture + `"`,
		"spor/feed.json": `"avatar": "` + picture + `"`,
	} {
		if !strings.Contains(rendered[name], mark) {
			t.Errorf("%s lacks %s:\n%s", name, mark, rendered[name])
		}
	}
}

func TestFilesStopsWhenInterrupted(t *testing.T) {
	reader := arranged(t, store(t, paper(), nil), settings(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for file, err := range feed.New(reader, options).Files(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", file.Path, err)
		}
	}
}
