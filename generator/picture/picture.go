// Package picture tells what a picture's bytes are, and makes smaller pictures
// of mirrored ones, for screens that need no more. Those lie in a folder of
// their own, named by the original's digest and their width, and are made once.
package picture

import (
	"strconv"
	"strings"
)

// Size is a smaller picture made of a mirrored one.
type Size struct {
	Width int    // pixels, as shown
	Name  string // of its file
}

// Sizes returns the sizes to be made of a mirrored picture, whose file is named
// by its digest and which is so many pixels wide: those of the widths that are
// smaller. A GIF has none: it may move.
func Sizes(name string, width int, widths []int) []Size {
	stem, extension, _ := strings.Cut(name, ".")
	switch extension {
	case "jpg", "png":
	case "webp": // which the standard library's relatives read, but do not write
		extension = "jpg"
	default:
		return nil
	}
	var sizes []Size
	for _, w := range widths {
		if w < width {
			sizes = append(sizes, Size{w, stem + "-" + strconv.Itoa(w) + "." + extension})
		}
	}
	return sizes
}
