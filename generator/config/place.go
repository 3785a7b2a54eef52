package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ayna/archive"
)

// CheckPlaces refuses an output folder that would mix the site with other
// things: a file, the root of the file system, a folder that holds the
// archive or the configuration file name, or the archive's own folder of
// pictures. It is called once the output is settled.
func (c *Config) CheckPlaces(name string) error {
	output, err := absolute(c.Output)
	if err != nil {
		return fmt.Errorf("output: %w", err)
	}
	if info, err := os.Stat(output); err == nil && !info.IsDir() {
		return fmt.Errorf("output: %s is no folder", c.Output)
	}
	if output == filepath.Dir(output) {
		return fmt.Errorf("output: %s is the root of the file system; name a folder for the site alone", c.Output)
	}
	stored, media, err := c.archivePlaces()
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	file, err := absolute(name)
	if err != nil {
		return err
	}
	switch {
	case stored != "" && within(stored, output):
		return fmt.Errorf("output: %s holds the archive %s; name a folder for the site alone", c.Output, c.Archive)
	case within(file, output):
		return fmt.Errorf("output: %s holds %s; name a folder for the site alone", c.Output, name)
	case within(output, media), stored == "" && within(media, output):
		return fmt.Errorf("output: %s and the archive's folder of pictures lie in one another; name another", c.Output)
	}
	return nil
}

// archivePlaces returns the archive's file, "" if a database holds it, and the
// folder of its pictures.
func (c *Config) archivePlaces() (file, media string, err error) {
	file, media, err = archive.Places(c.Archive)
	if err != nil {
		return "", "", err
	}
	if file == "" {
		media, err = absolute(media)
		return "", media, err
	}
	file, err = absolute(file)
	return file, filepath.Join(filepath.Dir(file), "media"), err
}

// absolute also follows symbolic links, as far as the path exists.
func absolute(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	return path, nil
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
