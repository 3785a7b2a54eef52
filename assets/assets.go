// Package assets holds the files that every page shares: the stylesheet and
// the icon.
package assets

import "embed"

// FS holds the assets.
//
//go:embed *.css *.svg
var FS embed.FS
