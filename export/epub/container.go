package epub

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"hash/crc32"
	"io"
	"path"
)

const (
	dir          = "EPUB/"
	declaration  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	containerXML = declaration + `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="` + dir + `package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`
)

// container is the ZIP file of a book (EPUB 3.3, section 4.2). After an error nothing more
// is written.
type container struct {
	zip     *zip.Writer
	deflate *flate.Writer
	packed  bytes.Buffer // a file, deflated
	err     error
}

func newContainer(w io.Writer) *container {
	c := &container{zip: zip.NewWriter(w)}
	c.deflate, c.err = flate.NewWriter(&c.packed, flate.DefaultCompression)
	c.put("mimetype", []byte("application/epub+zip"))
	c.put("META-INF/container.xml", []byte(containerXML))
	return c
}

// earliest is the earliest date that the format can express: 1980-01-01.
const earliest = 1<<5 | 1

// put writes a file, compressed if it is text. Its header has the sizes, so that none follow
// the content, and no extra field, which the first file of a book must not have.
func (c *container) put(name string, content []byte) {
	if c.err != nil {
		return
	}
	header := &zip.FileHeader{
		Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(content), UncompressedSize64: uint64(len(content)),
		ModifiedDate: earliest, //lint:ignore SA1019 Modified would add an extra field
	}
	switch path.Ext(name) {
	case ".xhtml", ".opf", ".ncx", ".css", ".xml":
		c.packed.Reset()
		c.deflate.Reset(&c.packed)
		c.deflate.Write(content) // a buffer takes everything
		c.deflate.Close()
		header.Method, content = zip.Deflate, c.packed.Bytes()
	}
	header.CompressedSize64 = uint64(len(content))
	w, err := c.zip.CreateRaw(header)
	if err == nil {
		_, err = w.Write(content)
	}
	c.fail(err)
}

// fail keeps the first error.
func (c *container) fail(err error) { c.err = cmp.Or(c.err, err) }

// close completes the file, or returns the first error.
func (c *container) close() error {
	if c.err != nil {
		return c.err
	}
	return c.zip.Close()
}
