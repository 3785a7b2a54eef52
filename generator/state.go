package generator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"ayna/archive/runstate"
	"ayna/generator/config"
	"ayna/generator/feed"
	"ayna/generator/output"
)

// ErrNewArchive is returned if the archive is new and holds less than the published
// site. Nothing was published.
var ErrNewArchive = errors.New("the archive is new, and holds less than the published site; put the old one back, or build with --allow-delete")

// state compares the published site with the one that a command would make.
type state struct {
	published output.State  // what the published site was made of
	inputs    output.Inputs // what it would be made of now
	program   string        // digest of what every file depends on: inputs without the records; "" if it is unknown
	fewer     bool          // it may have fewer files than now
}

// readState reads the state of a site. version is [Options.Version], and theme has names and
// contents of the theme's files.
func readState(ctx context.Context, c *config.Config, version string, kept runstate.State, theme []string) (s state, err error) {
	if s.published, err = output.Published(c.Output); err != nil {
		return s, err
	}
	generation, err := kept.Generation(ctx)
	if err != nil {
		return s, err
	}
	forgotten, err := forgottenDigest(ctx, kept)
	if err != nil {
		return s, err
	}
	s.inputs = output.Inputs{
		Config:    digest(c.Shown),
		Scope:     digest(c.Content, c.Searches, c.Feeds.Mixes, c.OwnPages),
		Origin:    c.Source.Origin(),
		Forgotten: forgotten,
	}
	if len(c.Feeds.Formats) > 0 {
		s.inputs.FeedIDs = (&feed.Options{Authority: c.Feeds.IDAuthority, Date: c.Feeds.IDDate}).IDPrefix()
	}
	rereads, err := kept.Rereads(ctx)
	if err != nil {
		return s, err
	}
	program := digest(version, s.inputs, c.Compress, theme, rereads)
	if version != "" {
		s.program = program
	}
	s.inputs.Key = digest(generation, program)
	return s, nil
}

// isUpToDate reports whether the published site is what the command would make.
func (s state) isUpToDate() bool {
	return s.published.Key == s.inputs.Key && s.published.Failed == 0
}

// isAnew reports whether a command renders files that all differ from the published ones.
func (s state) isAnew() bool { return s.published.Config != s.inputs.Config }

// changedIDs returns the ids of entries if they differ from those in the published
// feeds, because every entry is new to readers then.
func (s state) changedIDs() *IDs {
	before, now := s.published.FeedIDs, s.inputs.FeedIDs
	isSample := s.published.Origin == config.Sample && s.inputs.Origin != config.Sample // nobody reads its feeds
	if before == "" || now == "" || before == now || isSample {
		return nil
	}
	return &IDs{before, now}
}

// forgottenDigest returns the digest of the list of forgotten records, "" if it is empty.
func forgottenDigest(ctx context.Context, kept runstate.State) (string, error) {
	forgotten, err := kept.Forgotten(ctx)
	if err != nil || len(forgotten) == 0 {
		return "", err
	}
	return digest(forgotten), nil
}

// digest returns the digest of values that have a JSON form, in hexadecimal
// digits.
func digest(values ...any) string {
	encoded, err := json.Marshal(values)
	if err != nil {
		panic(err) // a programming error: the types of the values are known
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:16])
}
