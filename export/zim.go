package export

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/text/language"

	"ayna/generator/site"
	"ayna/prose"
)

// iso639 returns the code that ZIM uses for a language (ISO 639-3).
func iso639(tag string) string {
	base, _ := language.Make(tag).Base()
	return base.ISO3()
}

// illustration is the picture that Kiwix shows for a ZIM file: a sheet and its
// image in a mirror.
//
//go:embed illustration.png
var illustration []byte

// ZIM writes the site as a ZIM file, with title, language, illustration and a full-text
// index of the items. It copies the site to the folder scratch and runs zimwriterfs, whose
// output goes to log.
func (s *Site) ZIM(ctx context.Context, to io.Writer, scratch string, log io.Writer) error {
	writer, err := exec.LookPath("zimwriterfs")
	if err != nil {
		return errors.New("zimwriterfs is not installed: it is in Debian's package zim-tools (apt-get install zim-tools)")
	}
	from, made := filepath.Join(scratch, "site"), filepath.Join(scratch, "made.zim")
	if err := s.unpack(ctx, from); err != nil {
		return err
	}
	// Newer versions refuse longer texts.
	const maxTitle, maxDescription, maxLongDescription = 30, 80, 4000
	about := cmp.Or(s.About, s.Title)
	args := []string{
		"--welcome=" + start, "--illustration=illustration.png", "--language=" + iso639(s.Language),
		"--title=" + prose.Shorten(s.Title, maxTitle), "--description=" + prose.Shorten(about, maxDescription),
		"--creator=" + s.Source, "--publisher=ayna", "--source=" + s.BaseURL, "--name=" + s.name() + "_" + iso639(s.Language), "--scraper=ayna",
	}
	help, _ := exec.CommandContext(ctx, writer, "--help").CombinedOutput() // some versions end with an error
	if bytes.Contains(help, []byte("--longDescription")) {
		args = append(args, "--longDescription="+prose.Shorten(about, maxLongDescription))
	}
	command := exec.CommandContext(ctx, writer, append(args, from, made)...)
	command.Stdout, command.Stderr = log, log
	if err := command.Run(); err != nil {
		return fmt.Errorf("write the ZIM file: zimwriterfs: %w", err)
	}
	if err := os.RemoveAll(from); err != nil { // room for the copy
		return fmt.Errorf("write the ZIM file: %w", err)
	}
	content, err := os.Open(made)
	if err != nil {
		return fmt.Errorf("write the ZIM file: %w", err)
	}
	defer content.Close()
	if _, err := io.Copy(to, content); err != nil {
		return fmt.Errorf("write the ZIM file: %w", err)
	}
	return nil
}

// unpack writes the files of the site to a directory.
func (s *Site) unpack(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	// A ZIM file has its own checksum, and readers never see its error page.
	err = s.pack(ctx, []string{site.NotFound, site.Manifest}, func(e entry) error {
		if err := root.MkdirAll(path.Dir(e.name), 0o755); err != nil {
			return err
		}
		to, err := root.Create(e.name)
		if err != nil {
			return err
		}
		write := e.write
		if path.Ext(e.name) == ".html" {
			write = forKiwix(e)
		}
		return errors.Join(write(to), to.Close())
	})
	if err != nil {
		return err
	}
	return root.WriteFile("illustration.png", illustration, 0o644)
}

// forKiwix returns a writer of a page for Kiwix. Of the page of an item, the full-text
// index has the article alone, without menus and headlines of other items. Other pages
// repeat what items say, and are not in it. Kiwix puts its search field into every page,
// which the page's policy would not let it send.
func forKiwix(e entry) func(io.Writer) error {
	return func(w io.Writer) error {
		var content bytes.Buffer
		if err := e.write(&content); err != nil {
			return err
		}
		page := bytes.Replace(content.Bytes(), []byte("form-action 'none'"), []byte("form-action 'self'"), 1)
		page = playerOf.ReplaceAllFunc(page, func(player []byte) []byte {
			if poster := playerOf.FindSubmatch(player)[1]; poster != nil {
				return slices.Concat([]byte(`<img src="`), poster, []byte(`" alt="">`))
			}
			return nil
		})
		if !isItem(page) {
			page = bytes.Replace(page, []byte("<head>"), []byte(`<head><meta name="robots" content="noindex">`), 1)
		} else if parts := articleOf.FindSubmatch(page); parts != nil {
			page = slices.Concat(parts[1], []byte("<!--htdig_noindex-->"), parts[2], []byte("<!--/htdig_noindex-->"), parts[3],
				[]byte("<!--htdig_noindex-->"), parts[4])
		}
		_, err := w.Write(page)
		return err
	}
}

// playerOf finds players of files that stay at the source: a ZIM file needs no network. The
// link below a player stays.
var playerOf = regexp.MustCompile(`<(?:video|audio) controls="" preload="none" src="https?:[^"]*"(?: poster="([^"]*)")?></(?:video|audio)>`)

// articleOf divides a page before its body, before its first article, and after that.
var articleOf = regexp.MustCompile(`(?s)^(.*?)(<body\b.*?)(<article\b.*?</article>)(.*)$`)
