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
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// ErrNewArchive marks a site that was not published because the archive was
// begun anew and holds less than the published site.
var ErrNewArchive = errors.New("the archive is new, and holds less than the published site; put the old one back, or build with -allow-delete")

// shownSettings encodes the settings that pages and feeds show.
func shownSettings(c *config.Config) (string, error) {
	seen := *c
	seen.Source.URL, seen.Source.APIKey = "", ""
	seen.Source.Concurrency, seen.Source.PerSecond, seen.Source.PerHour, seen.Source.PageSize, seen.Source.Timeout = 0, 0, 0, 0, 0
	seen.Archive, seen.Output, seen.Compress, seen.Serve = "", "", nil, config.Serve{}
	return encode(seen)
}

func encode(settings any) (string, error) {
	encoded, err := json.Marshal(settings)
	if err != nil {
		return "", fmt.Errorf("encode the configuration: %w", err)
	}
	return string(encoded), nil
}

// digest returns the digest of texts, in hexadecimal digits. No two lists of
// texts have the same.
func digest(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d:%s", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// scopeKey is a digest of the settings that choose the pages of a site. Only
// these may legitimately make the site smaller.
func (b *build) scopeKey() (string, error) {
	c := b.Config
	encoded, err := encode([]any{c.Content, c.Searches, c.Feeds.Mixes, c.OwnPages})
	return digest(encoded), err
}

// forgottenKey is a digest of the records that were taken out of the archive for
// good, "" if there are none.
func (b *build) forgottenKey(ctx context.Context) (string, error) {
	gone, err := b.archive.Forgotten(ctx)
	if err != nil || len(gone) == 0 {
		return "", err
	}
	var texts []string
	for _, f := range gone {
		texts = append(texts, string(f.Kind), f.ID)
	}
	return digest(texts...), nil
}

// stateKey is a digest of all that the site is made of: what the archive shows,
// the configuration with what it names, and the program.
func (b *build) stateKey(ctx context.Context) (string, error) {
	generation, err := b.archive.Generation(ctx)
	if err != nil {
		return "", err
	}
	gone, err := b.forgottenKey(ctx)
	if err != nil {
		return "", err
	}
	texts := append([]string{generation, b.Version, b.Config.Source.Origin(), b.shown, gone}, b.Config.Compress...)
	names, err := fs.Glob(b.page.Templates, "*.html")
	if err != nil {
		return "", fmt.Errorf("digest of the templates: %w", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(b.page.Templates, name)
		if err != nil {
			return "", fmt.Errorf("digest of the templates: %w", err)
		}
		texts = append(texts, name, string(text))
	}
	for _, asset := range b.page.Assets {
		texts = append(texts, asset.Address)
	}
	for _, own := range b.page.Own {
		texts = append(texts, own.Name, own.Title, own.Description, string(own.HTML))
	}
	return digest(texts...), nil
}

// isUpToDate reports whether the published site is what this build would make.
func (b *build) isUpToDate() bool {
	mustBuild := b.Full || b.forgets || b.shard.N > 0 || b.merge > 0
	return !mustBuild && b.published.Key == b.state && b.published.Failed == 0
}

// outputOptions returns what the site must be like to be published, and how far
// it may differ from the published one.
func (b *build) outputOptions(ctx context.Context) (o output.Options, err error) {
	o = output.Options{
		Jobs: b.Jobs, Progress: func(done int) { b.progress(Publish, done, 0) },
		Required:   []string{b.site.Home.Index(), site.NotFound, site.RobotsTxt, site.Sitemap},
		Records:    b.site.Home.Items.Len(),
		Unreadable: func(err error) bool { return errors.Is(err, story.ErrUnreadable) },
		Origin:     b.Config.Source.Origin(), Supersedes: config.Sample,
		Fewer: b.AllowDelete > 0, Anew: b.archive.New(), Lingering: site.AssetsDir + "/",
		Compress: b.Config.Compress, Shard: b.shard, Config: digest(b.shown), State: b.state,
	}
	for _, format := range b.site.FormatsOf(site.OfHome) {
		o.Required = append(o.Required, b.site.Home.Feed(format))
	}
	if b.check {
		o.Verify = func(dir string) error { return b.checkSite(ctx, dir) }
	}
	if o.Scope, err = b.scopeKey(); err != nil {
		return o, err
	}
	o.Forgotten, err = b.forgottenKey(ctx)
	return o, err
}
