package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"ayna/archive"
	"ayna/generator/config"
)

var backupSpec = spec{
	use: "backup DIR", short: "Copy archive and pictures into a folder",
	long: `Copy the archive and its pictures into a folder, of one moment, also while a build
runs, with a site.yaml that names them and holds no key. On any machine

  cd DIR && ayna build --offline && ayna serve

makes the site of it. DIR is created, or holds an earlier backup, which is brought
up to date.`,
	example: "  ayna backup /backup/ayna",
	flags:   "config quiet",
	usage:   map[string]string{"quiet": "print no summary"},
	run:     failing((*app).backup),
}

// failing returns the run function of a command that may end with any exit code.
func failing(run func(a *app, ctx context.Context, argument string) error) func(context.Context, *app, string) int {
	return func(ctx context.Context, a *app, argument string) int {
		if err := run(a, ctx, argument); err != nil {
			return a.fail(ctx, err)
		}
		return exitOK
	}
}

// backupMark begins the site.yaml of a backup.
const backupMark = "# A backup of an archive of ayna, which the next backup replaces.\n"

// Files of a backup. The first ones are all that a killed first backup has left.
var (
	backupBegun  = []string{"archive.db.lock", "archive.db.part", "media"}
	backupConfig = "site.yaml"
)

func (a *app) backup(ctx context.Context, dir string) (err error) {
	if err := a.preparePaths(config.WrittenFolder("DIR", dir)); err != nil {
		return err
	}
	if err := checkBackup(dir); err != nil {
		return err
	}
	text, err := a.config.Portable("archive.db")
	if err != nil {
		return err
	}
	if err := a.settle(ctx); err != nil {
		return err
	}
	records, err := archive.OpenReader(ctx, a.config.Archive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	copied, err := records.Backup(ctx, dir, func() error {
		return writeWhole(filepath.Join(dir, backupConfig), func(w io.Writer) error {
			_, err := io.WriteString(w, backupMark+string(text))
			return err
		})
	})
	if err == nil && !a.quiet {
		fmt.Fprintf(a.stdout, "backup:   %s, with %d pictures, %.1f MB\n", dir, copied.Pictures, float64(copied.Bytes)/1e6)
		for _, folder := range []string{a.config.Templates, a.config.Assets, a.config.OwnPages} {
			if folder != "" {
				fmt.Fprintf(a.stdout, "note:     the folder %s is not part of it\n", folder)
			}
		}
	}
	if err == nil && copied.Missing > 0 {
		err = fmt.Errorf("%s lacks %d pictures whose files are gone; ayna check names them, and the next build fetches them again", dir, copied.Missing)
	}
	return err
}

// checkBackup refuses a folder that holds something else than a backup.
func checkBackup(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usageError{fmt.Errorf("DIR: %w", err)}
	}
	begun := !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !slices.Contains(backupBegun, e.Name()) })
	text, err := os.ReadFile(filepath.Join(dir, backupConfig))
	if !begun && (err != nil || !bytes.HasPrefix(text, []byte(backupMark))) {
		return usagef("DIR %s holds something else than a backup; name an empty folder, or a new one", dir)
	}
	return nil
}

// preparePaths loads the configuration and makes sure that arguments are not in the way
// of what it names.
func (a *app) preparePaths(arguments ...config.NamedPath) error {
	if err := a.loadConfig(); err != nil {
		return err
	}
	if err := a.config.CheckPaths(a.configFile, arguments...); err != nil {
		return usageError{err}
	}
	return nil
}
