package cli

// removedCommands and removedFlags have the commands and flags that earlier versions had,
// with what to do instead.
var (
	removedCommands = map[string]string{
		"probe":   "ayna doctor asks the source, and builds find out what it supports",
		"restore": "a backup is a folder with an archive that works as it is; an older backup is a tar archive in zstd",
	}
	removedFlags = map[string]string{
		"changes":   "rsync and rclone find what has changed themselves, see docs/run.md",
		"sync-only": "run ayna sync",
		"forget":    "run ayna forget KIND/ID",
		"import":    "run ayna import FILE",
		"rollback":  "run ayna rollback",
		"format":    "export writes lines of JSON; docs/packs.md makes tables of them",
		"texts":     "docs/packs.md makes tables with sqlite3",
		"probe":     "run ayna doctor",
		"feeds":     "a pack holds the whole site, feeds too",
		"markdown":  "a pack holds the whole site, Markdown too",
		"live":      "reload the page after a build",
	}
)
