package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"ayna/client"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/sync"
)

// discover looks for WordPress at the address. Its error is about a site that is one and
// cannot be read.
func (s *setup) discover(ctx context.Context) error {
	o := &s.outline
	c, err := s.draft()
	if err != nil {
		return err
	}
	s.config = c
	found, err := generator.Discover(ctx, s.options(ctx, nil), s.outline.URL)
	switch {
	case errors.Is(err, client.ErrRedirect) || errors.Is(err, client.ErrShape):
		return usageError{err}
	case err != nil: // it may be another kind of source, or down
		o.Kind, s.home = config.ReadAPI, err
		return nil
	}
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

// isFound reports whether a source has answered, although the first pages of its lists could
// not be read: it refuses the key. A web page with the status 403 is of a protection, and not
// of a news service.
func isFound(failure error) bool {
	e := (*client.Error)(nil)
	isPage := errors.As(failure, &e) && e.WebPage && e.Status == http.StatusForbidden
	return errors.Is(failure, sync.ErrKey) && !isPage
}

// nothing returns the error of an address at which no source is found.
func (s *setup) nothing(failure error) error {
	if s.outline.Kind == config.WordPress {
		return fmt.Errorf("nothing is written, since WordPress does not answer: %w", failure)
	}
	return fmt.Errorf("no news service was found, and nothing is written; WordPress at the home page: %w; a Read API below /v1/: %w", s.home, failure)
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
