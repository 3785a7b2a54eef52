package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ayna/archive/database"
	"ayna/generator/swap"
)

// NamedPath is a file or folder that a command reads or writes.
type NamedPath struct {
	Key    string // of site.yaml, or a flag
	Path   string
	Advice string // what to do about a conflict with another path
	folder bool   // it includes everything below Path
	alone  bool   // a command replaces it, so it must not contain other paths
}

// Written returns the path of a file that a flag names and the command replaces.
func Written(flag, path string) NamedPath {
	return NamedPath{Key: flag, Path: path, Advice: "name another file, outside of it", alone: true}
}

// WrittenFolder returns the path of a folder that an argument names and the command fills.
func WrittenFolder(argument, path string) NamedPath {
	return NamedPath{Key: argument, Path: path, Advice: "name a folder of its own", alone: true, folder: true}
}

// Read returns the path of a file that a flag names and the command reads.
func Read(flag, path string) NamedPath {
	return NamedPath{Key: flag, Path: path, Advice: "name another file"}
}

// CheckPaths returns an error if writing to one path would change another. name is the
// configuration file; more are paths that flags name. Paths are compared after resolving
// symbolic links, whether they exist or not.
func (c *Config) CheckPaths(name string, more ...NamedPath) error {
	if info, err := os.Stat(c.Output); err == nil && !info.IsDir() {
		return fmt.Errorf("output: %s is not a folder; name another one", c.Output)
	}
	full, err := filepath.Abs(c.Output)
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if full == filepath.Dir(full) {
		return fmt.Errorf("output: %s is the root of the file system; name a folder for the site alone", c.Output)
	}
	paths, err := c.paths(name, full)
	if err != nil {
		return err
	}
	paths = append(paths, more...)
	resolved := make([]string, len(paths))
	for i, p := range paths {
		if resolved[i], err = resolve(p.Path, 0); err != nil {
			return fmt.Errorf("%s: %s cannot be resolved: %w; remove the link, or name another path", p.Key, p.Path, err)
		}
		for j, other := range paths[:i] {
			inside, around := within(resolved[i], resolved[j]), within(resolved[j], resolved[i])
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

// paths returns the paths that site.yaml names. Of two conflicting paths, CheckPaths
// reports the later one. full is the absolute path of output.
func (c *Config) paths(name, full string) ([]NamedPath, error) {
	file, media, err := database.Locate(c.Archive)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	const otherFile, ownFolder = "name another file", "name a folder of its own"
	paths := []NamedPath{{Key: "--config", Path: name, Advice: otherFile}}
	files := []string{file}
	if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
		files = append(files, real) // SQLite creates -wal and -shm beside the real file
	}
	for _, file := range files {
		for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
			if file != "" {
				paths = append(paths, NamedPath{Key: "archive", Path: file + suffix, Advice: otherFile})
			}
		}
	}
	read := c.Snippets.Files()
	read["logo"], read["icon"], read["words"] = c.Logo, c.Icon, c.WordsFile
	for _, key := range slices.Sorted(maps.Keys(read)) {
		if read[key] != "" {
			paths = append(paths, NamedPath{Key: key, Path: read[key], Advice: "keep the file elsewhere"})
		}
	}
	if c.Source.APIKeyFile != "" {
		paths = append(paths, NamedPath{Key: "source.api_key_file", Path: c.Source.APIKeyFile, Advice: "keep the key elsewhere"})
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	hidden := filepath.Join(filepath.Dir(full), swap.HiddenName(filepath.Base(full)))
	const pictures, forTheSite = "the archive's pictures", "name a folder for the site alone"
	for _, folder := range []NamedPath{
		{Key: pictures, Path: media, Advice: ownFolder},
		{Key: pictures, Path: filepath.Join(filepath.Dir(media), "sizes"), Advice: ownFolder},
		{Key: "output", Path: filepath.Clean(c.Output), Advice: forTheSite, alone: true},
		{Key: "output", Path: hidden, Advice: forTheSite, alone: true},
		{Key: "templates", Path: c.Templates, Advice: ownFolder},
		{Key: "assets", Path: c.Assets, Advice: ownFolder},
		{Key: "own_pages", Path: c.OwnPages, Advice: ownFolder},
	} {
		if folder.folder = true; folder.Path != "" {
			paths = append(paths, folder)
		}
	}
	return paths, nil
}

// resolve returns the absolute path without symbolic links, also if the target of a link
// does not exist yet. links counts the links followed so far.
func resolve(path string, links int) (string, error) {
	const separator, mostLinks = string(filepath.Separator), 40
	if !filepath.IsAbs(path) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = wd + separator + path // filepath.Join would remove a/.., which leads elsewhere if a is a link
	}
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	dir, name := filepath.Split(strings.TrimRight(path, separator))
	if dir, err = resolve(dir, links); err != nil {
		return "", err
	}
	target, err := os.Readlink(filepath.Join(dir, name))
	switch {
	case err != nil: // it is not a link
		return filepath.Join(dir, name), nil
	case links == mostLinks:
		return "", errors.New("too many links")
	case filepath.IsAbs(target):
		return resolve(target, links+1)
	}
	return resolve(filepath.Join(dir, target), links+1)
}

// within reports whether a resolved path is folder or lies below it.
func within(path, folder string) bool {
	for !same(path, folder) {
		above := filepath.Dir(path)
		if above == path {
			return false
		}
		path = above
	}
	return true
}

// same reports whether two resolved paths are one file or folder. For names that do not
// exist yet case is ignored, as some file systems do.
func same(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	return errA != nil && errB != nil && strings.EqualFold(filepath.Base(a), filepath.Base(b)) && same(filepath.Dir(a), filepath.Dir(b))
}
