package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ayna/archive"
	"ayna/generator/picture"
)

// upright is the state that says that the sizes of all pictures in an archive
// are those shown. Without it, JPEGs that Exif turns may have those stored.
const upright = "pictures upright"

// uprightBatch is how many sizes are corrected at once.
const uprightBatch = 500

// Upright sees to it, once for each archive, that the sizes of its pictures are
// those shown. A picture that cannot be read is left to the archive's check.
func Upright(ctx context.Context, a *archive.Archive) error {
	if done, err := a.State(ctx, upright); done != "" || err != nil {
		return err
	}
	var turned []archive.Media
	correct := func(tx *archive.Tx) error {
		for _, m := range turned {
			if err := tx.SetMediaSize(m.URL, m.Width, m.Height); err != nil {
				return err
			}
		}
		return nil
	}
	err := a.EachMedia(ctx, "image/jpeg", func(m archive.Media) error {
		shape := shapeOf(filepath.Join(a.MediaDir(), m.Name))
		if shape.Width == 0 || shape.Width == m.Width && shape.Height == m.Height {
			return ctx.Err()
		}
		m.Width, m.Height = shape.Width, shape.Height
		if turned = append(turned, m); len(turned) < uprightBatch {
			return ctx.Err()
		}
		err := a.Update(ctx, correct)
		turned = turned[:0]
		return err
	})
	if err == nil {
		err = a.Update(ctx, func(tx *archive.Tx) error { return errors.Join(correct(tx), tx.SetState(upright, "1")) })
	}
	if err != nil {
		return fmt.Errorf("sizes of pictures as they are shown: %w", err)
	}
	return nil
}

// shapeOf returns nothing of a file that is no picture or not there.
func shapeOf(path string) picture.Shape {
	f, err := os.Open(path)
	if err != nil {
		return picture.Shape{}
	}
	defer f.Close()
	shape, _ := picture.ShapeOf(f)
	return shape
}
