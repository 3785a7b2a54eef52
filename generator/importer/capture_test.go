package importer_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"ayna/archive"
	"ayna/archive/archivetest"
	"ayna/archive/postgrestest"
	"ayna/generator/importer"
	"ayna/generator/warc"
	"ayna/generator/wire"
	"ayna/testrun"
)

// captures are the records of a WARC file, from files in testdata/captures. The name of
// each part is a date, an address, and what differs from an answer of JSON: a status, a
// content type, or the type of the WARC record.
type captures []txtar.File

func (c captures) warc(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := warc.NewWriter(&b)
	for _, part := range c {
		fields := strings.Fields(part.Name)
		date, err := time.Parse(time.RFC3339, fields[0])
		if err != nil {
			t.Fatal(err)
		}
		r := &warc.Record{Type: "response", URI: fields[1], Date: date, Header: textproto.MIMEHeader{"Content-Type": {"application/http"}}}
		status, media := "200", "application/json"
		for _, field := range fields[2:] {
			switch {
			case strings.Contains(field, "/"):
				media = field
			case field[0] >= '1' && field[0] <= '9':
				status = field
			default:
				r.Type = field
			}
		}
		head := "HTTP/1.1 " + status + " x\r\nContent-Type: " + media + "\r\n\r\n"
		if r.Type != "response" {
			head, r.Header = "", textproto.MIMEHeader{"Content-Type": {media}}
		}
		if err := write(w, r, head, bytes.TrimSpace(part.Data)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func write(w *warc.Writer, r *warc.Record, head string, body []byte) error {
	_, err := w.Write(r, []byte(head), func(w io.Writer) error { _, err := w.Write(body); return err })
	return err
}

// answer is a capture: its address may be followed by what differs from an answer of JSON.
func answer(date, address, body string) txtar.File {
	return txtar.File{Name: date + " " + address, Data: []byte(body)}
}

// wacz puts WARC files into a WACZ file, or others under their names.
func wacz(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range files {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = to.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func imported(t testing.TB, a *archive.Archive, file []byte) importer.Imported {
	t.Helper()
	done, err := importer.Import(t.Context(), a, bytes.NewReader(file), time.UTC, noon)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// contents writes all that an archive has of its records.
func contents(t testing.TB, a *archive.Archive) string {
	t.Helper()
	var all []string
	for r, err := range a.Records(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s: %s\n", r.Kind, r.ID, r.Title)
		for _, m := range []struct {
			name string
			time time.Time
		}{{"seen", r.Seen}, {"listed", r.Listed}, {"fetched", r.Fetched}, {"changed", r.Changed}, {"gone", r.GoneAt}} {
			if !m.time.IsZero() {
				fmt.Fprintf(&b, "  %s %s\n", m.name, m.time.Format(time.RFC3339Nano))
			}
		}
		if r.FetchDue {
			b.WriteString("  to be fetched\n")
		}
		for _, part := range []struct {
			name string
			json []byte
		}{{"list", r.List}, {"single", r.Single}, {"found", r.Hit}} {
			if part.json != nil {
				fmt.Fprintf(&b, "  %s %s\n", part.name, part.json)
			}
		}
		for e, err := range a.Earlier(t.Context(), r.Row) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "  until %s %s %s\n", e.ReplacedAt.Format(time.RFC3339Nano), e.Part, e.JSON)
		}
		all = append(all, b.String())
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

func summaryOf(done importer.Imported) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d stored, %d versions, %d kept\n", done.Stored, done.Versions, done.Kept)
	for _, l := range done.LeftOut {
		fmt.Fprintf(&b, "left out: %d %s; %s\n", l.Count, l.Reason, l.First)
	}
	return b.String()
}

// captureFiles returns the files in testdata/captures by name. The last part of each is
// what the captures give.
func captureFiles(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	names, err := filepath.Glob("testdata/captures/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	files := make(map[string]*txtar.Archive)
	for _, name := range names {
		if files[name], err = txtar.ParseFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// D68: TestD68Captures imports each file in testdata/captures: as it is, again, in any order, and
// divided into two files of a WACZ file.
func TestD68Captures(t *testing.T) {
	t.Parallel()
	for name, file := range captureFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			last := len(file.Files) - 1
			all, want := captures(file.Files[:last]), &file.Files[last]
			a := archivetest.Memory(t)
			done := imported(t, a, all.warc(t))
			got := contents(t, a)
			if text := summaryOf(done) + got; *update {
				want.Data = []byte(text)
				if err := os.WriteFile(name, txtar.Format(file), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if text != string(want.Data) {
				t.Errorf("got\n%s\nwant\n%s", text, want.Data)
			}
			state, _ := a.Generation(t.Context())
			if done = imported(t, a, all.warc(t)); done.Stored+done.Versions+done.Pictures > 0 || contents(t, a) != got {
				t.Errorf("a second import: %s%s\nwant\n%s", summaryOf(done), contents(t, a), got)
			}
			if again, err := a.Generation(t.Context()); again != state || err != nil {
				t.Errorf("a second import leads to a build: generation %s, was %s, %v", again, state, err)
			}
			for f, err := range a.Check(t.Context(), archive.CheckOptions{Derive: func(r *archive.Record) error { return wire.Fill(r, time.UTC) }, Jobs: 1}) {
				t.Errorf("the check says %s, %v", f, err)
			}
			random := rand.New(rand.NewPCG(1, 2))
			for range 8 {
				other := slices.Clone(all)
				random.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
				half := len(other) / 2
				b := archivetest.Memory(t)
				imported(t, b, wacz(t, map[string][]byte{"archive/a.warc.gz": other[:half].warc(t), "archive/b.warc.gz": other[half:].warc(t), "pages/pages.jsonl": nil}))
				if text := contents(t, b); text != got {
					t.Errorf("in another order\n%s\nwant\n%s", text, got)
				}
			}
		})
	}
}

// D68: captures give the same archive in PostgreSQL.
func TestD68Postgres(t *testing.T) {
	t.Parallel()
	a, b := archivetest.Open(t, postgrestest.Address(t)), archivetest.Memory(t)
	for name, file := range captureFiles(t) {
		last := len(file.Files) - 1
		for i := range last { // the last one first, so that there are earlier ones
			one := captures(file.Files[last-1-i : last-i]).warc(t)
			done, want := imported(t, a, one), imported(t, b, one)
			if summaryOf(done) != summaryOf(want) || contents(t, a) != contents(t, b) {
				t.Fatalf("%s: %s%s\nwant\n%s%s", name, summaryOf(done), contents(t, a), summaryOf(want), contents(t, b))
			}
		}
	}
}

// D68: random captures of few records, versions and dates give the same archive
// in any order, and a second import changes nothing.
func TestD68AnyOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for round := range (testrun.Counts{Short: 15, Plain: 40, Slow: 200}).Now() {
		var all captures
		for range 2 + random.IntN(12) {
			record := fmt.Sprintf(`{"Id":"%d","ContentType":"Article","Title":"%c"}`, 1+random.IntN(2), 'a'+random.IntN(3))
			address := "http://api.example/v1/articles"
			switch random.IntN(3) {
			case 0:
				address += "/" + record[7:8]
			case 1:
				address, record = "http://api.example/v1/search/x", `{"Count":1,"List":[`+strings.TrimSuffix(record, "}")+`,"Text":"<p>x</p>"}]}`
			default:
				record = "[" + record + "]"
			}
			date := time.Date(2017, 1, 1+random.IntN(6), 0, 0, 0, 0, time.UTC).Format(time.RFC3339)
			all = append(all, answer(date, address, record))
		}
		a := archivetest.Memory(t)
		imported(t, a, all.warc(t))
		want := contents(t, a)
		for range 3 {
			if done := imported(t, a, all.warc(t)); done.Stored+done.Versions > 0 || contents(t, a) != want {
				t.Fatalf("round %d, a second import: %s%s\nwant\n%s%s", round, summaryOf(done), contents(t, a), want, txtar.Format(&txtar.Archive{Files: all}))
			}
			random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			b := archivetest.Memory(t)
			imported(t, b, all.warc(t))
			if got := contents(t, b); got != want {
				t.Fatalf("round %d, in another order\n%s\nwant\n%s%s", round, got, want, txtar.Format(&txtar.Archive{Files: all}))
			}
		}
	}
}

// capturedKey is a key in an address, which is neither stored nor reported.
const capturedKey = "0123456789abcdef0123456789abcdef"

func TestS13CapturedKey(t *testing.T) {
	t.Parallel()
	with := "?apikey=" + capturedKey
	all := captures{
		{Name: "2017-01-01T00:00:00Z http://api.example/v1/articles/1" + with, Data: []byte(`{"Id":"1","Title":"a"}`)},
		{Name: "2017-01-01T00:00:00Z http://api.example/v1/articles/2" + with, Data: []byte(`{"Id":"2","Title":"` + capturedKey + `"}`)},
		{Name: "2017-01-01T00:00:00Z http://api.example/v1/articles" + with, Data: []byte(`[{"Id":"3","Title":"` + capturedKey + `"},{"Id":"4"}]`)},
		{Name: "2017-01-01T00:00:00Z http://api.example/v1/articles/5" + with, Data: []byte(`<html>`)},
		{Name: "2017-01-01T00:00:00Z http://api.example/other" + with, Data: []byte(`x`)},
		{Name: "2017-01-01T00:00:00Z http://api.example/v1/articles/1" + with + " request", Data: []byte("GET / HTTP/1.1\r\napikey: " + capturedKey + "\r\n\r\n")},
	}
	damaged := all[:1].warc(t)
	damaged = append(damaged[:len(damaged)-8:len(damaged)-8], append([]byte("xxxxxxxx"), damaged...)...) // its checksum
	for name, file := range map[string][]byte{"whole": all.warc(t), "damaged": damaged} {
		a := archivetest.Memory(t)
		done, err := importer.Import(t.Context(), a, bytes.NewReader(file), time.UTC, noon)
		report, failed := json.Marshal(done)
		if failed != nil || done.Stored == 0 || len(done.LeftOut) == 0 {
			t.Errorf("%s: %s, %v", name, report, failed)
		}
		if text := fmt.Sprint(string(report), contents(t, a), err); strings.Contains(text, capturedKey) {
			t.Errorf("%s: the key is in %s", name, text)
		}
	}
}
