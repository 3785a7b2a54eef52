// Package sample is a small invented news service: the newspaper of a province
// that does not exist, in the wire shape of the read API, with drawn pictures.
// It lets everything that reads the API be tried without a network or a key.
//
// The content lies in content/: one file an item, with YAML front matter over
// its text in HTML, and writers.yaml, folders.yaml and pages.yaml beside them.
// In the texts an address haber:<id> stands for another item, and
// resim:<scene>/<seed> for a picture; film:<name> stands for a film, which the
// sample names but does not have. A file that breaks a rule is an error of
// [Records] that names it, so a mistake never becomes a hole in the sample.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed content/*.yaml content/*/*.html
var embedded embed.FS

// Record is one record of the sample as the service would send it.
type Record struct {
	// Group is the operation it belongs to: articles, columns,
	// newsphotogalleries, newsvideos, pages, writers or paths.
	Group string
	// ID is eight digits for an item, 24 hexadecimal digits for the others.
	ID string
	// List and Single are the compact JSON of the record in its group's list
	// and under its own address.
	List, Single []byte
}

// Records returns the whole sample, group after group, each in the service's
// order: items by publication, newest first, pages and writers by creation,
// newest first, paths by title. Base is the address of whatever serves it,
// without a slash at the end (http://127.0.0.1:8080); the addresses of items
// and pictures start with it.
func Records(base string) ([]Record, error) {
	content, err := fs.Sub(embedded, "content")
	if err != nil {
		return nil, err
	}
	return records(content, base)
}

func records(content fs.FS, base string) ([]Record, error) {
	paper, err := read(content)
	if err != nil {
		return nil, err
	}
	return (&press{newspaper: paper, base: base}).print()
}
