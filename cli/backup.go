package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"ayna/archive"
	"ayna/generator/config"
)

var (
	backupSpec = spec{
		use: "backup FILE", short: "Copy archive and pictures into one file",
		long: `Copy the archive and its pictures into one file (tar, compressed with zstd), of one
moment, also while a build runs. Beside FILE there must be room for the archive
once more.`,
		example: "  ayna backup /backup/ayna.tar.zst",
		flags:   "config quiet",
		usage:   map[string]string{"quiet": "print no summary"},
		run:     failing((*app).backup),
	}
	restoreSpec = spec{
		use: "restore FILE", short: "Create the archive from a backup",
		long: `Create the archive that the configuration names from a backup. It must not exist.
ayna build --offline then publishes the site from it.`,
		example: "  ayna restore /backup/ayna.tar.zst",
		flags:   "config quiet",
		usage:   map[string]string{"quiet": "print no summary"},
		run:     failing((*app).restore),
	}
)

// failing returns the run function of a command that may end with any exit code.
func failing(run func(a *app, ctx context.Context, argument string) error) func(context.Context, *app, string) int {
	return func(ctx context.Context, a *app, argument string) int {
		if err := run(a, ctx, argument); err != nil {
			return a.fail(ctx, err)
		}
		return exitOK
	}
}

func (a *app) backup(ctx context.Context, name string) (err error) {
	if err := a.preparePaths(config.Written("FILE", name)); err != nil {
		return err
	}
	if err := checkRegular("FILE", name); err != nil {
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
	copied, err := records.Backup(ctx, name)
	if err == nil && !a.quiet {
		fmt.Fprintf(a.stdout, "backup:   %s, with %d pictures, %.1f MB before compression\n", name, copied.Pictures, float64(copied.Bytes)/1e6)
	}
	if err == nil && copied.Missing > 0 {
		err = fmt.Errorf("%s lacks %d pictures whose files are gone; ayna check names them, and the next build fetches them again", name, copied.Missing)
	}
	return err
}

func (a *app) restore(ctx context.Context, name string) error {
	if err := a.preparePaths(config.Read("FILE", name)); err != nil {
		return err
	}
	backup, err := os.Open(name)
	if err != nil {
		return usageError{err}
	}
	defer backup.Close()
	copied, err := archive.Restore(ctx, a.config.Archive, backup)
	if err == nil && !a.quiet {
		fmt.Fprintf(a.stdout, "restored: %s, with %d pictures; ayna build --offline publishes the site from it\n", a.config.Archive, copied.Pictures)
	}
	return err
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
