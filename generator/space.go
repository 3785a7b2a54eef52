package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ayna/archive"
	"ayna/generator/output"
)

// ErrSpace is returned for a disk on which a build cannot end well, before it
// begins.
var ErrSpace = errors.New("there is too little space for this build")

// What a build takes at least. A refusal must not hit one that would have come
// through, so these are the least that sites were seen to take.
var (
	anyBuild  = output.Room{Bytes: 1 << 20, Files: 32}
	perRecord = output.Room{Bytes: 16 << 10, Files: 1} // pages, and a share of lists and feeds
)

// checkSpace refuses a build for which the disks have too little space.
func checkSpace(ctx context.Context, a *archive.Archive, o Options) error {
	if file, _, err := archive.Places(o.Config.Archive); err != nil {
		return err
	} else if file != "" {
		if err := checkRoom(filepath.Dir(file), anyBuild); err != nil {
			return err
		}
	}
	if o.NoSite {
		return nil
	}
	need, err := siteNeeds(ctx, a, o)
	if err != nil {
		return err
	}
	return checkRoom(filepath.Dir(o.Config.Output), need)
}

// siteNeeds estimates what is written for the site. A site that replaces
// another one shares with it what stays the same, unless the configuration is
// another one.
func siteNeeds(ctx context.Context, a *archive.Archive, o Options) (output.Room, error) {
	config, err := configKey(o.Config)
	if err != nil {
		return output.Room{}, err
	}
	published, err := output.Published(o.Config.Output)
	if err != nil || published.Config == config || o.Shard.N > 0 || o.Merge > 0 {
		return anyBuild, err
	}
	all, err := a.Among(ctx, arrangement(o.Config).Wants)
	if err != nil {
		return output.Room{}, err
	}
	records := uint64(0)
	for _, kind := range o.Config.Content.Kinds {
		records += uint64(all[archive.Kind(kind)])
	}
	return output.Room{
		Bytes: anyBuild.Bytes + records*perRecord.Bytes,
		Files: anyBuild.Files + records*perRecord.Files,
	}, nil
}

func checkRoom(dir string, need output.Room) error {
	left, err := output.RoomAt(dir)
	if err != nil || left.Holds(need) {
		return err
	}
	return fmt.Errorf("%w in %s: it takes at least %d KiB and %d files, and there is room for %d KiB and %d files",
		ErrSpace, dir, need.Bytes>>10, need.Files, left.Bytes>>10, left.Files)
}
