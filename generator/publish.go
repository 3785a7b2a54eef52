package generator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/output"
	"ayna/generator/page"
	"ayna/generator/site"
)

// ErrNewArchive marks a site that was not published because the archive was
// begun anew and holds less than the published site.
var ErrNewArchive = errors.New("the archive is new, and holds less than the published site; put the old one back, or build with -allow-delete")

// openArchive opens the archive for a build. A shard only reads: others do so at
// the same time.
func openArchive(ctx context.Context, o Options) (*archive.Archive, error) {
	if o.Shard.N > 0 {
		return archive.OpenReader(ctx, o.Config.Archive)
	}
	return archive.Open(ctx, o.Config.Archive)
}

// standing returns a digest of all that a site is made of: what the archive
// shows, the configuration with all it names, and the program.
func standing(ctx context.Context, a *archive.Archive, p page.Options, o Options) (output.Key, error) {
	edition, err := a.Edition(ctx)
	if err != nil {
		return output.Key{}, err
	}
	seen, err := visible(o.Config)
	if err != nil {
		return output.Key{}, err
	}
	gone, err := forgotten(ctx, a)
	if err != nil {
		return output.Key{}, err
	}
	d := output.NewDigest("state").Text(edition, o.Version, o.Config.Source.Origin(), seen, fmt.Sprintf("%x", gone)).Text(o.Config.Compress...)
	err = fs.WalkDir(p.Templates, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(p.Templates, name)
		d.Text(name, string(text))
		return err
	})
	if err != nil {
		return output.Key{}, fmt.Errorf("digest of the templates: %w", err)
	}
	for _, asset := range p.Assets {
		d.Text(asset.Address)
	}
	for _, own := range p.Own {
		d.Text(own.Name, own.Title, own.Description, string(own.HTML))
	}
	return d.Key(), nil
}

// forgotten returns a digest of what was taken out of the archive for good, the
// zero Key if nothing was.
func forgotten(ctx context.Context, a *archive.Archive) (output.Key, error) {
	gone, err := a.Forgotten(ctx)
	if err != nil || len(gone) == 0 {
		return output.Key{}, err
	}
	d := output.NewDigest("forgotten")
	for _, f := range gone {
		d.Text(string(f.Kind), f.ID)
	}
	return d.Key(), nil
}

// stands reports whether the published site is what this build would make, so
// that nothing is left to do.
func (r *Report) stands(o Options) (bool, error) {
	if o.Full || o.Forget != nil || o.Shard.N > 0 || o.Merge > 0 {
		return false, nil
	}
	published, err := output.Published(o.Config.Output)
	if err != nil || published.Key != o.found || published.Failed > 0 {
		return false, err
	}
	r.Files = &Files{Bytes: published.Bytes, Unchanged: published.Files, Failed: []Problem{}}
	return true, nil
}

// publishing says how a site is published.
func publishing(ctx context.Context, a *archive.Archive, s *site.Site, p page.Options, o Options) (options output.Options, err error) {
	options = guarding(a, s, o)
	if options.Config, err = configKey(o.Config); err != nil {
		return output.Options{}, err
	}
	if options.Scope, err = scopeKey(o.Config); err != nil {
		return output.Options{}, err
	}
	if options.State, err = standing(ctx, a, p, o); err != nil {
		return output.Options{}, err
	}
	if options.Forgotten, err = forgotten(ctx, a); err != nil {
		return output.Options{}, err
	}
	options.Compress, options.Shard = o.Config.Compress, o.Shard
	return options, nil
}

// configKey is a digest of what of the configuration pages show.
func configKey(c *config.Config) (output.Key, error) {
	seen, err := visible(c)
	if err != nil {
		return output.Key{}, err
	}
	return output.NewDigest("config").Text(seen).Key(), nil
}

// scopeKey is a digest of what of the configuration chooses the pages of a site.
// Nothing else of it may stand for fewer of them: neither another key nor another
// archive does.
func scopeKey(c *config.Config) (output.Key, error) {
	encoded, err := json.Marshal([]any{c.Content, c.Searches, c.Feeds.Mixes, c.OwnPages})
	if err != nil {
		return output.Key{}, fmt.Errorf("digest of the configuration: %w", err)
	}
	return output.NewDigest("scope").Text(string(encoded)).Key(), nil
}

// guarding says what a site must be like to be published, and how far it may
// differ from the published one.
func guarding(a *archive.Archive, s *site.Site, o Options) output.Options {
	options := output.Options{
		Jobs: o.Jobs, Progress: func(done int) { o.report(Progress{Publish, done, 0, -1}) },
		Required: []string{s.Home.Index(), site.NotFound, site.RobotsTxt, site.Sitemap},
		Verify:   o.verify, Records: s.Home.Items.Len(),
		Origin: o.Config.Source.Origin(), Supersedes: config.Sample,
		Fewer: o.AllowDelete > 0, Anew: a.New(), Lingering: site.AssetsDir + "/", Alone: o.Forget != nil,
	}
	for _, format := range s.FormatsOf(site.OfHome) {
		options.Required = append(options.Required, s.Home.Feed(format))
	}
	return options
}

// merge publishes what shards have rendered.
func (r *Report) merge(ctx context.Context, a *archive.Archive, s *site.Site, p page.Options, to *output.Publication, o Options) error {
	defer r.time("publish")()
	how, err := publishing(ctx, a, s, p, o)
	if err != nil {
		return err
	}
	result, err := to.Merge(ctx, o.Merge, o.found, how)
	r.Files = filesOf(result)
	if err != nil {
		return fmt.Errorf("the site could not be published: %w", err)
	}
	return nil
}
