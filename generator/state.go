package generator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"ayna/generator/config"
	"ayna/generator/feed"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// ErrNewArchive is returned if the archive is new and holds less than the published
// site. Nothing was published.
var ErrNewArchive = errors.New("the archive is new, and holds less than the published site; put the old one back, or build with --allow-delete")

// readState reads what the published site was made of, and what the archive and
// the configuration would make it of now.
func (b *build) readState(ctx context.Context) (err error) {
	if b.published, err = output.Published(b.Config.Output); err != nil {
		return err
	}
	c := b.Config
	generation, err := b.archive.Generation(ctx)
	if err != nil {
		return err
	}
	forgotten, err := forgottenDigest(ctx, b.archive)
	if err != nil {
		return err
	}
	theme, err := b.themeTexts()
	if err != nil {
		return err
	}
	b.inputs = output.Inputs{
		Config: digest(c.Shown),
		Scope:  digest(c.Content, c.Searches, c.Feeds.Mixes, c.OwnPages),
		Origin: c.Source.Origin(),
	}
	if len(c.Feeds.Formats) > 0 {
		b.inputs.FeedIDs = (&feed.Options{Authority: c.Feeds.IDAuthority, Date: c.Feeds.IDDate}).IDPrefix()
	}
	b.inputs.Forgotten = forgotten
	b.inputs.Key = digest(generation, b.Version, b.inputs, c.Compress, theme)
	return nil
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

// themeTexts returns names and contents of templates, assets and own pages.
func (b *build) themeTexts() (texts []string, err error) {
	names, err := fs.Glob(b.page.Templates, "*.html")
	if err != nil {
		return nil, fmt.Errorf("read the templates: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(b.page.Templates, name)
		if err != nil {
			return nil, fmt.Errorf("read the templates: %w", err)
		}
		texts = append(texts, name, string(text))
	}
	for _, asset := range b.page.Assets {
		texts = append(texts, asset.Address) // it has a digest of the content
	}
	for _, own := range b.page.Own {
		texts = append(texts, own.Name, own.Title, own.Description, string(own.HTML))
	}
	return texts, nil
}

// isUpToDate reports whether the published site is what this build would make.
func (b *build) isUpToDate() bool {
	mustBuild := b.Full || b.forgets || b.shard.N > 0 || b.merge > 0
	return !mustBuild && b.published.Key == b.inputs.Key && b.published.Failed == 0
}

// outputOptions returns what the site must be like to be published, and how far
// it may differ from the published one.
func (b *build) outputOptions(ctx context.Context) output.Options {
	o := output.Options{
		Inputs: b.inputs,
		Jobs:   b.Jobs, Progress: func(done int) { b.progress(Publish, done, 0) },
		Required:   []string{b.site.Home.Index(), site.NotFound, site.RobotsTxt, site.Sitemap},
		Records:    b.site.Home.Items.Len(),
		Unreadable: func(err error) bool { return errors.Is(err, story.ErrUnreadable) },
		Supersedes: config.Sample,
		Fewer:      b.AllowDelete > 0 || b.forgets, Anew: b.archive.New(), Expiring: site.AssetsDir + "/",
		Compress: b.Config.Compress, Shard: b.shard,
	}
	for _, format := range b.site.FormatsOf(site.OfHome) {
		o.Required = append(o.Required, b.site.Home.Feed(format))
	}
	if b.check {
		o.Verify = func(dir string) error { return b.checkSite(ctx, dir) }
	}
	return o
}
