package epub_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"ayna/archive"
	"ayna/export/epub"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// book returns the book of all items of an archive.
func book(t testing.TB, a *archive.Archive, language string) *epub.Book {
	t.Helper()
	words, err := site.WordsFor(language)
	if err != nil {
		t.Fatal(err)
	}
	s, err := arrange.Arrange(t.Context(), a, arrange.Options{Settings: site.Settings{
		Title: "Deneme", BaseURL: "https://ayna.example/haber/", Language: language, Words: words, Location: time.UTC, SourceName: "Örnek Haber",
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &epub.Book{Stories: story.New(a, s, true), Items: s.Home.Items}
}

func write(t testing.TB, b *epub.Book) ([]byte, epub.Result) {
	t.Helper()
	var out bytes.Buffer
	result, err := b.Write(t.Context(), &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), result
}

// check runs EPUBCheck.
func check(t *testing.T, content []byte) {
	t.Helper()
	checker, err := exec.LookPath("epubcheck")
	if err != nil {
		t.Skip("EPUBCheck is not installed: .ci/run epub installs it")
	}
	name := filepath.Join(t.TempDir(), "book.epub")
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("java", "-XX:TieredStopAtLevel=1", "-jar", checker, "--failonwarnings", name).CombinedOutput(); err != nil {
		t.Errorf("EPUBCheck: %v\n%.4000s", err, out)
	}
}

// keep mirrors a picture.
func keep(t testing.TB, a *archive.Archive, tx *archive.Tx, address string, content []byte) {
	t.Helper()
	name := fmt.Sprintf("%x.png", sha256.Sum256([]byte(address)))[32:]
	if err := errors.Join(os.MkdirAll(a.Pictures.Dir(), 0o755), os.WriteFile(filepath.Join(a.Pictures.Dir(), name), content, 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := tx.PutMedia(archive.Media{URL: address, Name: name, Type: "image/png", Width: 1, Height: 1, Bytes: int64(len(content)), Fetched: fakepaper.Noon}); err != nil {
		t.Fatal(err)
	}
}

// newspaper stores a few items of each kind, with hostile words.
func newspaper(t *testing.T) *archive.Archive {
	t.Helper()
	a := fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db"))
	file := func(n int, title, caption string) map[string]any {
		return map[string]any{"FileUrl": fmt.Sprintf("https://e.example/%d.png", n), "Title": title, "Metadata": map[string]any{"Title": title, "Description": caption}}
	}
	fakepaper.Put(t, a,
		fakepaper.Fields(record.Folder, "65aa0100", "Path", "/ekonomi/", "Title", "Ekonomi"),
		fakepaper.Fields(record.Folder, "65aa0101", "Path", "/spor/", "Title", "Spor & <b>yaşam"),
		fakepaper.Item(record.Article, "1001", "Path", "/ekonomi/", "CreatedDate", "2026-03-01T09:00:00Z", "ModifiedDate", "2026-03-02T10:00:00Z", "Editor", "Ayşe",
			"Files", []any{file(1, "Ağaç", "Yaşlı bir ağaç"), file(2, "Sepet", "")},
			"Text", `<p>Bkz. <a href="http://www.haber.example/haber-1002">maç</a>, <a href="https://dis.example/">dış</a> ve <a href="https://e.example/yok">yok</a>.<table><tr><th>Yıl<td>Ton</table><img src="https://e.example/1.png" alt="Ağaç"><img src="https://e.example/9.png" alt="Kayıp">`),
		fakepaper.Item(record.Article, "1002", "Title", "\u202eMaç <script>", "Path", "/spor/", "CreatedDate", "2026-03-03T09:00:00Z", "Text", "<b><i>Açık & &nbsp;\u0001</b><p id=x><p id=x>سلام"),
		fakepaper.Item(record.Article, "1003", "Title", "]]> & \"tarihsiz\"", "Path", "", "CreatedDate", "", "Text", ""),
		fakepaper.Item(record.Column, "1004", "Path", "/ekonomi/", "CreatedDate", "2026-03-01T08:00:00Z", "Fullname", "Nermin Alkan"),
		fakepaper.Item(record.Gallery, "1005", "Path", "/spor/", "CreatedDate", "2026-03-03T10:00:00Z", "Text", "", "Files", []any{file(1, "", "Birinci"), file(2, "İkinci", ""), file(9, "", "Kayıp")}),
		fakepaper.Item(record.Video, "1006", "Path", "/spor/", "CreatedDate", "2026-03-04T10:00:00Z", "Files", []any{file(2, "", "Poster")}),
	)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		keep(t, a, tx, "https://e.example/1.png", fakepaper.Noise(700, 20))
		keep(t, a, tx, "https://e.example/2.png", fakepaper.Noise(30, 20))
		return nil
	})
	return a
}

// TestBook compares the documents of a small book with testdata/book.txtar, in which
// files that are no text have their size alone.
func TestBook(t *testing.T) {
	a := newspaper(t)
	b := book(t, a, "tr")
	b.Titles = []string{"Seçme"}
	content, result := write(t, b)
	if len(result.Damaged)+len(result.Notes) > 0 {
		t.Errorf("%+v", result)
	}
	if again, _ := write(t, b); !bytes.Equal(content, again) {
		t.Error("two books of one archive differ")
	}
	if start := content[:58]; string(start[30:]) != "mimetypeapplication/epub+zip" || start[26] != 8 || start[28] != 0 {
		t.Errorf("the book begins with %q", start)
	}
	files := unzip(t, content)
	got := txtar.Format(&txtar.Archive{Files: files})
	const golden = "testdata/book.txtar"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("the book differs from %s (%v); look at it with -update and git diff", golden, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".css") || len(f.Data) < 30 {
			continue
		}
		decoder := xml.NewDecoder(bytes.NewReader(f.Data))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s: %v", f.Name, err)
				break
			}
		}
	}
	if testrun.Slow() {
		check(t, content) // the script epub.txt has an English one
	}
}

// TestFewParagraphs writes a book with words of an owner, whose lists have one paragraph each.
func TestFewParagraphs(t *testing.T) {
	b := book(t, newspaper(t), "sv")
	own := `{AboutText: ["%s, %[1]s, %[1]s"], SourcesText: ["Ur %s."]}`
	var err error
	if b.Stories.Site.Words, _, err = site.ReadWords("sv", []byte(own)); err != nil {
		t.Fatal(err)
	}
	content, _ := write(t, b)
	var all strings.Builder
	for _, file := range unzip(t, content) {
		all.Write(file.Data)
	}
	for _, want := range []string{"Örnek Haber, Örnek Haber, Örnek Haber<", "<p>Ur Örnek Haber.</p>\n<ol>"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("the book lacks %s", want)
		}
	}
}

// TestLost: a book does without pictures that are lost, and without any if the site shows
// those of the source.
func TestLost(t *testing.T) {
	a := newspaper(t)
	b := book(t, a, "tr")
	b.Stories.Mirror = false
	content, result := write(t, b)
	if n := pictures(t, content); n != 0 || len(result.Notes) > 0 {
		t.Errorf("without a mirror: %d pictures, %q", n, result.Notes)
	}
	names, err := filepath.Glob(filepath.Join(a.Pictures.Dir(), "*"))
	if err := errors.Join(err, os.Remove(names[0])); err != nil {
		t.Fatal(err)
	}
	content, result = write(t, book(t, a, "tr"))
	if n := pictures(t, content); n != len(names)-1 || len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "cannot be read, and are not in it: 1") {
		t.Errorf("with a file lost: %d pictures, %q", n, result.Notes)
	}
}

// pictures returns the number of pictures in a book.
func pictures(t *testing.T, content []byte) (n int) {
	t.Helper()
	for _, f := range unzip(t, content) {
		if strings.HasPrefix(f.Name, "EPUB/pictures/") {
			n++
		}
	}
	return n
}

func unzip(t *testing.T, content []byte) (files []txtar.File) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if f.Method == zip.Store && f.Name != "mimetype" {
			data = nil // the encoder's bytes may change
		}
		files = append(files, txtar.File{Name: f.Name, Data: data})
	}
	return files
}

// TestRoom: a book that would be too large has smaller pictures, then the first of each
// item, then none.
func TestRoom(t *testing.T) {
	testrun.NeedsSlow(t, "makes books of 30 MB")
	for _, test := range []struct {
		name                   string
		items, pictures, width int // of square pictures
		want                   string
		shown                  int
	}{
		{"all", 2, 2, 800, "", 4},
		{"smaller", 9, 3, 640, "320 pixels", 27},
		{"leads", 20, 6, 320, "only the first picture", 20},
		{"none", 110, 1, 320, "no pictures", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db"))
			picture := fakepaper.Noise(test.width, test.width)
			fakepaper.Update(t, a, func(tx *archive.Tx) error {
				for i := range test.items {
					var files []any
					for k := range test.pictures {
						address := fmt.Sprintf("https://e.example/%d-%d.png", i, k)
						files = append(files, map[string]any{"FileUrl": address})
						keep(t, a, tx, address, picture)
					}
					if err := fakepaper.Store(tx, fakepaper.Fields(record.Gallery, fmt.Sprint(1000+i), "Title", "Galeri", "Path", "/a/", "Files", files)); err != nil {
						return err
					}
				}
				return nil
			})
			content, result := write(t, book(t, a, "tr"))
			if shown := pictures(t, content); shown != test.shown || !strings.Contains(strings.Join(result.Notes, "\n"), test.want) || len(content) > 30_000_000 {
				t.Errorf("%d pictures in %d bytes, %q", shown, len(content), result.Notes)
			}
		})
	}
}

// TestTooLarge: texts or items beyond the limits are refused.
func TestTooLarge(t *testing.T) {
	testrun.NeedsSlow(t, "makes books of 30 MB")
	words := make([]byte, 750_000)
	rand.NewChaCha8([32]byte{}).Read(words)
	for _, test := range []struct {
		name  string
		items int
		text  string
	}{{"bytes", 42, base64.StdEncoding.EncodeToString(words)}, {"items", 5001, ""}} {
		t.Run(test.name, func(t *testing.T) {
			var records []*archive.Record
			for i := range test.items {
				records = append(records, fakepaper.Fields(record.Article, fmt.Sprint(1000+i), "Title", "Haber", "Path", "/a/", "Editor", test.text))
			}
			b := book(t, fakepaper.Archive(t, records...), "tr")
			if _, err := b.Write(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "select a folder") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestSoup makes a book of elements in any order, closed or not.
func TestSoup(t *testing.T) {
	testrun.NeedsSlow(t, "EPUBCheck takes seconds")
	random := rand.New(rand.NewPCG(1, 2))
	tags := strings.Fields(`a abbr b blockquote br caption cite code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i iframe img ins
		li mark ol p pre q s small span strong sub summary sup table tbody td tfoot th thead time tr u ul video`)
	attributes := []string{"", "", ` id="x"`, ` href="https://e.example/[a]?b[]=c#d"`, ` src="https://e.example/x.png"`, ` datetime="dün"`, ` start="3"`, ` scope="row"`, ` colspan="2"`, ` title="&quot;<"`, ` class="player"`}
	var records []*archive.Record
	for i := range 300 {
		var text strings.Builder
		for range 80 {
			tag := tags[random.IntN(len(tags))]
			switch random.IntN(4) {
			case 0:
				text.WriteString("</" + tag + ">")
			case 1:
				text.WriteString("söz &nbsp;\u0001\u202e&amp; ")
			default:
				text.WriteString("<" + tag + attributes[random.IntN(len(attributes))] + ">")
			}
		}
		records = append(records, fakepaper.Fields(record.Article, fmt.Sprint(1000+i), "Title", "Başlık", "Path", "/a/", "CreatedDate", "2026-03-01T09:00:00Z", "Text", text.String()))
	}
	content, _ := write(t, book(t, fakepaper.Archive(t, records...), "tr"))
	check(t, content)
}
