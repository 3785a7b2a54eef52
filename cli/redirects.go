package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"ayna/archive"
	"ayna/durable"
	"ayna/export"
	"ayna/generator"
)

// exportRedirects writes the redirects of a server, and prints what it cannot be given.
func (a *app) exportRedirects(ctx context.Context) error {
	to := export.Server(a.server)
	switch {
	case !slices.Contains(export.Servers, to):
		return usagef("--server %s: must be %s, %s or %s", a.server, export.Nginx, export.Caddy, export.Netlify)
	case a.selects() || a.originals:
		return usagef("redirects are of all addresses: leave out %s, and --originals", selectingFlags)
	}
	if _, err := a.prepareSelection(ctx); err != nil {
		return err
	}
	return a.withArchive(ctx, func(from *archive.Archive) ([]string, error) {
		stories, err := generator.Stories(ctx, a.config, from)
		if err != nil {
			return nil, err
		}
		moves, without, err := export.Moves(ctx, from.Catalog, stories.Site)
		if err != nil {
			return nil, err
		}
		var count export.RedirectCount
		write := func(w io.Writer) (err error) {
			count, err = export.Redirects(w, to, stories.Site.SourceHost, moves)
			return err
		}
		if a.out == "" {
			err = write(a.stdout)
		} else {
			err = a.writeOut(func(f *durable.File) error { return write(f) })
		}
		if err == nil && !a.quiet {
			a.printRedirects(count, without)
		}
		return nil, err
	})
}

func (a *app) printRedirects(count export.RedirectCount, without int) {
	fmt.Fprintf(a.stderr, "%s: %d addresses lead to the mirror\n", a.name, count.Written)
	if without > 0 {
		count.LeftOut["of records without a page"] = without
	}
	for _, reason := range slices.Sorted(maps.Keys(count.LeftOut)) {
		fmt.Fprintf(a.stderr, "%s: left out: %d %s\n", a.name, count.LeftOut[reason], reason)
	}
}
