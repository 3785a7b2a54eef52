package pack

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"ayna/generator/warc"
)

// cdxj is the index of a WARC file: a line for each record, sorted by the key of its
// address and its date. It holds the last lines in memory and the others in a file, in
// sorted runs.
type cdxj struct {
	file  *os.File
	runs  []int64 // where they end
	held  []byte
	lines []span
	limit int // of held, in bytes
}

// span is the place of a line in cdxj.held.
type span struct{ from, to int32 }

// cdxLine is what the index has on a record, beside key and date. Its form is that of
// warcio and pywb, where numbers are text.
type cdxLine struct {
	URL    string `json:"url"`
	MIME   string `json:"mime"`
	Status string `json:"status,omitempty"`
	Digest string `json:"digest"`
	Length string `json:"length"`
	Offset string `json:"offset"`
	File   string `json:"filename"`
}

// add adds a record.
func (c *cdxj) add(r *warc.Record, status, mime string, place warc.Place) error {
	media, _, _ := strings.Cut(mime, ";")
	_, digest, _ := strings.Cut(r.Header.Get("WARC-Payload-Digest"), ":")
	if c.held == nil {
		c.held = make([]byte, 0, c.limit+1<<16) // growing would take twice as much
	}
	start := len(c.held)
	c.held = fmt.Appendf(c.held, "%s %s ", surt(r.URI), r.Date.UTC().Format("20060102150405"))
	text := bytes.NewBuffer(c.held)
	line := json.NewEncoder(text)
	line.SetEscapeHTML(false)
	err := line.Encode(cdxLine{r.URI, media, status, digest, fmt.Sprint(place.Length), fmt.Sprint(place.Offset), warcName})
	c.held = text.Bytes()
	c.lines = append(c.lines, span{int32(start), int32(len(c.held))})
	if err == nil && len(c.held) >= c.limit {
		err = c.spill()
	}
	return err
}

// spill writes the lines that are held to the file, as a run.
func (c *cdxj) spill() error {
	slices.SortFunc(c.lines, func(a, b span) int { return bytes.Compare(c.held[a.from:a.to], c.held[b.from:b.to]) })
	to := bufio.NewWriter(c.file)
	for _, l := range c.lines {
		to.Write(c.held[l.from:l.to])
	}
	if err := to.Flush(); err != nil {
		return err
	}
	end, err := c.file.Seek(0, io.SeekCurrent)
	c.runs, c.held, c.lines = append(c.runs, end), c.held[:0], c.lines[:0]
	return err
}

// each calls do for each line in order.
func (c *cdxj) each(do func(line []byte) error) error {
	if err := c.spill(); err != nil {
		return err
	}
	var runs []*bufio.Reader
	var heads [][]byte // the next line of each run; nil after its last
	begin := int64(0)
	for _, end := range c.runs {
		runs = append(runs, bufio.NewReader(io.NewSectionReader(c.file, begin, end-begin)))
		heads = append(heads, nil)
		begin = end
	}
	advance := func(i int) (err error) {
		if heads[i], err = runs[i].ReadBytes('\n'); errors.Is(err, io.EOF) {
			heads[i], err = nil, nil
		}
		return err
	}
	for i := range runs {
		if err := advance(i); err != nil {
			return err
		}
	}
	for {
		least := -1
		for i, head := range heads {
			if head != nil && (least < 0 || bytes.Compare(head, heads[least]) < 0) {
				least = i
			}
		}
		if least < 0 {
			return nil
		}
		if err := errors.Join(do(heads[least]), advance(least)); err != nil {
			return err
		}
	}
}

// write writes the lines in gzip members of at most 1000, and returns the index of these.
func (c *cdxj) write(w io.Writer, name string) (index []byte, err error) {
	index = fmt.Appendf(nil, "!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": %q}\n", name)
	var block bytes.Buffer
	var first []byte
	offset, count := 0, 0
	zip := gzip.NewWriter(&block)
	flush := func() error {
		if count == 0 {
			return nil
		}
		if err := zip.Close(); err != nil {
			return err
		}
		index = fmt.Appendf(index, "%s{\"offset\": %d, \"length\": %d, \"digest\": \"sha256:%x\", \"filename\": %q}\n",
			first, offset, block.Len(), sha256.Sum256(block.Bytes()), name)
		offset += block.Len()
		_, err := block.WriteTo(w)
		zip.Reset(&block)
		count = 0
		return err
	}
	err = c.each(func(line []byte) error {
		if count == 0 {
			first = line[:bytes.IndexByte(line, '{')]
		}
		zip.Write(line) // Close returns its error
		if count++; count < 1000 {
			return nil
		}
		return flush()
	})
	return index, errors.Join(err, flush())
}

// surt returns the key of an address: the host reversed, then path and query, in lower
// case, as warcio and pywb make it.
func surt(address string) string {
	u, err := url.Parse(strings.ToLower(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return address
	}
	host, port := u.Host, ""
	if p := u.Port(); p != "" {
		host, port = strings.TrimSuffix(host, ":"+p), ":"+p
	}
	if rest, found := strings.CutPrefix(host, "www"); found {
		if rest = strings.TrimLeft(rest, "0123456789"); strings.HasPrefix(rest, ".") {
			host = rest[1:]
		}
	}
	labels := strings.Split(host, ".")
	slices.Reverse(labels)
	key := strings.Join(labels, ",") + port + ")" + u.EscapedPath()
	if u.RawQuery != "" {
		parameters := strings.Split(u.RawQuery, "&")
		slices.Sort(parameters)
		key += "?" + strings.Join(parameters, "&")
	}
	return key
}
