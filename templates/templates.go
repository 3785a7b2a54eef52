// Package templates holds the built-in templates of the site's pages, for package
// generator/page.
//
// layout.html surrounds every page, parts.html and item.html define what several pages
// share, and each other file belongs to one view. docs/themes.md documents the fields of
// each view.
package templates

import "embed"

// FS holds the templates.
//
//go:embed *.html
var FS embed.FS
