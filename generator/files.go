package generator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// visible is what can be seen of the configuration on pages and in feeds.
func visible(c *config.Config) (string, error) {
	seen := *c
	seen.Source.URL, seen.Source.APIKey = "", ""
	seen.Source.Concurrency, seen.Source.PerSecond, seen.Source.PerHour, seen.Source.PageSize, seen.Source.Timeout = 0, 0, 0, 0, 0
	seen.Archive, seen.Output, seen.Compress, seen.Serve = "", "", nil, config.Serve{}
	encoded, err := json.Marshal(seen)
	if err != nil {
		return "", fmt.Errorf("digest of the configuration: %w", err)
	}
	return string(encoded), nil
}

// baseDigest sums up what every file depends on beside its own content.
func baseDigest(o Options, s *site.Site) (string, error) {
	seen, err := visible(o.Config)
	if err != nil {
		return "", err
	}
	key := output.NewDigest("base").Text(o.Version, seen, s.SourceName, s.SourceHost).Key()
	return fmt.Sprintf("%x", key), nil
}

// ownPages reads the owner's own pages: each Markdown file of a folder. table is
// the word for a table.
func ownPages(dir, table string) ([]page.OwnPage, error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("own_pages: %w", err)
	}
	var pages []page.OwnPage
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".md")
		if !ok || !entry.Type().IsRegular() || strings.HasPrefix(name, ".") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("own_pages: %w", err)
		}
		markdown, err := prose.Markdown(source, table)
		if err != nil {
			return nil, fmt.Errorf("own_pages: %s: %w", entry.Name(), err)
		}
		title := markdown.Title
		if title == "" {
			title = name
		}
		pages = append(pages, page.OwnPage{Name: name, Title: title, Description: markdown.Description, HTML: markdown.HTML})
	}
	return pages, nil
}

// shownPictures returns the mirrored pictures that the site shows.
func shownPictures(ctx context.Context, a *archive.Archive, s *site.Site) ([]archive.Media, error) {
	shown := make(site.Rows)
	for item := range s.Home.Items.All() {
		shown.Add(item.Row())
	}
	for _, writer := range s.Writers {
		shown.Add(writer.Row)
	}
	return a.MediaShown(ctx, shown.Has)
}

// pictures yields mirrored pictures with their smaller sizes.
func pictures(a *archive.Archive, shown []archive.Media, sizes sizesOf) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		for _, m := range shown {
			if !yield(pictureFile(a.MediaDir(), m.Name), nil) {
				return
			}
			if sizes == nil {
				continue
			}
			for _, size := range sizes(m.Name, m.Width) {
				if !yield(pictureFile(a.SizesDir(), size.Name), nil) {
					return
				}
			}
		}
	}
}

// pictureFile is a picture as a file that is linked, or copied where that is
// not possible.
func pictureFile(dir, name string) output.File {
	return output.File{
		Path:  site.MediaAddress(name),
		Key:   output.NewDigest("picture").Text(name).Key(),
		Link:  filepath.Join(dir, name),
		Write: func(_ context.Context, w io.Writer) error { return copyPicture(w, filepath.Join(dir, name)) },
	}
}

func copyPicture(w io.Writer, path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: the picture is lost; build with -full to fetch it again", err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}
