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
	"io/fs"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/pack"
	"ayna/server/newsroom"
	"ayna/testrun"
)

var update = flag.Bool("update", false, "rewrite the golden file")

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

// fileOf returns a file of a zip file.
func fileOf(t *testing.T, file []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	content, err := fs.ReadFile(z, name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The records of a web archive, but for assets, whose names change with their bytes.
func TestWACZRecords(t *testing.T) {
	t.Parallel()
	file := packed(t, fewRecords(t), "https://api.example/")
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
	c := configured(t, t.TempDir())
	a := newsroom.Open(t, c.Archive)
	newsroom.Put(t, a, newsroom.Articles(300, newsroom.Noon, time.Minute)...)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	publish(t, c, generator.Options{Offline: true})
	file := packed(t, c, "https://api.example/")
	if !bytes.Equal(file, packedWith(t, c, "https://api.example/", 20_000)) {
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
	lines := strings.Split(strings.TrimSpace(string(fileOf(t, file, "indexes/index.idx"))), "\n")
	if blocks := len(lines) - 1; blocks != (len(keys)+999)/1000 { // the first line has the form
		t.Errorf("%d blocks of %d lines", blocks, len(keys))
	}
	for i, line := range lines {
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
	c := fewRecords(t)
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
	c := fewRecords(t)
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
