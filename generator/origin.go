package generator

import (
	"context"
	"fmt"

	"ayna/archive"
	"ayna/generator/config"
	"ayna/generator/output"
)

// checkOrigin refuses an archive that was filled from another service than the
// configured one: records of two services would be mixed for good. It is the same
// for whatever a run is to do: what makes no request (-offline, -import, -forget,
// -check, -shard, -merge) would publish one service under the name of another,
// and what publishes nothing (-sync-only, -probe) would store what is not true of
// the archive's service. The records that -import reads may be of any service:
// which ones belong into the archive is up to its owner.
func checkOrigin(ctx context.Context, a *archive.Archive, o Options) error {
	filled, err := a.Origin(ctx)
	if err != nil {
		return err
	}
	named := o.Config.Source.Origin()
	switch {
	case filled == "" || filled == named:
		return nil
	case filled == config.Sample || named == config.Sample:
		return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml, or leave archive empty, which keeps the sample apart",
			ErrConfig, a.Name(), filled, named)
	case o.Moved:
		return nil
	}
	return fmt.Errorf("%w: the archive %s was filled from %s, and source.url is %s: name another archive in site.yaml for another service; if this service has moved, build with -moved once, and its pages and feeds stay",
		ErrConfig, a.Name(), filled, named)
}

// noteOrigin binds an archive to the configured service, before the first
// request. A shard only reads, so it leaves that to other runs.
func noteOrigin(ctx context.Context, a *archive.Archive, o Options) error {
	named := o.Config.Source.Origin()
	if filled, err := a.Origin(ctx); err != nil || filled == named || !a.Writable() {
		return err
	}
	return a.Update(ctx, func(tx *archive.Tx) error { return tx.SetOrigin(named) })
}

// publishedOrigin returns the origin of the published site, "" if it is unknown.
// It refuses to publish the sample in the place of a real service's mirror:
// however many pages the sample has, they are none of the mirror's. The other way
// round nothing is lost, which [guarding] knows.
func publishedOrigin(o Options) (string, error) {
	if o.NoSite || o.Shard.N > 0 {
		return "", nil
	}
	published, err := output.Published(o.Config.Output)
	if err != nil {
		return "", err
	}
	if o.Config.Source.Origin() == config.Sample && published.Origin != config.Sample && published.Origin != "" && o.AllowDelete == 0 {
		return "", fmt.Errorf("%w: the site in %s mirrors %s, and the sample would take its place: publish the sample elsewhere with -out, or build with -allow-delete 1 if the site may go",
			ErrConfig, o.Config.Output, published.Origin)
	}
	return published.Origin, nil
}
