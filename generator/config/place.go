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
	"ayna/generator/release"
)

// Place is a file or folder that a command reads or writes.
type Place struct {
	Key    string // of site.yaml, or a flag
	Path   string
	Advice string // what to do about a conflict with another place
	folder bool   // with its content
	alone  bool   // the command replaces it, so it must not contain other places
}

// Written is a file that a flag names and the command replaces.
func Written(flag, path string) Place {
	return Place{Key: flag, Path: path, Advice: "name another file, outside of it", alone: true}
}

// Read is a file that a flag names and the command reads.
func Read(flag, path string) Place {
	return Place{Key: flag, Path: path, Advice: "name another file"}
}

// CheckPlaces returns an error if one place would overwrite another or mix with
// it. name is the configuration file; more are places that flags name. Paths are
// compared as the file system resolves them, whether they exist or not.
func (c *Config) CheckPlaces(name string, more ...Place) error {
	if info, err := os.Stat(c.Output); err == nil && !info.IsDir() {
		return fmt.Errorf("output: %s is no folder", c.Output)
	}
	full, err := filepath.Abs(c.Output)
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if full == filepath.Dir(full) {
		return fmt.Errorf("output: %s is the root of the file system; name a folder for the site alone", c.Output)
	}
	places, err := c.places(name, full)
	if err != nil {
		return err
	}
	places = append(places, more...)
	locations := make([]location, len(places))
	for i, p := range places {
		if locations[i], err = locate(p.Path); err != nil {
			return fmt.Errorf("%s: %s cannot be resolved: %w; remove the link, or name another place", p.Key, p.Path, err)
		}
		for j, other := range places[:i] {
			inside, around := locations[i].within(locations[j]), locations[j].within(locations[i])
			relation := "lies in"
			switch same := inside && around; {
			case p.Key == other.Key, !p.alone && !other.alone && (p.folder || other.folder):
				continue
			case same:
				relation = "is the same as"
			case inside && other.folder:
			case around && p.folder:
				relation = "holds"
			default:
				continue
			}
			return fmt.Errorf("%s: %s %s %s %s; %s", p.Key, p.Path, relation, other.Key, other.Path, p.Advice)
		}
	}
	return nil
}

// places lists what site.yaml names. Errors are about the later of two
// conflicting places. full is the absolute path of output.
func (c *Config) places(name, full string) ([]Place, error) {
	file, media, err := archive.Places(c.Archive)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	const otherFile, ownFolder = "name another file", "name a folder of its own"
	places := []Place{{Key: "-config", Path: name, Advice: otherFile}}
	files := []string{file}
	if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
		files = append(files, real) // SQLite creates the files beside it there
	}
	for _, file := range files {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
			if file != "" {
				places = append(places, Place{Key: "archive", Path: file + suffix, Advice: otherFile})
			}
		}
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	hidden := filepath.Join(filepath.Dir(full), release.HiddenName(filepath.Base(full)))
	const pictures, forTheSite = "the archive's pictures", "name a folder for the site alone"
	for _, folder := range []Place{
		{Key: pictures, Path: media, Advice: ownFolder},
		{Key: pictures, Path: filepath.Join(filepath.Dir(media), "sizes"), Advice: ownFolder},
		{Key: "output", Path: filepath.Clean(c.Output), Advice: forTheSite, alone: true},
		{Key: "output", Path: hidden, Advice: forTheSite, alone: true},
		{Key: "templates", Path: c.Templates, Advice: ownFolder},
		{Key: "assets", Path: c.Assets, Advice: ownFolder},
		{Key: "own_pages", Path: c.OwnPages, Advice: ownFolder},
	} {
		if folder.folder = true; folder.Path != "" {
			places = append(places, folder)
		}
	}
	return places, nil
}

// location is where a path leads.
type location struct {
	existing []os.FileInfo // the deepest existing part of the path, and all folders above
	missing  []string      // names below that
}

// locate follows links, even if their target does not exist yet.
func locate(path string) (l location, err error) {
	const separator = string(filepath.Separator)
	if !filepath.IsAbs(path) {
		wd, err := os.Getwd()
		if err != nil {
			return l, err
		}
		path = wd + separator + path // filepath.Join would remove a/.., which leads elsewhere if a is a link
	}
	const mostLinks = 40
	for links := 0; ; {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			path = real
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return l, err
		}
		path = strings.TrimRight(path, separator)
		dir, name := filepath.Split(path)
		target, err := os.Readlink(path)
		if err != nil {
			l.missing = append(l.missing, name)
			path = dir
			continue
		}
		if links++; links > mostLinks {
			return l, errors.New("too many links")
		}
		if path = target; !filepath.IsAbs(target) {
			if dir, err = filepath.EvalSymlinks(dir); err != nil {
				return l, err
			}
			path = filepath.Join(dir, target)
		}
	}
	slices.Reverse(l.missing)
	for above := ""; above != path; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		if err != nil {
			return l, err
		}
		l.existing, above = append(l.existing, info), path
	}
	return l, nil
}

// within reports whether l is other or lies below it. Case does not matter in
// names that do not exist yet, as some file systems ignore it.
func (l location) within(other location) bool {
	if len(other.missing) == 0 {
		return slices.ContainsFunc(l.existing, func(at os.FileInfo) bool { return os.SameFile(at, other.existing[0]) })
	}
	return os.SameFile(l.existing[0], other.existing[0]) && len(l.missing) >= len(other.missing) &&
		slices.EqualFunc(l.missing[:len(other.missing)], other.missing, strings.EqualFold)
}
