package pack

import (
	"context"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// Parquet writes the table as an Apache Parquet file. Its key-value metadata has the data
// dictionary, one entry per column ("column.title"), and the address of the site
// ("base_url"). Records with damaged JSON are left out and returned as "kind id".
func (t *Table) Parquet(ctx context.Context, w io.Writer) (damaged []string, err error) {
	// A row group is held in memory, compressed, until it is written.
	const rowGroupBytes = 32 << 20
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(pageBytes), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, fmt.Errorf("export records: %w", err)
	}
	to := parquet.NewGenericWriter[row](w, append(t.parquetOptions(), parquet.Compression(codec{&parquet.Zstd, encoder}))...)
	size := 0 // bytes of text in the row group
	damaged, err = t.rows(ctx, true, func(rows []row) error {
		for _, r := range rows {
			size += len(r.Text) + len(r.Markdown)
		}
		if _, err := to.Write(rows); err != nil || size < rowGroupBytes {
			return err
		}
		size = 0
		return to.Flush()
	})
	if err == nil {
		err = to.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("export records: %w", err)
	}
	return damaged, nil
}

// pageBytes is the size of a column's pages, which are compressed one by one.
const pageBytes = 256 << 10

// codec compresses pages with one encoder. Those of [parquet.Zstd] keep 8 MiB each.
type codec struct {
	compress.Codec
	encoder *zstd.Encoder
}

func (c codec) Encode(to, page []byte) ([]byte, error) { return c.encoder.EncodeAll(page, to[:0]), nil }

func (t *Table) parquetOptions() []parquet.WriterOption {
	options := []parquet.WriterOption{
		parquet.CreatedBy("ayna", "", ""), // without a version: the same archive gives the same bytes
		parquet.PageBufferSize(pageBytes),
		parquet.DataPageStatistics(false), // the page index has them, shortened
		parquet.KeyValueMetadata("base_url", t.BaseURL),
	}
	for _, c := range Columns() {
		about := c.Type
		if c.Unit != "" {
			about += " (" + c.Unit + ")"
		}
		about += ": " + c.About
		if c.From != "" {
			about += ". From " + c.From
		}
		options = append(options, parquet.KeyValueMetadata("column."+c.Name, about))
	}
	for _, long := range []string{"spot", "text", "markdown"} { // their bounds would be whole texts
		options = append(options, parquet.SkipPageBounds(long))
	}
	return options
}
