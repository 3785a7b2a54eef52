// Package sample makes a small invented news service, the newspaper of a province that does
// not exist: its address goes in, the records and pictures of the Read API come out. Programs
// that read the API can be tried with it without a network or a key; package server
// serves it.
//
// content/ holds one file per item, with YAML front matter above its text in
// HTML, and writers.yaml, folders.yaml and pages.yaml beside them. In a text,
// haber:<id> is the address of another item, resim:<name> that of a picture
// and film:<name> that of a film; the sample has no films, only their addresses.
// earlier: in an item's front matter lists versions before corrections ([LoadEarlier]).
// pictures/ holds the pictures, <name>.jpg. Several items show the same one.
//
// Begin with content.go, which reads the content; records.go makes the records.
package sample

import (
	"context"
	"embed"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/record"
)

//go:embed content/*.yaml content/*/*.html
var contentFiles embed.FS

//go:embed pictures/*.jpg
var pictureFiles embed.FS

// Origin is the address of the sample in programs that have it built in. The
// name is reserved for examples (RFC 2606), so it resolves on no network.
const Origin = "https://" + Host

// Host is the host of [Origin].
const Host = "akcaliman-postasi.example"

// Record is one record of the sample as the service would send it.
type Record struct {
	// Group is the operation it belongs to: articles, columns,
	// newsphotogalleries, newsvideos, pages, writers or paths.
	Group string
	// ID is eight digits for an item, 24 hexadecimal digits for the others.
	ID string
	// List is the record's compact JSON in its group's list, Single the JSON
	// under its own address.
	List, Single []byte
}

// Records returns the whole sample, group after group, each in the service's
// order: items by publication, newest first, pages and writers by creation,
// newest first, paths by title. The addresses of items and pictures start with
// base, which has no trailing slash (http://127.0.0.1:8080).
func Records(base string) ([]Record, error) {
	content, err := fs.Sub(contentFiles, "content")
	if err != nil {
		return nil, err
	}
	return records(content, base)
}

// Load puts the sample into an archive as if it had just been received. base is the
// address of the service.
func Load(ctx context.Context, a *archive.Archive, base string) error {
	records, err := Records(base)
	if err != nil {
		return err
	}
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	return a.Update(ctx, func(tx *archive.Tx) error {
		// A service creates its records in the order of time, so oldest first.
		for _, published := range slices.Backward(records) {
			if err := put(tx, published, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// LoadEarlier puts earlier versions of some items into a new archive, as if they had
// been received before they were corrected. A mirror of the sample that begins with
// them shows the corrections. base is the address of the service.
func LoadEarlier(ctx context.Context, a *archive.Archive, base string) error {
	content, err := fs.Sub(contentFiles, "content")
	if err != nil {
		return err
	}
	e, err := newEncoder(content, base)
	if err != nil {
		return err
	}
	return a.Update(ctx, func(tx *archive.Tx) error {
		for _, it := range e.items {
			versions := []*item{it}
			for i, correction := range it.Earlier {
				versions = append(versions, versions[i].before(correction))
			}
			for _, version := range slices.Backward(versions[1:]) {
				const later = time.Minute
				if err := put(tx, e.item(version), version.Modified.Add(later)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// put stores a record that was received at a time.
func put(tx *archive.Tx, published Record, at time.Time) error {
	r := archive.Record{Record: record.Record{ID: published.ID, Answers: record.Answers{List: published.List, Single: published.Single}}, Progress: archive.Progress{Listed: at, Fetched: at}}
	for kind, group := range record.Groups {
		if string(group) == published.Group {
			r.Kind = kind
		}
	}
	if err := record.Fill(&r.Record, record.Dates{}); err != nil {
		return err
	}
	_, err := tx.Put(&r, at)
	return err
}

// Pictures serves GET /resim/<name>, with or without .jpg: the service has its pictures
// at both addresses.
func Pictures() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /resim/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=86400")
		http.ServeFileFS(w, r, pictureFiles, pictureFile(strings.TrimSuffix(r.PathValue("name"), ".jpg")))
	})
	return mux
}

func pictureFile(name string) string { return "pictures/" + name + ".jpg" }
