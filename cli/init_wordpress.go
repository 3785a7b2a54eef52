package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/client"
	"ayna/generator"
	"ayna/generator/config"
)

// discover looks for WordPress at the address. Its error is about a site that is one and
// cannot be read.
func (s *setup) discover(ctx context.Context) error {
	c, err := s.draft()
	if err != nil {
		return err
	}
	s.config = c
	found, err := generator.Discover(ctx, s.options(ctx, nil), s.outline.URL)
	switch {
	case errors.Is(err, client.ErrRedirect) || errors.Is(err, client.ErrShape):
		return usageError{err}
	case err != nil:
		return nil // it may be another kind of source, or down
	}
	o := &s.outline
	s.setAddress(found.Address)
	o.Kind = config.WordPress
	fmt.Fprintf(s.stdout, "source:   WordPress at %s\n", printable(found.Address))
	if language, _, _ := strings.Cut(strings.ToLower(found.Language), "-"); o.Language == "" && language != "" {
		o.Language = "en"
		if language == "tr" {
			o.Language = "tr"
		}
		fmt.Fprintf(s.stdout, "language: %s\n", printable(found.Language))
	}
	return nil
}

// describe takes what a site says of itself, unless a flag says otherwise.
func (s *setup) describe(site client.Site) {
	o := &s.outline
	o.Title, o.Description = cmp.Or(o.Title, site.Title), site.Description
	if site.Title != "" {
		fmt.Fprintf(s.stdout, "site:     %s\n", printable(site.Title))
	}
	if o.Timezone == "" {
		o.Timezone = zoneName(site.Zone)
	}
}

// zoneName returns a time zone that site.yaml can name: also for an offset in whole hours.
func zoneName(zone string) string {
	if at, err := time.Parse("-07:00", zone); err == nil {
		_, offset := at.Zone()
		if offset == 0 || offset%3600 != 0 {
			return "UTC"
		}
		return fmt.Sprintf("Etc/GMT%+d", -offset/3600)
	}
	if _, err := time.LoadLocation(zone); err != nil {
		return ""
	}
	return zone
}

// columnsAmong returns the slugs of folders that look like those of columns.
func columnsAmong(folders []string) (slugs []string) {
	for _, folder := range folders {
		slug := strings.Trim(folder, "/")
		for _, word := range []string{"yazar", "kose", "column", "opinion", "kolumne", "meinung", "chronique", "tribuna"} {
			if strings.Contains(slug, word) && !slices.Contains(slugs, slug) {
				slugs = append(slugs, slug)
			}
		}
	}
	return slugs
}
