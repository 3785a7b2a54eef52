package pack

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/site"
	"ayna/generator/sync"
	"ayna/generator/warc"
)

// WACZ is a web archive to write. Its WARC file has a response for each file of the site but
// compressed copies, 404.html and manifest.sha256, dated by the item's last change, else the
// archive's; a revisit for each …/index.html, whose response is that of …/; and a resource
// for the JSON of each record and of its earlier versions, newest first, at the address of
// its operation. pages.jsonl has home and sections, extraPages.jsonl the items with texts.
type WACZ struct {
	*Site
	Archive *archive.Archive
	Source  string // address of the service, without /v1; "" takes that of the site
	Scratch string // folder for the lines of the index and the texts of items
	Alone   bool   // the site, without records: these were no answers at addresses of their own
	Held    int    // bytes of lines of the index to hold in memory; 0 is 4 MiB
}

// wacz is a web archive that is being written.
type wacz struct {
	WACZ
	base, source *url.URL
	places       map[client.Group]client.Place // of ids in addresses of the source
	newest       time.Time                     // when the archive changed last
	revised      map[int64]bool                // rows of records with earlier versions
	zip          *zip.Writer
	files        []waczFile
	warc         *warc.Writer
	index        cdxj
	content      bytes.Buffer  // of a page
	home, fronts bytes.Buffer  // lines of pages.jsonl
	items        *bufio.Writer // lines of extraPages.jsonl
}

// waczFile is a file of the web archive, as its data package lists it.
type waczFile struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Hash  string `json:"hash"`
	Bytes int64  `json:"bytes"`
}

const (
	warcName  = "data.warc.gz"
	indexName = "index.cdx.gz"
)

// Write writes the site and the records as a web archive (WACZ 1.1.1). It returns records
// with damaged JSON, which are left out, as "kind id".
func (a WACZ) Write(ctx context.Context, to io.Writer) (damaged []string, err error) {
	damaged, err = a.write(ctx, to)
	if err != nil {
		return nil, fmt.Errorf("write the web archive: %w", err)
	}
	return damaged, nil
}

func (a WACZ) write(ctx context.Context, to io.Writer) (damaged []string, err error) {
	z := &wacz{WACZ: a, zip: zip.NewWriter(to)}
	if z.base, err = webAddress(a.BaseURL); err != nil {
		return nil, err
	}
	z.source = z.base
	if a.Source != "" {
		if z.source, err = webAddress(a.Source); err != nil {
			return nil, err
		}
	}
	if z.newest, err = lastChange(ctx, a.Archive.Catalog); err != nil {
		return nil, err
	}
	found, err := sync.Found(ctx, a.Archive.State)
	z.places = client.PlacesIn(found)
	if err != nil {
		return nil, err
	}
	z.revised = make(map[int64]bool)
	for row, err := range a.Archive.Catalog.RevisedRows(ctx) {
		if err != nil {
			return nil, err
		}
		z.revised[row] = true
	}
	var temp [2]*os.File
	for i := range temp {
		if temp[i], err = os.CreateTemp(a.Scratch, ""); err != nil {
			return nil, err
		}
		defer os.Remove(temp[i].Name())
		defer temp[i].Close()
	}
	z.index.file, z.index.limit, z.items = temp[0], cmp.Or(a.Held, 4<<20), bufio.NewWriter(temp[1])
	err = z.file("archive/"+warcName, func(w io.Writer) error {
		z.warc = warc.NewWriter(w)
		damaged, err = z.records(ctx)
		return err
	})
	if err == nil {
		err = errors.Join(z.items.Flush(), z.lists(temp[1]))
	}
	if err == nil {
		err = z.zip.Close()
	}
	return damaged, err
}

// lastChange returns when the archive changed last, in whole seconds.
func lastChange(ctx context.Context, catalog archive.Catalog) (time.Time, error) {
	last := epoch
	for r, err := range catalog.Scan(ctx) {
		if err != nil {
			return last, err
		}
		for _, t := range []time.Time{r.Seen, r.Fetched, r.Changed, r.GoneAt} {
			if t.After(last) {
				last = t
			}
		}
	}
	return last.UTC().Truncate(time.Second), nil
}

// webAddress parses an address and spells it as browsers do.
func webAddress(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	host := strings.ToLower(u.Hostname())
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	clean := &url.URL{Scheme: u.Scheme, Host: host, Path: strings.TrimSuffix(u.Path, "/") + "/"}
	if port := u.Port(); port != "" && port != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		clean.Host = net.JoinHostPort(host, port)
	} else if strings.Contains(host, ":") {
		clean.Host = "[" + host + "]"
	}
	return clean, nil
}

// file writes a file of the web archive and notes it for the data package.
func (z *wacz) file(name string, write func(io.Writer) error) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: epoch}
	if path.Ext(name) == ".gz" {
		header.Method = zip.Store // so that each record and block can be read alone
	}
	header.SetMode(0o644)
	to, err := z.zip.CreateHeader(header)
	if err != nil {
		return err
	}
	sum, size := sha256.New(), counter(0)
	if err := write(io.MultiWriter(to, sum, &size)); err != nil {
		return err
	}
	z.files = append(z.files, waczFile{path.Base(name), name, fmt.Sprintf("sha256:%x", sum.Sum(nil)), int64(size)})
	return nil
}

// counter counts the bytes that are written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func writes(content []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(content); return err }
}

// lists writes what follows the WARC file: its index, the lists of pages, and the data
// package.
func (z *wacz) lists(items *os.File) error {
	var blocks []byte
	err := z.file("indexes/"+indexName, func(w io.Writer) (err error) { blocks, err = z.index.write(w, indexName); return err })
	if err != nil {
		return err
	}
	text := func(v any) []byte { t, _ := json.MarshalIndent(v, "", "  "); return append(t, '\n') } // cannot fail
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"indexes/index.idx", writes(blocks)},
		{"pages/pages.jsonl", func(w io.Writer) error {
			_, err := io.Copy(w, io.MultiReader(strings.NewReader(pagesHead("pages")), &z.home, &z.fronts))
			return err
		}},
		{"pages/extraPages.jsonl", func(w io.Writer) error {
			if _, err := items.Seek(0, io.SeekStart); err != nil {
				return err
			}
			_, err := io.Copy(w, io.MultiReader(strings.NewReader(pagesHead("extra")), items))
			return err
		}},
		{"datapackage.json", func(w io.Writer) error {
			_, err := w.Write(text(struct {
				Profile     string     `json:"profile"`
				Version     string     `json:"wacz_version"`
				Title       string     `json:"title"`
				Description string     `json:"description,omitempty"`
				Created     time.Time  `json:"created"`
				Software    string     `json:"software"`
				MainPage    string     `json:"mainPageUrl"`
				MainDate    time.Time  `json:"mainPageDate"`
				Resources   []waczFile `json:"resources"`
			}{"data-package", "1.1.1", z.Title, z.About, z.newest, "ayna", z.base.String(), z.newest, z.files}))
			return err
		}},
	} {
		if err := z.file(f.name, f.write); err != nil {
			return err
		}
	}
	return z.file("datapackage-digest.json", writes(text(map[string]string{"path": "datapackage.json", "hash": z.files[len(z.files)-1].Hash})))
}

func pagesHead(id string) string {
	return fmt.Sprintf("{\"format\": \"json-pages-1.0\", \"id\": %q, \"title\": \"All Pages\", \"hasText\": true}\n", id)
}

// records writes the records of the WARC file.
func (z *wacz) records(ctx context.Context) (damaged []string, err error) {
	info := &warc.Record{Type: "warcinfo", Date: z.newest, Header: textproto.MIMEHeader{"Content-Type": {"application/warc-fields"}}}
	if _, err := z.warc.Write(info, nil, writes([]byte("software: ayna\r\nformat: WARC File Format 1.1\r\n"))); err != nil {
		return nil, err
	}
	if err := z.pack(ctx, []string{site.NotFound, site.Manifest}, z.served); err != nil {
		return nil, err
	}
	if z.Alone {
		return nil, nil
	}
	progress := func(done int) {
		if z.Progress != nil {
			z.Progress(done, 0)
		}
	}
	return each(ctx, z.Archive.Records, Part{}, progress, func(r *archive.Record) error { return z.answers(ctx, r) })
}

// put writes a record and adds it to the index.
func (z *wacz) put(r *warc.Record, status, mime string, head []byte, body func(io.Writer) error) error {
	place, err := z.warc.Write(r, head, body)
	if err != nil {
		return err
	}
	return z.index.add(r, status, mime, place)
}

// address returns where a file is served.
func (z *wacz) address(name string) string {
	u := *z.base
	u.Path += name
	return u.String()
}

// served writes the response of a server with a file of the site. A directory's page
// is served under the address of the directory and under its own, which pages link.
func (z *wacz) served(e entry) error {
	address, date, body := z.address(e.name), z.newest, e.write
	if path.Base(e.name) == "index.html" {
		address = z.address(strings.TrimSuffix(e.name, "index.html"))
	}
	if path.Ext(e.name) == ".html" {
		z.content.Reset()
		if err := e.write(&z.content); err != nil {
			return err
		}
		body = writes(z.content.Bytes())
		var err error
		if date, err = z.listPage(e.name, address, z.content.Bytes()); err != nil {
			return err
		}
	}
	var size counter
	if err := body(&size); err != nil {
		return err
	}
	mime := site.ContentType(e.name)
	head := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", mime, size)
	header := textproto.MIMEHeader{"Content-Type": {"application/http; msgtype=response"}}
	response := &warc.Record{Type: "response", URI: address, Date: date, Header: header}
	if err := z.put(response, "200", mime, head, body); err != nil || address == z.address(e.name) {
		return err
	}
	revisit := &warc.Record{Type: "revisit", URI: z.address(e.name), Date: date, Header: response.Header}
	revisit.Header["Warc-Profile"] = []string{"http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"}
	revisit.Header["Warc-Refers-To-Target-Uri"] = []string{address}
	revisit.Header["Warc-Refers-To-Date"] = []string{date.Format(time.RFC3339)}
	return z.put(revisit, "200", "warc/revisit", head, writes(nil))
}

// listPage adds a page to the lists of pages: home and the page of each directory to the
// main one, items with their text to the other. It returns the page's date.
func (z *wacz) listPage(name, address string, content []byte) (time.Time, error) {
	head, _, _ := bytes.Cut(content, []byte("<body"))
	p, date := inspect(head), z.newest
	if p.isItem && !p.changed.IsZero() {
		date = p.changed.UTC().Truncate(time.Second)
	}
	line := struct {
		ID    string    `json:"id"`
		URL   string    `json:"url"`
		Time  time.Time `json:"ts"`
		Title string    `json:"title"`
		Text  string    `json:"text,omitempty"`
	}{fmt.Sprintf("%x", sha256.Sum256([]byte(address)))[:16], address, date, p.title, ""}
	to := io.Writer(&z.fronts)
	switch {
	case p.isItem:
		to, line.Text = z.items, articleText(content)
	case name == start:
		to = &z.home
	case path.Base(name) != start || strings.Count(name, "/") > 1:
		return date, nil
	}
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	return date, encoder.Encode(line)
}
