package output

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// suffixes are the extensions of compressed files, by method.
var suffixes = map[string]string{"gzip": ".gz", "zstd": ".zst"}

// textTypes are the extensions of files that are compressed.
var textTypes = map[string]bool{
	".html": true, ".css": true, ".js": true, ".json": true, ".xml": true, ".svg": true, ".md": true, ".txt": true,
	".webmanifest": true, ".opml": true,
}

func isText(name string) bool { return textTypes[path.Ext(name)] }

// compressor writes the compressed variant of a file. Each worker reuses its own,
// because a new one is costly.
type compressor func(to *bytes.Buffer, plain []byte) error

func newCompressor(method string) (compressor, error) {
	switch method {
	case "gzip":
		w, err := gzip.NewWriterLevel(nil, gzip.BestCompression)
		return func(to *bytes.Buffer, plain []byte) error {
			w.Reset(to)
			_, err := w.Write(plain)
			return errors.Join(err, w.Close())
		}, err
	case "zstd":
		// With one goroutine the bytes do not depend on the machine.
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1))
		return func(to *bytes.Buffer, plain []byte) error {
			to.Write(w.EncodeAll(plain, to.AvailableBuffer()))
			return nil
		}, err
	}
	return nil, fmt.Errorf("%q is not a compression method", method)
}

// content returns the rendered file, compressed by a method, "" for none. The content
// is valid until the next call.
func (w *worker) content(method string) (content []byte, err error) {
	if method == "" {
		return w.plain.Bytes(), nil
	}
	compress := w.compressors[method]
	if compress == nil {
		if compress, err = newCompressor(method); err != nil {
			return nil, err
		}
		w.compressors[method] = compress
	}
	w.packed.Reset()
	err = compress(&w.packed, w.plain.Bytes())
	return w.packed.Bytes(), err
}
