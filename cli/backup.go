package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ayna/archive"
	"ayna/durable"
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

const (
	backupConfig = "site.yaml"
	// backupMark begins the backupConfig.
	backupMark = "# A backup of an archive of ayna, which the next backup replaces.\n"
)

// The files that a killed first backup leaves, and those that any backup may hold.
var (
	backupBegun = []string{"archive.db.lock", "archive.db.part", "archive.db.part-journal", "media", "." + backupConfig + ".part"}
	backupFiles = append([]string{"archive.db", "archive.db-wal", "archive.db-shm", backupConfig}, backupBegun...)
)

func (a *app) backup(ctx context.Context, dir string) (err error) {
	if err := a.loadAndCheckPaths(config.WrittenFolder("DIR", dir)); err != nil {
		return err
	}
	if err := checkBackup(dir); err != nil {
		return err
	}
	text, err := a.config.Portable("archive.db")
	if err != nil {
		return err
	}
	if err := a.finishForget(ctx); err != nil {
		return err
	}
	records, err := archive.OpenReadOnly(ctx, a.config.Archive)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	copied, err := records.Backup(ctx, dir, func() error {
		return durable.WriteFile(filepath.Join(dir, backupConfig), append([]byte(backupMark), text...))
	})
	if err == nil && !a.quiet {
		fmt.Fprintf(a.stdout, "backup:   %s, with %d pictures, %.1f MB\n", dir, copied.Pictures, float64(copied.Bytes)/1e6)
		c := a.config
		for _, name := range []string{c.Templates, c.Assets, c.OwnPages, c.Logo, c.Icon, c.WordsFile, c.Snippets.Head, c.Snippets.Article, c.Snippets.Foot} {
			if name != "" {
				fmt.Fprintf(a.stdout, "note:     %s is not part of it\n", name)
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
	text, err := os.ReadFile(filepath.Join(dir, backupConfig))
	known := backupBegun
	if err == nil && len(text) == 0 { // it was lost in a power cut
		known = backupFiles
	}
	others := slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !slices.Contains(known, e.Name()) })
	if others && (err != nil || !bytes.HasPrefix(text, []byte(backupMark))) {
		return usagef("DIR %s holds something else than a backup; name an empty folder, or a new one", dir)
	}
	return nil
}
