package pack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ayna/generator/site"
)

// ErrNoWriter is returned where the program that writes ZIM files is missing.
var ErrNoWriter = errors.New("zimwriterfs is not installed: it is in Debian's package zim-tools (apt-get install zim-tools)")

// iso639 are the languages as ZIM names them (ISO 639-3).
var iso639 = map[string]string{"tr": "tur", "en": "eng"}

// illustration is the picture that Kiwix shows of a ZIM file, which the writer
// wants among the files.
const illustration = "illustration.png"

// ZIM writes a part of the site to a ZIM file, with title, language,
// illustration and a full-text index. zimwriterfs does it, from a copy of the
// part beside the file; log gets what it says.
func (s *Site) ZIM(ctx context.Context, name string, part Part, log io.Writer) error {
	writer, err := exec.LookPath("zimwriterfs")
	if err != nil {
		return ErrNoWriter
	}
	dir, err := os.MkdirTemp(filepath.Dir(name), ".zim-")
	if err != nil {
		return fmt.Errorf("write the ZIM file: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := s.stage(ctx, filepath.Join(dir, "site"), part); err != nil {
		return err
	}
	made := filepath.Join(dir, "made.zim")
	command := exec.CommandContext(ctx, writer, s.arguments(filepath.Join(dir, "site"), made)...)
	command.Stdout, command.Stderr = log, log
	if err := command.Run(); err != nil {
		return fmt.Errorf("write the ZIM file: zimwriterfs: %w", err)
	}
	if err := os.Rename(made, name); err != nil {
		return fmt.Errorf("write the ZIM file: %w", err)
	}
	return nil
}

func (s *Site) arguments(from, to string) []string {
	about := s.About
	if about == "" {
		about = s.Title
	}
	return []string{
		"--welcome=" + start, "--illustration=" + illustration, "--language=" + iso639[s.Language],
		"--title=" + s.Title, "--description=" + about, "--creator=" + s.Source, "--publisher=ayna",
		"--source=" + s.BaseURL, "--name=ayna_" + iso639[s.Language], "--scraper=ayna", from, to,
	}
}

// stage writes the files of a part to a directory.
func (s *Site) stage(ctx context.Context, dir string, part Part) error {
	entries, done, err := s.files(part)
	if err != nil {
		return err
	}
	defer done()
	// Nobody asks a ZIM file for what it has not, and it holds a digest of itself.
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.name == site.NotFound || e.name == site.Manifest })
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for i, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := stageFile(root, e); err != nil {
			return fmt.Errorf("pack %s: %w", e.name, err)
		}
		s.progress(i+1, len(entries))
	}
	return root.WriteFile(illustration, picture(), 0o644)
}

func stageFile(root *os.Root, e entry) error {
	if strings.Contains(e.name, "/") {
		if err := root.MkdirAll(path.Dir(e.name), 0o755); err != nil {
			return err
		}
	}
	from, err := e.open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := root.Create(e.name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// picture draws the illustration: a sheet, and its image in a mirror.
func picture() []byte {
	const size = 48 // as ZIM wants it
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	sheet, line, mirror := color.NRGBA{0xf7, 0xf4, 0xec, 0xff}, color.NRGBA{0x23, 0x3a, 0x5c, 0xff}, color.NRGBA{0xb9, 0xc7, 0xd9, 0xff}
	for y := range size {
		for x := range size {
			c := sheet
			if y >= size/2 {
				c = mirror
			}
			row := min(y, size-1-y) // the lower half mirrors the upper one
			if x >= 8 && x < 40 && row >= 6 && row < 20 && row%6 < 3 {
				c = line
			}
			img.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	png.Encode(&b, img) // a buffer does not fail
	return b.Bytes()
}
