package pack_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/pack"
	"ayna/generator/site"
	"ayna/server"
	"ayna/server/newsroom"
	"ayna/server/sample"
	"ayna/templates"
	"ayna/testrun"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// sampleSite publishes the sample newspaper.
func sampleSite(t *testing.T) *config.Config {
	t.Helper()
	c, err := config.Load("../../site.yaml", os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	origin, err := url.Parse(sample.Origin)
	if err != nil {
		t.Fatal(err)
	}
	c.Widths = nil
	service, err := server.Sample(t.Context(), sample.Origin)
	if err != nil {
		t.Fatal(err)
	}
	publish(t, c, generator.Options{SampleURL: sample.Origin, Hosts: map[string]http.Handler{origin.Host: service}})
	return c
}

func publish(t *testing.T, c *config.Config, o generator.Options) {
	t.Helper()
	dir := t.TempDir()
	if o.Offline {
		dir = filepath.Dir(c.Archive)
	}
	c.Archive, c.Output = filepath.Join(dir, "archive.db"), filepath.Join(dir, "public")
	o.Config, o.Jobs, o.Templates, o.Assets, o.Now = c, 2, templates.FS, assets.FS, time.Now
	if _, err := generator.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// packed returns a site and its archive as a web archive.
func packed(t *testing.T, c *config.Config, source string) []byte {
	t.Helper()
	return packedWith(t, c, source, 0)
}

// packedWith holds so many bytes of the index in memory.
func packedWith(t *testing.T, c *config.Config, source string, held int) []byte {
	t.Helper()
	w := pack.WACZ{
		Site: siteOf(c), Archive: newsroom.Read(t, c.Archive), Source: source, Scratch: t.TempDir(), Held: held,
	}
	var file bytes.Buffer
	damaged, err := w.Write(t.Context(), &file)
	if err != nil || damaged != nil {
		t.Fatal(damaged, err)
	}
	if left, err := os.ReadDir(w.Scratch); err != nil || len(left) > 0 {
		t.Errorf("temporary files stay: %v, %v", left, err)
	}
	return file.Bytes()
}

// fewRecords publishes a site of a few records, one of them in three versions.
func fewRecords(t *testing.T, base string) *config.Config {
	t.Helper()
	c, err := config.Load("../../site.yaml", os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	c.BaseURL, c.Archive, c.Searches = base, filepath.Join(t.TempDir(), "archive.db"), nil
	c.Feeds.Formats, c.Feeds.Of, c.Feeds.Mixes = []site.Format{site.RSS}, []site.ListKind{site.OfHome}, nil
	a, err := archive.Open(t.Context(), c.Archive)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range strange {
		r.Listed, r.FetchDue = noon, r.Single == nil
		newsroom.Update(t, a, func(tx *archive.Tx) error {
			if r.Hit != nil {
				if err := tx.Hits.Put(r.ID, r.Hit); err != nil {
					return err
				}
			}
			return newsroom.Store(tx, &r)
		})
	}
	for i, title := range []string{"Bir", "İki", "Üç"} {
		text := fmt.Sprintf(`{"Id":"A/9","Title":%q,"Path":"/spor/","Text":"<p>x</p>","CreatedDate":"2026-09-01T10:00:00Z"}`, title)
		list := fmt.Sprintf(`{"Id":"A/9","Path":"/spor/","Title":%q}`, title[:2])
		r := archive.Record{Kind: archive.Article, ID: "A/9", List: []byte(list), Single: []byte(text), Listed: noon.Add(time.Duration(i) * time.Hour)}
		newsroom.Put(t, a, &r)
	}
	newsroom.Update(t, a, func(tx *archive.Tx) error { return tx.State.Set("source", `{"place of the id in writers":"query"}`) })
	writer := archive.Record{Kind: archive.Writer, ID: "7 8", List: []byte(`{"Id":"7 8"}`), Single: []byte(`{"Id":"7 8"}`), Listed: noon}
	newsroom.Put(t, a, &writer)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	publish(t, c, generator.Options{Offline: true})
	return c
}

// fileOf returns a file of a zip file.
func fileOf(t *testing.T, file []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The records of a web archive, but for assets, whose names change with their bytes.
func TestWACZRecords(t *testing.T) {
	t.Parallel()
	file := packed(t, fewRecords(t, "https://ayna.example/haber/"), "https://api.example/")
	var list strings.Builder
	for data := bytes.NewReader(fileOf(t, file, "archive/data.warc.gz")); data.Len() > 0; {
		header, content := warcRecord(t, data)
		if uri := header.Get("WARC-Target-URI"); strings.Contains(uri, "/assets/") || strings.Contains(uri, "/arama/index.") {
			continue
		}
		kind := header.Get("Content-Type")
		if head, body, ok := bytes.Cut(content, []byte("\r\n\r\n")); ok && header.Get("WARC-Type") == "response" {
			kind = string(bytes.Split(head, []byte("\r\n"))[1])
			if !bytes.Contains(head, fmt.Appendf(nil, "Content-Length: %d", len(body))) {
				t.Errorf("%s has %d bytes of content and %s", header.Get("WARC-Target-URI"), len(body), head)
			}
		}
		fmt.Fprintf(&list, "%s %s %s %s", header.Get("WARC-Type"), header.Get("WARC-Date"), header.Get("WARC-Target-URI"), kind)
		if header.Get("WARC-Type") == "resource" {
			fmt.Fprintf(&list, " %q", content)
		}
		list.WriteString("\n")
	}
	golden := filepath.Join("testdata", "wacz.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(list.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != list.String() {
		t.Errorf("the records are not those of %s (%v):\n%s", golden, err, list.String())
	}
}

// warcRecord reads the next record of a WARC file. Each is a gzip member of its own.
func warcRecord(t *testing.T, file *bytes.Reader) (textproto.MIMEHeader, []byte) {
	t.Helper()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	z.Multistream(false)
	text := textproto.NewReader(bufio.NewReader(z))
	if version, err := text.ReadLine(); version != "WARC/1.1" {
		t.Fatal(version, err)
	}
	header, err := text.ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(text.R)
	if err != nil || header.Get("Content-Length") != fmt.Sprint(len(content)-len("\r\n\r\n")) {
		t.Fatalf("%d bytes with the header %v, %v", len(content), header, err)
	}
	return header, bytes.TrimSuffix(content, []byte("\r\n\r\n"))
}

// Each line of the index leads to its record, in order, and each block to its lines.
func TestWACZIndex(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	c := sampleSite(t)
	file := packed(t, c, sample.Origin)
	if !bytes.Equal(file, packedWith(t, c, sample.Origin, 20_000)) {
		t.Error("an index that is sorted in pieces differs")
	}
	data, blocks := fileOf(t, file, "archive/data.warc.gz"), fileOf(t, file, "indexes/index.cdx.gz")
	zip, err := gzip.NewReader(bytes.NewReader(blocks))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for lines := bufio.NewScanner(zip); lines.Scan(); {
		key, text, _ := strings.Cut(lines.Text(), " {")
		keys = append(keys, key)
		var line struct {
			URL, Digest    string
			Offset, Length int64 `json:",string"`
		}
		if err := json.Unmarshal([]byte("{"+text), &line); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		header, _ := warcRecord(t, bytes.NewReader(data[line.Offset:][:line.Length]))
		if header.Get("WARC-Target-URI") != line.URL || header.Get("WARC-Payload-Digest") != "sha256:"+line.Digest {
			t.Fatalf("%s leads to %v", text, header)
		}
	}
	if !slices.IsSorted(keys) || len(keys) < 1000 {
		t.Errorf("%d lines, sorted: %v", len(keys), slices.IsSorted(keys))
	}
	for i, line := range strings.Split(strings.TrimSpace(string(fileOf(t, file, "indexes/index.idx"))), "\n") {
		key, text, _ := strings.Cut(line, " {")
		var block struct {
			Offset, Length int64
			Digest         string
		}
		if err := json.Unmarshal([]byte("{"+text), &block); err != nil || i == 0 {
			continue
		}
		part := blocks[block.Offset:][:block.Length]
		if key != keys[(i-1)*1000] || block.Digest != fmt.Sprintf("sha256:%x", sha256.Sum256(part)) {
			t.Errorf("block %d: %s", i, line)
		}
	}
}

// The data package has the hash of each file, and the pages their text.
func TestWACZFiles(t *testing.T) {
	t.Parallel()
	c := fewRecords(t, "https://ayna.example/haber/")
	file := packed(t, c, "https://api.example/")
	if again := packed(t, c, "https://api.example/"); !bytes.Equal(again, file) {
		t.Error("two web archives of the same site differ")
	}
	var p struct {
		MainPageURL string
		Resources   []struct {
			Path, Hash string
			Bytes      int
		}
	}
	description := fileOf(t, file, "datapackage.json")
	if err := json.Unmarshal(description, &p); err != nil || p.MainPageURL != "https://ayna.example/haber/" {
		t.Fatal(p, err)
	}
	if len(p.Resources) != 5 {
		t.Errorf("%d files are listed", len(p.Resources))
	}
	for _, r := range p.Resources {
		content := fileOf(t, file, r.Path)
		if hash := fmt.Sprintf("sha256:%x", sha256.Sum256(content)); hash != r.Hash || len(content) != r.Bytes {
			t.Errorf("%s has %d bytes and %s, listed are %d and %s", r.Path, len(content), hash, r.Bytes, r.Hash)
		}
	}
	if digest := string(fileOf(t, file, "datapackage-digest.json")); !strings.Contains(digest, fmt.Sprintf("%x", sha256.Sum256(description))) {
		t.Error(digest)
	}
	if pages := string(fileOf(t, file, "pages/pages.jsonl")); !strings.Contains(strings.Split(pages, "\n")[1], `"url":"https://ayna.example/haber/","ts":"`) {
		t.Error(pages)
	}
	if pages := string(fileOf(t, file, "pages/extraPages.jsonl")); !strings.Contains(pages, `"ts":"2026-09-01T10:00:00Z","title":"Üç","text":"Spor Üç`) {
		t.Error(pages)
	}
}

// Addresses are spelled as browsers do, whatever base_url is.
func TestWACZAddresses(t *testing.T) {
	t.Parallel()
	c := fewRecords(t, "https://ayna.example/")
	for _, test := range []struct{ base, home, key string }{
		{"https://AYNA.Example:443/Haber/", "https://ayna.example/Haber/", "example,ayna)/haber/ "},
		{"http://örnek.example:8080/", "http://xn--rnek-4qa.example:8080/", "example,xn--rnek-4qa:8080)/ "},
		{"http://www.ayna.example/", "http://www.ayna.example/", "example,ayna)/ "},
		{"http://[::1]:8080/", "http://[::1]:8080/", "[::1]:8080)/ "},
		{"http://user:word@127.0.0.1/ç é/", "http://127.0.0.1/%C3%A7%20%C3%A9/", "1,0,0,127)/%c3%a7%20%c3%a9/ "},
	} {
		c.BaseURL = test.base
		file := packed(t, c, "")
		zip, err := gzip.NewReader(bytes.NewReader(fileOf(t, file, "indexes/index.cdx.gz")))
		if err != nil {
			t.Fatal(err)
		}
		index, err := io.ReadAll(zip)
		if err != nil || !strings.Contains("\n"+string(index), "\n"+test.key) || !strings.Contains(string(index), `"url":"`+test.home+`"`) {
			t.Errorf("%s: %v\n%.300s", test.base, err, index)
		}
	}
}
