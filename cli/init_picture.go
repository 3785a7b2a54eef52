package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"ayna/generator"
	"ayna/source"
)

// takePictures writes the logo and the icon of a site beside the configuration, which then
// names them. It reports what cannot be had, and goes on.
func (s *setup) takePictures(ctx context.Context, site source.Site) {
	o := s.options(ctx, nil)
	for _, picture := range []struct {
		key, address string
		named        *string
		read         func() (content []byte, extension string, err error)
	}{
		{"logo", site.Logo, &s.outline.Look.Logo, func() ([]byte, string, error) { return generator.Logo(ctx, o, site.Logo) }},
		{"icon", site.Icon, &s.outline.Look.Icon, func() ([]byte, string, error) {
			content, err := generator.Icon(ctx, o, site.Icon)
			return content, ".png", err
		}},
	} {
		if picture.address == "" {
			continue
		}
		content, extension, err := picture.read()
		name := filepath.Join(filepath.Dir(s.configFile), picture.key+extension)
		if err == nil {
			err = writeNew(name, content)
		}
		if err != nil {
			fmt.Fprintf(s.stdout, "%s:     left out: %s: %s\n", picture.key, printable(picture.address), printable(err.Error()))
			continue
		}
		*picture.named = filepath.ToSlash(name)
		fmt.Fprintf(s.stdout, "written:  %s, the site's %s\n", name, picture.key)
	}
}
