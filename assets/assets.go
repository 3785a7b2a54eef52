// Package assets holds the files that pages share, as [FS]: the style sheets of pages
// and of feeds, the icon in two forms, the scripts of all pages, of galleries and of the
// search page, and the files of the typeface, which font/make.py makes.
package assets

import "embed"

// FS holds the assets.
//
//go:embed *.css *.js *.svg *.png *.woff2
var FS embed.FS
