package output

import (
	"bytes"
	"fmt"
	"path"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// suffixes are what the names of compressed files end in, by method.
var suffixes = map[string]string{"gzip": ".gz", "zstd": ".zst"}

// texts are the extensions of files that are worth compressing.
var texts = map[string]bool{
	".html": true, ".css": true, ".js": true, ".json": true, ".xml": true, ".svg": true, ".md": true, ".txt": true,
	".webmanifest": true, ".opml": true,
}

func isText(name string) bool { return texts[path.Ext(name)] }

// compressors are made when they are first needed, and used again.
type compressors struct {
	gzip *gzip.Writer
	zstd *zstd.Encoder
}

// form returns the rendered file in a form. It is good until the next call.
func (w *worker) form(method string) (_ []byte, err error) {
	plain := w.plain.Bytes()
	if method == "" {
		return plain, nil
	}
	w.packed.Reset()
	switch method {
	case "gzip":
		err = w.compressors.gzipTo(&w.packed, plain)
	case "zstd":
		err = w.compressors.zstdTo(&w.packed, plain)
	}
	if err != nil {
		return nil, fmt.Errorf("compress with %s: %w", method, err)
	}
	return w.packed.Bytes(), nil
}

func (c *compressors) gzipTo(b *bytes.Buffer, plain []byte) (err error) {
	if c.gzip == nil {
		if c.gzip, err = gzip.NewWriterLevel(b, gzip.BestCompression); err != nil {
			return err
		}
	}
	c.gzip.Reset(b)
	if _, err := c.gzip.Write(plain); err != nil {
		return err
	}
	return c.gzip.Close()
}

// zstdTo uses one goroutine, so that the bytes do not depend on the machine.
func (c *compressors) zstdTo(b *bytes.Buffer, plain []byte) (err error) {
	if c.zstd == nil {
		c.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
	}
	b.Write(c.zstd.EncodeAll(plain, b.AvailableBuffer()))
	return nil
}
