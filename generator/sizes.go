package generator

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/generator/story"
	"ayna/picture"
)

// filesShown returns the mirrored pictures and attachments that a site shows.
func filesShown(ctx context.Context, reader *story.Reader) (pictures, attached []archive.Media, err error) {
	rows := make(map[int64]bool)
	for item := range reader.Site.All.All() {
		rows[item.Row()] = true
	}
	for _, writer := range reader.Site.Writers {
		rows[writer.Row] = true
	}
	isShown := func(row int64) bool { return rows[row] }
	if reader.Mirror {
		pictures, err = reader.Archive.Pictures.Shown(ctx, isShown)
	}
	if reader.Attached && err == nil {
		attached, err = reader.Archive.Attachments.Shown(ctx, isShown)
	}
	return pictures, attached, err
}

// makeSizes makes smaller versions of pictures in the configured widths. sizes returns those
// of a picture, without the impossible ones, whose names are sorted.
func makeSizes(ctx context.Context, o Options, mirrored archive.Pictures, shown []archive.Media) (count *SizeCount, sizes func(name string, width int) []picture.Size, impossible []string, err error) {
	resizer, err := picture.NewResizer(mirrored.Dir(), mirrored.SizesDir())
	if err != nil {
		return nil, nil, nil, err
	}
	widths := o.Config.Widths
	skipped := make(map[string]bool) // names of sizes that could not be made
	count = new(SizeCount)
	var mu sync.Mutex
	done := 0
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Jobs))
	for _, m := range shown {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			made, err := resizer.Make(inner, m.Name, picture.Sizes(m.Name, m.Width, widths))
			mu.Lock()
			defer mu.Unlock()
			for _, size := range made.Skipped {
				skipped[size.Name] = true
			}
			count.Made += made.Made
			done++
			o.progress(Sizes, done, len(shown))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return count, nil, nil, err
	}
	count.None = len(skipped)
	sizes = func(name string, width int) []picture.Size {
		return slices.DeleteFunc(picture.Sizes(name, width, widths), func(size picture.Size) bool { return skipped[size.Name] })
	}
	return count, sizes, slices.Sorted(maps.Keys(skipped)), ctx.Err()
}
