// Package templates holds the built-in templates of the site's pages.
//
// layout.html frames every page, parts.html and item.html define what several
// pages share, and each other file is the view of one sort of page.
// docs/themes.md says what each of them is given.
package templates

import "embed"

// FS holds the templates.
//
//go:embed *.html
var FS embed.FS
