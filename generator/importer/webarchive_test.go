package importer_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/archivetest"
	"ayna/generator/importer"
	"ayna/generator/warc"
	"ayna/generator/wire"
)

func zipped(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// answers are captures of single articles with these ids.
func answers(ids ...string) (all captures) {
	for _, id := range ids {
		all = append(all, answer("2017-01-01T00:00:00Z", "http://api.example/v1/articles/"+id, `{"Id":"`+id+`","Title":"x"}`))
	}
	return all
}

// D67: files that are cut off, changed, or made to do harm.
func TestD67WebArchives(t *testing.T) {
	t.Parallel()
	ten := answers("1", "2", "3", "4", "5", "6", "7", "8", "9", "10").warc(t)
	one, two := answers("1").warc(t), answers("2").warc(t)
	flipped := bytes.Clone(two)
	flipped[len(flipped)/2] ^= 0x55
	plain := func(fields, content string) []byte {
		return []byte("WARC/1.1\r\nWARC-Type: resource\r\nWARC-Date: 2017-01-01T00:00:00Z\r\nWARC-Target-URI: <http://api.example/v1/articles/3>\r\n" + fields + "\r\n" + content + "\r\n\r\n")
	}
	const three = `{"Id":"3","Title":"x"}`
	length := fmt.Sprintf("Content-Length: %d\r\n", len(three))
	bomb := func() []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
		for _, name := range []string{"archive/bomb.warc.gz", "archive/a.warc.gz"} {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
			if err != nil {
				t.Fatal(err)
			}
			if w.Write(one); strings.Contains(name, "bomb") {
				w.Write(make([]byte, 1<<20))
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}()
	overlapping := func() []byte { // the list of files names one of them twice
		file := wacz(t, map[string][]byte{"archive/a.warc.gz": one})
		end := len(file) - 22
		list := file[end-46-len("archive/a.warc.gz") : end]
		again := bytes.Replace(list, []byte("/a."), []byte("/b."), 1)
		file = bytes.Join([][]byte{file[:end], again, file[end:]}, nil)
		tail := file[len(file)-22:]
		tail[8], tail[10] = 2, 2
		binary.LittleEndian.PutUint32(tail[12:], uint32(2*len(list)))
		return file
	}()
	for _, test := range []struct {
		name   string
		file   []byte
		stored int
		out    string // what is left out
		failed bool   // the file cannot be read to its end
	}{
		{"whole", ten, 10, "", false},
		{"not compressed", plain(length, three), 1, "", false},
		{"one member for all", zipped(t, append(plain(length, three), plain(length, three)...)), 1, "", false},
		{"cut off", ten[:len(ten)-20], 9, "1 damaged records", true},
		{"cut off at a record", one, 1, "", false},
		{"one flipped bit", bytes.Join([][]byte{one, flipped, two}, nil), 2, "1 damaged records", false},
		{"digest of something else", plain(length+"WARC-Block-Digest: sha1:"+strings.Repeat("A", 32)+"\r\n", three), 0, "1 damaged records", false},
		{"digest in a WACZ file", wacz(t, map[string][]byte{"archive/a.warc": plain(length+"WARC-Payload-Digest: sha256:"+strings.Repeat("0", 64)+"\r\n", three), "archive/b.warc.gz": one}), 1, "1 damaged records", false},
		{"length too long", plain("Content-Length: 9000\r\n", three), 0, "1 damaged records", true},
		{"length beyond limits", zipped(t, plain("Content-Length: 9000000000000000000\r\n", three)), 0, "1 damaged records", true},
		{"length too short", plain("Content-Length: 9\r\n", three), 0, "1 answers that are not JSON", true},
		{"length that is none", plain("Content-Length: -5\r\n", three), 0, "", true},
		{"no date", bytes.Replace(plain(length, three), []byte("2017-01-01T"), []byte("soon"), 1), 0, "1 damaged records", false},
		{"WACZ file", wacz(t, map[string][]byte{"archive/a.warc.gz": one, "archive/b.warc.gz": two, "datapackage.json": []byte("{}"), "pages/c.warc.gz": ten}), 2, "", false},
		{"names that lead out", wacz(t, map[string][]byte{"archive/../../a.warc.gz": one, "/archive/b.warc.gz": one, `archive\..\..\c.warc.gz`: one, "archive/d.warc.gz": two}), 1, "3 files whose name leads out of the archive", false},
		{"one of two is cut off", wacz(t, map[string][]byte{"archive/a.warc.gz": ten[:len(ten)-20], "archive/b.warc.gz": one}), 9, "1 damaged records", true},
		{"WACZ file that is cut off", wacz(t, map[string][]byte{"archive/a.warc.gz": one})[:100], 0, "", true},
		{"zip file of something else", wacz(t, map[string][]byte{"a.txt": one}), 0, "", true},
		{"zip bomb", bomb, 1, "1 files that unpack to more than 200 times their size", false},
		{"gzip of nothing", []byte{0x1f, 0x8b, 8, 0}, 0, "", true},
		{"empty", nil, 0, "", false},
		{"exported records, compressed", zipped(t, []byte(lineOf("1")+lineOf("2"))), 2, "", false},
		{"no exported records, compressed", zipped(t, nil), 0, "", false},
		{"files that share their bytes", overlapping, 0, "", true},
		{"exported records, compressed and cut off", zipped(t, []byte(lineOf("1")+lineOf("2")))[:60], 0, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := archivetest.Memory(t)
			for _, from := range []io.Reader{bytes.NewReader(test.file), bytes.NewReader(test.file)} {
				done, err := importer.Import(t.Context(), a, from, time.UTC, noon)
				var out []string
				for _, l := range done.LeftOut {
					out = append(out, fmt.Sprint(l.Count, " ", l.Reason))
				}
				if done.Stored != test.stored || strings.Join(out, ", ") != test.out {
					t.Errorf("%s%v", summaryOf(done), err)
				}
				if (err != nil) != test.failed || test.failed && !errors.Is(err, importer.ErrFile) {
					t.Errorf("%v", err)
				}
				test.stored = 0
			}
		})
	}
}

// D67: records of this program that somebody changed.
func TestD67OwnRecords(t *testing.T) {
	t.Parallel()
	const single = `{"Id":"1","Title":"x","Text":"<p>a</p>"}`
	line := func(fields ...any) string {
		sum := sha256.Sum256([]byte(`{"Id":"1","Title":"x","Path":"/spor/"}` + "\x00" + single))
		return lineOf("1", append([]any{"hash", hex.EncodeToString(sum[:])}, fields...)...)
	}
	until := `{"kind":"article","id":"1","until":"2016-01-01T00:00:00Z","list":{"Id":"1","Title":"y"}}`
	for _, test := range []struct {
		name         string
		answer, line string
		more         string // a line after that
		want         string
	}{
		{"whole", single, line(), until, "1 stored, 1 versions, 0 kept"},
		{"twice", single, line(), lineOf("1"), "1 stored, 0 versions, 1 kept"},
		{"no line", single, "", "", "1 stored, 0 versions, 0 kept"},
		{"no answer", "", line(), "", "1 stored, 0 versions, 0 kept; 1 damaged"},
		{"another answer", `{"Id":"1","Title":"z"}`, line(), "", "1 stored, 1 versions, 0 kept; 1 damaged"},
		{"answer of another record", `{"Id":"2"}`, line(), "", "1 stored, 0 versions, 0 kept; 1 damaged"},
		{"unknown kind", single, line("kind", "../x"), "", "1 stored, 0 versions, 0 kept; 1 damaged"},
		{"no JSON", single, "{", "", "1 stored, 0 versions, 0 kept; 1 damaged"},
		{"list of another record", single, line("id", "2"), "", "1 stored, 0 versions, 0 kept; 1 damaged"},
		{"earlier list of another record", single, line(), strings.ReplaceAll(until, `"1"`, `"7"`), "1 stored, 0 versions, 0 kept; 1 damaged"},
		{"earlier list without a record", "", until, "", "0 stored, 0 versions, 0 kept; 1 damaged"},
		{"time in the year 10000", single, line("seen", "9999-12-31T23:59:59-23:00"), "", "1 stored, 0 versions, 0 kept; 1 damaged"},
		{"pictures elsewhere", single, line("media", map[string]string{"http://img.example/1": "../../site.yaml", "x": strings.Repeat("0", 32) + ".jpg"}), "", "1 stored, 0 versions, 0 kept"},
	} {
		var file bytes.Buffer
		w, date := warc.NewWriter(&file), noon.Add(-time.Hour)
		answer := &warc.Record{Type: "resource", URI: "http://api.example/v1/articles/1", Date: date}
		records := []*warc.Record{answer, {Type: "metadata", URI: "urn:ayna:article:1", Date: date}, {Type: "metadata", URI: "urn:ayna:article:1", Date: date}}
		for i, body := range []string{test.answer, test.line, test.more} {
			if body == "" {
				continue
			}
			if i > 0 && answer.ID != "" {
				records[i].Header = textproto.MIMEHeader{"Warc-Concurrent-To": {"<" + answer.ID + ">"}}
			}
			if err := write(w, records[i], "", []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		done := imported(t, archivetest.Open(t, filepath.Join(t.TempDir(), "archive.db")), file.Bytes())
		got := fmt.Sprintf("%d stored, %d versions, %d kept", done.Stored, done.Versions, done.Kept)
		if n := done.Damaged(); n > 0 {
			got += fmt.Sprintf("; %d damaged", n)
		}
		if got != test.want || done.Pictures > 0 {
			t.Errorf("%s: %s, want %s; %+v", test.name, got, test.want, done.LeftOut)
		}
	}
}

// A list of files in a zip file that would take all memory is not read.
func TestD67Directory(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 1 << 17 {
		if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%064d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := importer.Import(t.Context(), archivetest.Memory(t), bytes.NewReader(b.Bytes()), time.UTC, noon); !errors.Is(err, importer.ErrFile) || !strings.Contains(err.Error(), "too long") {
		t.Error(err)
	}
}

// Captures beside what the archive has: newer ones replace it, earlier ones are
// versions before it; what was found gone or was forgotten stays so.
func TestCapturesBesideRecords(t *testing.T) {
	t.Parallel()
	a := archivetest.Memory(t)
	article := func(title string) []byte { return []byte(`{"Id":"1","ContentType":"Article","Title":"` + title + `"}`) }
	day := func(n int) time.Time { return time.Date(2018, 1, n, 0, 0, 0, 0, time.UTC) }
	archivetest.Update(t, a, func(tx *archive.Tx) error {
		for i, title := range []string{"10", "20"} {
			r := &archive.Record{Kind: archive.Article, ID: "1", List: article(title), Listed: day(10 + 10*i), Single: article(title), Fetched: day(10 + 10*i)}
			if err := archivetest.Store(tx, r); err != nil {
				return err
			}
		}
		if err := tx.MarkGone(archive.Article, "1", day(25)); err != nil {
			return err
		}
		_, _, err := tx.Forget(archive.Article, "2")
		return err
	})
	for _, step := range []struct {
		date, title, want string
		versions          int
	}{
		{"2018-01-05T00:00:00Z", "5", "5 until 10, 10 until 20, 20, gone", 1},
		{"2018-01-02T00:00:00Z", "2", "2 until 5, 5 until 10, 10 until 20, 20, gone", 1},
		{"2018-01-07T00:00:00Z", "5", "2 until 5, 5 until 10, 10 until 20, 20, gone", 0},
		{"2018-01-15T00:00:00Z", "15", "2 until 5, 5 until 10, 10 until 15, 15 until 20, 20, gone", 1},
		{"2018-01-12T00:00:00Z", "10", "2 until 5, 5 until 10, 10 until 15, 15 until 20, 20, gone", 0},
		{"2018-01-17T00:00:00Z", "10", "2 until 5, 5 until 10, 10 until 15, 15 until 17, 10 until 20, 20, gone", 1},
		{"2018-01-13T00:00:00Z", "15", "2 until 5, 5 until 10, 10 until 13, 15 until 17, 10 until 20, 20, gone", 1},
		{"2018-01-22T00:00:00Z", "22", "2 until 5, 5 until 10, 10 until 13, 15 until 17, 10 until 20, 20 until 22, 22, gone", 1},
		{"2018-01-21T00:00:00Z", "10", "2 until 5, 5 until 10, 10 until 13, 15 until 17, 10 until 20, 20 until 21, 10 until 22, 22, gone", 1},
		{"2018-01-30T00:00:00Z", "30", "2 until 5, 5 until 10, 10 until 13, 15 until 17, 10 until 20, 20 until 21, 10 until 22, 22 until 30, 30", 1},
	} {
		all := captures{answer(step.date, "http://api.example/v1/articles/1", string(article(step.title))), answers("2")[0]}
		if done := imported(t, a, all.warc(t)); done.Versions != step.versions || done.Stored > 0 {
			t.Errorf("%s: %s", step.date, summaryOf(done))
		}
		r, err := a.Get(t.Context(), archive.Article, "1")
		if err != nil {
			t.Fatal(err)
		}
		versions := []string{r.Title}
		if !r.GoneAt.IsZero() {
			versions = append(versions, "gone")
		}
		for e, err := range a.Earlier(t.Context(), r.Row) {
			if err != nil {
				t.Fatal(err)
			}
			title, _, err := wire.WordingOf(archive.Article, e.JSON, time.UTC)
			if err != nil {
				t.Fatal(err)
			}
			if e.Part == archive.SinglePart {
				versions = append([]string{fmt.Sprintf("%s until %d", title.Title, e.ReplacedAt.Day())}, versions...)
			}
		}
		if got := strings.Join(versions, ", "); got != step.want {
			t.Errorf("%s %s:\n%s, want\n%s", step.date, step.title, got, step.want)
		}
		if again := imported(t, a, all.warc(t)); again.Versions > 0 {
			t.Errorf("%s, a second time: %s", step.date, summaryOf(again))
		}
	}
	if _, err := a.Get(t.Context(), archive.Article, "2"); !errors.Is(err, archive.ErrNotFound) {
		t.Errorf("the forgotten record: %v", err)
	}
}

// That a record was seen earlier than known is a change of the archive: it bounds its dates.
func TestSeenEarlier(t *testing.T) {
	t.Parallel()
	a := archivetest.Memory(t)
	states := map[string]bool{}
	for _, date := range []string{"2018-01-05T00:00:00Z", "2018-01-02T00:00:00Z", "2018-01-03T00:00:00Z"} {
		imported(t, a, captures{answer(date, "http://api.example/v1/articles/1", `{"Id":"1"}`)}.warc(t))
		state, err := a.Generation(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		states[state] = true
	}
	if len(states) != 2 {
		t.Errorf("generations %v", states)
	}
}

// Pictures that records show are taken from the file, the newest capture of each; other
// pictures, and what is none, are not.
func TestCapturedPictures(t *testing.T) {
	t.Parallel()
	dot := func(width int) string {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 1))); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	article := `{"Id":"1","Title":"x","Files":[{"FileUrl":"http://img.example/a"},{"FileUrl":"http://img.example/b.png"},{"FileUrl":"http://img.example/c.png"},{"FileUrl":"http://img.example/d.png"}]}`
	all := captures{
		answer("2017-01-01T00:00:00Z", "http://img.example/a image/png", dot(1)),
		answer("2017-01-03T00:00:00Z", "https://img.example/a image/png", dot(3)),
		answer("2017-01-02T00:00:00Z", "http://img.example/a image/png", dot(2)),
		answer("2017-01-01T00:00:00Z", "http://img.example/b.png image/png", "<html>"),
		answer("2017-01-01T00:00:00Z", "http://img.example/c.png image/png 404", dot(1)),
		answer("2099-01-01T00:00:00Z", "http://img.example/d.png image/png", dot(1)),
		answer("2017-01-01T00:00:00Z", "http://img.example/unknown.png image/png", dot(9)),
		answer("2017-01-01T00:00:00Z", "http://api.example/v1/articles/1", article),
	}
	a := archivetest.Open(t, filepath.Join(t.TempDir(), "archive.db"))
	if done := imported(t, a, all.warc(t)); done.Pictures != 2 || done.Stored != 1 {
		t.Error(summaryOf(done), done.Pictures)
	}
	if done := imported(t, a, all.warc(t)); done.Pictures != 0 {
		t.Error("a second time: ", done.Pictures)
	}
	r, err := a.Get(t.Context(), archive.Article, "1")
	if err != nil {
		t.Fatal(err)
	}
	media, err := a.MediaOf(t.Context(), r.Row)
	if m := media["http://img.example/a"]; err != nil || len(media) != 1 || m.Width != 3 {
		t.Errorf("%+v, %v", media, err)
	} else if _, err := os.Stat(filepath.Join(a.MediaDir(), m.Name)); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(a.MediaDir()), ".import*"))
	if err != nil || left != nil {
		t.Error(left, err)
	}
}

// FuzzCaptured: whatever an answer is and wherever it came from, it is left out, or what
// was stored is sound, comes out of an export again, and does not change when it is
// imported once more.
func FuzzCaptured(f *testing.F) {
	f.Add("http://api.example/v1/articles/1", "application/json", "response", int64(1_500_000_000), []byte(`{"Id":"1","Title":"x"}`), []byte(`{"Id":1,"ContentType":"Article"}`))
	f.Add("//v1/Articles('%2f')?apikey="+capturedKey, "text/html; charset=utf-16", "resource", int64(-5), []byte("\xfe\xff\x00{\x00}"), []byte(`[{"Id":"\u0000"},null,[]]`))
	f.Add("http://a/v1/search/x?$skip=5", "", "response", int64(253_402_300_800), []byte(`{"Count":1,"List":[{"Id":"ş","ContentType":"NewsVideo","Text":"a"}]}`), []byte(`{"d":{"results":[{}]}}`))
	f.Add("urn:ayna:article:1", "application/json", "metadata", int64(1), []byte(lineOf("1")), []byte(`{"kind":"article","id":"1","until":"2017-01-01T00:00:00Z","list":{"Id":"1"}}`))
	f.Fuzz(func(t *testing.T, address, media, warcType string, seconds int64, first, second []byte) {
		var file bytes.Buffer
		w := warc.NewWriter(&file)
		for i, body := range [][]byte{first, second, first} {
			r := &warc.Record{Type: warcType, URI: address, Date: time.Unix(seconds+int64(i), 0), Header: textproto.MIMEHeader{"Content-Type": {media}}}
			head := ""
			if warcType == "response" {
				head = "HTTP/1.1 200 OK\r\nContent-Type: " + media + "\r\n\r\n"
			}
			if err := write(w, r, head, body); err != nil {
				t.Skip(err)
			}
		}
		a, again := archivetest.Memory(t), archivetest.Memory(t)
		done, err := importer.Import(t.Context(), a, bytes.NewReader(file.Bytes()), time.UTC, noon)
		if err != nil && !errors.Is(err, importer.ErrFile) {
			t.Fatal(err)
		}
		report, _ := json.Marshal(done)
		want := contents(t, a)
		if strings.Contains(string(report)+want+fmt.Sprint(err), capturedKey) && !bytes.Contains(append(first, second...), []byte(capturedKey)) {
			t.Errorf("the key is in %s%s, %v", report, want, err)
		}
		if twice, _ := importer.Import(t.Context(), a, bytes.NewReader(file.Bytes()), time.UTC, noon); twice.Stored+twice.Versions > 0 || contents(t, a) != want {
			t.Errorf("a second time: %s%s\nwant %s", summaryOf(twice), contents(t, a), want)
		}
		for flaw, err := range a.Check(t.Context(), archive.CheckOptions{Derive: func(r *archive.Record) error { return wire.Fill(r, time.UTC) }, Jobs: 1}) {
			t.Errorf("the check says %s, %v", flaw, err)
		}
		lines := exported(t, a)
		if _, err := importer.Import(t.Context(), again, bytes.NewReader(lines), time.UTC, noon); err != nil {
			t.Errorf("what was stored cannot be exported and read: %v\n%s", err, lines)
		}
		if more := exported(t, again); !bytes.Equal(lines, more) {
			t.Errorf("exported again:\n%s\nwant\n%s", more, lines)
		}
	})
}
