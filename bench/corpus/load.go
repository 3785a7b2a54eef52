package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"ayna/archive"
	"ayna/generator/wire"
)

// writeArchive puts the items into the archive, as the synchronisation does
// with the answers of a service.
func writeArchive(ctx context.Context, s settings, p *paper, orders iter.Seq[order]) error {
	_, err := os.Stat(s.archive)
	switch {
	case s.change > 0 && err != nil:
		return fmt.Errorf("edit the archive: %w", err)
	case s.change == 0 && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("make the archive: there is a file %s; remove it, or name another", s.archive)
	}
	a, err := archive.Open(ctx, s.archive)
	if err != nil {
		return err
	}
	if s.change == 0 {
		err = errors.Join(putFrame(ctx, a), writeSettings(s))
	}
	if err == nil {
		err = inBatches(p, orders, filled, func(records []*archive.Record) error { return put(ctx, a, records) })
	}
	return errors.Join(err, a.Close())
}

// putFrame stores what items refer to.
func putFrame(ctx context.Context, a *archive.Archive) error {
	var records []*archive.Record
	add := func(r *archive.Record, err error) error {
		if err == nil {
			err = wire.Fill(r, time.UTC)
		}
		records = append(records, r)
		return err
	}
	for i := range folders {
		if err := add(folders[i].record()); err != nil {
			return err
		}
	}
	for i := range writers {
		if err := add(writers[i].record()); err != nil {
			return err
		}
	}
	return put(ctx, a, records)
}

// filled is the record of an item with its light metadata.
func filled(it item) (*archive.Record, error) {
	r, err := it.record()
	if err != nil {
		return nil, err
	}
	return r, wire.Fill(r, time.UTC)
}

func put(ctx context.Context, a *archive.Archive, records []*archive.Record) error {
	return a.Update(ctx, func(tx *archive.Tx) error {
		for _, r := range records {
			if _, err := tx.Put(r, arrival); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeSettings writes the site.yaml of the archive: what the Hugo site has,
// and no more.
func writeSettings(s settings) error {
	name := filepath.Join(filepath.Dir(s.archive), "site.yaml")
	if err := os.WriteFile(name, fmt.Appendf(nil, siteYAML, filepath.Base(s.archive)), 0o644); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

const siteYAML = `# For a build in this folder with the flag -offline.
title: Kıyı Haber
description: Kıyıdan haberler, köşe yazıları ve galeriler.
base_url: https://ayna.example/
language: tr
source:
  name: Kıyı Haber
  site: https://www.kiyi-haber.example/
feeds:
  formats: [rss, atom]
  of: [home, folders]
canonical: mirror
markdown: false
media: link
archive: %s
output: site/public
`
