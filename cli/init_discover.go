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

// kindNames has the names of sources that are found by their home pages.
var kindNames = map[config.SourceKind]string{config.WordPress: "WordPress", config.Ghost: "Ghost"}

// discover looks for WordPress or Ghost at the address. Its error is about a site that is
// one and cannot be read.
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
	o.Kind, s.needsKey = found.Kind, found.NeedsKey
	fmt.Fprintf(s.stdout, "source:   %s at %s\n", kindNames[o.Kind], printable(found.Address))
	if o.Kind == config.Ghost && s.needsKey == nil { // the page has it
		o.KeyName, o.KeyFile = "", ""
	}
	s.setLanguage(found.Language)
	return nil
}

// setLanguage takes the language that a site names, unless a flag says otherwise.
func (s *setup) setLanguage(name string) {
	if tag := usualTag(name); s.outline.Language == "" && tag != "" {
		s.outline.Language = tag
		fmt.Fprintf(s.stdout, "language: %s, as the site names it\n", tag)
	}
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
	if name := kindNames[s.outline.Kind]; name != "" {
		return fmt.Errorf("nothing is written, since %s does not answer: %w", name, failure)
	}
	return fmt.Errorf("no news service was found, and nothing is written; WordPress or Ghost at the home page: %w; a Read API below /v1/: %w", s.home, failure)
}

// describe takes what a site says of itself, unless a flag says otherwise.
func (s *setup) describe(greeting sync.Greeting) {
	o, site := &s.outline, greeting.Site
	s.setLanguage(site.Language)
	o.Look = config.Look{Accent: site.Accent}
	for _, item := range site.Menu {
		switch folder := greeting.FolderAt[item.URL]; {
		case folder == "":
			o.Look.Menu = append(o.Look.Menu, [2]string{item.Title, item.URL})
		case !slices.Contains(o.Navigation, folder):
			o.Navigation = append(o.Navigation, folder)
		}
	}
	o.Title, o.Description = cmp.Or(o.Title, site.Title), site.Description
	if site.Title != "" {
		fmt.Fprintf(s.stdout, "site:     %s\n", printable(site.Title))
	}
	if o.Timezone == "" {
		o.Timezone = s.timeZone(site)
	}
}

// timeZone returns the time zone of a site, and prints where it differs from the site's own.
func (s *setup) timeZone(site client.Site) string {
	name, note := site.Zone, site.ZoneNote
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		name, note = "UTC", fmt.Sprintf("the site's own, %.40q, is no time zone", name)
	}
	if note != "" {
		fmt.Fprintf(s.stdout, "timezone: %s; %s\n", name, printable(note))
	}
	return name
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
