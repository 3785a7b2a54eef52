package importer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"ayna/client"
	"ayna/export/importer"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// counted counts the reads from a reader, and calls after at each.
type counted struct {
	io.Reader
	reads, bytes int
	after        func(reads int)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.reads++
	c.bytes += n
	c.after(c.reads)
	return n, err
}

func gzipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(content)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A cancelled import reads no further, whatever the file holds.
func TestCancelled(t *testing.T) {
	t.Parallel()
	a := fakepaper.Archive(t)
	for name, content := range map[string][]byte{
		"empty lines":              bytes.Repeat([]byte("\n"), 4<<20),
		"a long line":              bytes.Repeat([]byte(" "), 4<<20),
		"compressed empty lines":   bytes.Repeat(gzipped(t, bytes.Repeat([]byte("\n"), 1<<10)), 40_000),
		"compressed empty members": bytes.Repeat(gzipped(t, nil), 40_000),
	} {
		ctx, cancel := context.WithCancel(t.Context())
		from := &counted{Reader: bytes.NewReader(content), after: func(reads int) {
			if reads == 3 {
				cancel()
			}
		}}
		_, err := importer.Import(ctx, a, from, record.Dates{}, nil)
		if !errors.Is(err, context.Canceled) || errors.Is(err, importer.ErrFile) || from.reads > 3 {
			t.Errorf("%s: %v after %d reads", name, err, from.reads)
		}
	}
}

// endless is a text without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A line may be as long as an answer of the API, and no more of a longer one is read.
func TestLongLine(t *testing.T) {
	t.Parallel()
	from := &counted{Reader: io.MultiReader(strings.NewReader(lineOf("1")), endless{}), after: func(int) {}}
	got, err := importer.Import(t.Context(), fakepaper.Archive(t), from, record.Dates{}, nil)
	if !errors.Is(err, importer.ErrLine) || !strings.Contains(err.Error(), "line 2 ") || !strings.Contains(err.Error(), "longer than 64 MiB") || got.Stored != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if from.bytes > client.MaxBody+1<<20 {
		t.Errorf("%d bytes are read", from.bytes)
	}
}
