package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ayna/archive"
	"ayna/generator/output"
)

// Place is a file or a folder that a command reads or writes.
type Place struct {
	Key    string // of site.yaml, or a flag
	Path   string
	Advice string // what to do if it is in the way of another place
	folder bool   // with all that is in it
	alone  bool   // nothing else may be there, since the command replaces it
}

// Written is a file that the command replaces because a flag names it.
func Written(flag, path string) Place {
	return Place{Key: flag, Path: path, Advice: "name another file, outside of it", alone: true}
}

// Read is a file that the command reads because a flag names it.
func Read(flag, path string) Place {
	return Place{Key: flag, Path: path, Advice: "name another file"}
}

// CheckPlaces refuses places of which one would overwrite or mix with another.
// name is the configuration file, and more are places that flags name. Paths
// are compared as the file system resolves them, whether they exist or not.
func (c *Config) CheckPlaces(name string, more ...Place) error {
	if info, err := os.Stat(c.Output); err == nil && !info.IsDir() {
		return fmt.Errorf("output: %s is no folder", c.Output)
	}
	if full, err := filepath.Abs(c.Output); err == nil && full == filepath.Dir(full) {
		return fmt.Errorf("output: %s is the root of the file system; name a folder for the site alone", c.Output)
	}
	places, err := c.places(name)
	if err != nil {
		return err
	}
	places = append(places, more...)
	spots := make([]spot, len(places))
	for i, p := range places {
		if spots[i], err = locate(p.Path); err != nil {
			return fmt.Errorf("%s: %s cannot be resolved: %w; remove the link, or name another place", p.Key, p.Path, err)
		}
		for j, other := range places[:i] {
			if p.Key == other.Key {
				continue
			}
			inside := other.folder && spots[i].within(spots[j]) || spots[i].is(spots[j])
			around := p.folder && spots[j].within(spots[i])
			if (inside || around) && (p.alone || other.alone || !p.folder && !other.folder) {
				return fmt.Errorf("%s: %s %s %s %s; %s", p.Key, p.Path, relation(inside, around, spots[i].is(spots[j])), other.Key, other.Path, p.Advice)
			}
		}
	}
	return nil
}

func relation(inside, around, same bool) string {
	switch {
	case same:
		return "is the same as"
	case inside:
		return "lies in"
	}
	return "holds"
}

// places is the table of what site.yaml names. The error is about the later one
// of two places that are in each other's way.
func (c *Config) places(name string) ([]Place, error) {
	file, media, err := archive.Places(c.Archive)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	const otherFile, otherFolder = "name another file", "name a folder of its own"
	table := []Place{{Key: "-config", Path: name, Advice: otherFile}}
	if file != "" {
		names := []string{file}
		if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
			names = append(names, real)
		}
		for _, name := range names {
			for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
				table = append(table, Place{Key: "archive", Path: name + suffix, Advice: otherFile})
			}
		}
	}
	for _, dir := range []string{media, filepath.Join(filepath.Dir(media), "sizes")} {
		table = append(table, Place{Key: "the archive's pictures", Path: dir, Advice: otherFolder, folder: true})
	}
	full, err := filepath.Abs(c.Output)
	if err != nil {
		return nil, fmt.Errorf("output: %w", err)
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	hidden := filepath.Join(filepath.Dir(full), output.HiddenName(filepath.Base(full)))
	for _, dir := range []string{filepath.Clean(c.Output), hidden} {
		table = append(table, Place{Key: "output", Path: dir, Advice: "name a folder for the site alone", folder: true, alone: true})
	}
	for _, read := range []struct{ key, dir string }{{"templates", c.Templates}, {"assets", c.Assets}, {"own_pages", c.OwnPages}} {
		if read.dir != "" {
			table = append(table, Place{Key: read.key, Path: read.dir, Advice: otherFolder, folder: true})
		}
	}
	return table, nil
}

// spot is where a path leads.
type spot struct {
	existing []os.FileInfo // the path itself, or what of it there is, and all folders above
	missing  []string      // names below that
}

// locate follows links, also those whose target does not exist yet.
func locate(path string) (s spot, err error) {
	const separator = string(filepath.Separator)
	if !filepath.IsAbs(path) {
		wd, err := os.Getwd()
		if err != nil {
			return s, err
		}
		path = wd + separator + path // as it is: a/.. is elsewhere if a is a link
	}
	const mostLinks = 40
	for links := 0; ; {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			path = real
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		path = strings.TrimRight(path, separator)
		dir, name := filepath.Split(path)
		target, err := os.Readlink(path)
		if err != nil {
			s.missing = append(s.missing, name)
			path = dir
			continue
		}
		if links++; links > mostLinks {
			return s, errors.New("too many links")
		}
		if path = target; !filepath.IsAbs(target) {
			if dir, err = filepath.EvalSymlinks(dir); err != nil {
				return s, err
			}
			path = filepath.Join(dir, target)
		}
	}
	slices.Reverse(s.missing)
	for {
		info, err := os.Stat(path)
		if err != nil {
			return s, err
		}
		s.existing = append(s.existing, info)
		above := filepath.Dir(path)
		if above == path {
			return s, nil
		}
		path = above
	}
}

// within reports whether s is other or lies below it. Names that do not exist
// yet are the same if they differ in case only, as they are on some disks.
func (s spot) within(other spot) bool {
	if len(other.missing) == 0 {
		return slices.ContainsFunc(s.existing, func(at os.FileInfo) bool { return os.SameFile(at, other.existing[0]) })
	}
	return os.SameFile(s.existing[0], other.existing[0]) && len(s.missing) >= len(other.missing) &&
		slices.EqualFunc(s.missing[:len(other.missing)], other.missing, strings.EqualFold)
}

// is reports whether both are one file or folder.
func (s spot) is(other spot) bool { return s.within(other) && other.within(s) }
