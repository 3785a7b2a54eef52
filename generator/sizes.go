package generator

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/generator/picture"
	"ayna/generator/site"
	"ayna/generator/story"
)

// sizesOf returns the smaller pictures that there are of a mirrored one, by its
// name and width.
type sizesOf func(name string, width int) []picture.Size

// sizes returns the mirrored pictures that the site shows, sees to it that the
// smaller ones are there that the configuration wants of them, and has the
// reader show them.
func (r *Report) sizes(ctx context.Context, a *archive.Archive, s *site.Site, reader *story.Reader, o Options) ([]archive.Media, error) {
	if !reader.Mirror {
		return nil, nil
	}
	shown, err := shownPictures(ctx, a, s)
	if err != nil || len(o.Config.Widths) == 0 || a.SizesDir() == "" {
		return shown, err
	}
	defer r.time(string(Sizes))()
	reader.Sizes, err = r.makeSizes(ctx, a, shown, o)
	return shown, err
}

func (r *Report) makeSizes(ctx context.Context, a *archive.Archive, shown []archive.Media, o Options) (sizesOf, error) {
	resizer, err := picture.NewResizer(a.MediaDir(), a.SizesDir())
	if err != nil {
		return nil, err
	}
	widths, none := o.Config.Widths, make(map[string]bool) // names of sizes that there are not
	r.Sizes = &SizeCount{}
	var mu sync.Mutex
	done := 0
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Jobs))
	for _, m := range inTurn(shown, o) {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			made, err := resizer.Make(inner, m.Name, picture.Sizes(m.Name, m.Width, widths))
			mu.Lock()
			defer mu.Unlock()
			for _, size := range made.None {
				none[size.Name] = true
			}
			r.Sizes.Made += made.New
			done++
			o.report(Progress{Sizes, done, len(shown), -1})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	r.Sizes.None = len(none)
	return func(name string, width int) []picture.Size {
		all := picture.Sizes(name, width, widths)
		sizes := all[:0]
		for _, size := range all {
			if !none[size.Name] {
				sizes = append(sizes, size)
			}
		}
		return sizes
	}, ctx.Err()
}

// inTurn has each shard begin with a share of its own, and find the others'
// made.
func inTurn(shown []archive.Media, o Options) []archive.Media {
	if o.Shard.N == 0 {
		return shown
	}
	first := len(shown) * o.Shard.I / o.Shard.N
	return append(shown[first:len(shown):len(shown)], shown[:first]...)
}
