package epub

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ayna/picture"
)

// shownPicture is a mirrored picture that the book shows, once or several times.
type shownPicture struct {
	lead    bool // it is the first of an item
	in      bool // the book has it
	written bool
	pictureFile
}

// pictureFile is the file that is chosen for the book.
type pictureFile struct {
	most         int    // pixels, for which it is chosen
	Name, ending string // no ending: the picture cannot be read
	from         string // the file to copy, or to make it of
	made         bool   // it is a new one, of the size most
	bytes        int
}

func (p *pictureFile) File() string { return "pictures/" + p.Name + p.ending }

// Type is the media type.
func (p *pictureFile) Type() string { return types[p.ending] }

// types are the formats that every reader knows. Many know no WebP.
var types = map[string]string{".jpg": "image/jpeg", ".png": "image/png", ".gif": "image/gif"}

// levels are how many pictures a book has and how wide they are, from the most bytes to
// the fewest.
var levels = []struct {
	width int
	leads bool // of each item only the first
	note  string
}{
	{640, false, ""},
	{320, false, "its pictures are at most 320 pixels wide, so that it is not too large"},
	{320, true, "it has only the first picture of each item, so that it is not too large"},
	{0, true, "it has no pictures, so that it is not too large"},
}

// image returns the link to a mirrored picture, "" if the book lacks it.
func (e *edition) image(address string, lead bool) string {
	p := e.pictures[address]
	if p == nil {
		p = &shownPicture{pictureFile: pictureFile{Name: path.Base(address)}, in: true} // of the draft
		e.pictures[address] = p
	}
	p.lead = p.lead || lead
	if !p.in {
		return ""
	}
	if !p.written {
		p.written = true
		e.Pictures = append(e.Pictures, p)
	}
	return p.File()
}

// choosePictures chooses the first level whose pictures fit into so many bytes, and returns
// what the book lacks because of that.
func (e *edition) choosePictures(ctx context.Context, room int64) (notes []string, err error) {
	const overhead = 300 // bytes of a picture in the book beside its own
	for _, level := range levels {
		need, unreadable := int64(0), 0
		for address, p := range e.pictures {
			p.in, p.written = false, false
			if level.width == 0 || level.leads && !p.lead || need > room {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, context.Cause(ctx)
			}
			if p.most != level.width {
				p.pictureFile = e.choose(path.Base(address), level.width)
			}
			if p.in = p.ending != ""; !p.in {
				unreadable++
			}
			need += int64(p.bytes) + overhead
		}
		if need <= room {
			if level.note != "" {
				notes = append(notes, level.note)
			}
			if unreadable > 0 {
				notes = append(notes, fmt.Sprintf("pictures that cannot be read, and are not in it: %d", unreadable))
			}
			break
		}
	}
	return notes, nil
}

// choose returns the file of a mirrored picture that is at most so many pixels wide: itself if
// it is small enough, or else the widest published one, or else a new one.
func (e *edition) choose(mirrored string, most int) pictureFile {
	archive := e.Stories.Archive
	unreadable, from := pictureFile{most: most}, filepath.Join(archive.Pictures.Dir(), mirrored)
	f, err := picture.Open(from)
	if err != nil {
		return unreadable
	}
	defer f.Close()
	info, err := picture.ReadInfo(f)
	if err != nil {
		return unreadable
	}
	candidates := []picture.Size{{Width: info.Width, Name: from}}
	for _, size := range slices.Backward(picture.Sizes(mirrored, info.Width, e.Widths)) {
		candidates = append(candidates, picture.Size{Width: size.Width, Name: filepath.Join(archive.Pictures.SizesDir(), size.Name)})
	}
	for _, c := range candidates {
		ending := path.Ext(c.Name)
		if stat, err := os.Lstat(c.Name); err == nil && stat.Mode().IsRegular() && stat.Size() > 0 && c.Width <= most && types[ending] != "" {
			return pictureFile{most: most, Name: strings.TrimSuffix(filepath.Base(c.Name), ending), ending: ending, from: c.Name, bytes: int(stat.Size())}
		}
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return unreadable
	}
	small, ending, err := picture.Shrink(content, most)
	if err != nil {
		return unreadable
	}
	name := fmt.Sprintf("%s-%d", strings.TrimSuffix(mirrored, path.Ext(mirrored)), most)
	return pictureFile{most: most, Name: name, ending: ending, from: from, made: true, bytes: len(small)}
}

// copyPicture writes a picture into the book.
func (e *edition) copyPicture(p *shownPicture) {
	if e.draft {
		return
	}
	content, err := os.ReadFile(p.from)
	if err == nil && p.made {
		content, _, err = picture.Shrink(content, p.most)
	}
	e.fail(err)
	e.put(dir+p.File(), content)
}
