// Package templates holds the built-in templates of the site's pages.
//
// layout.html frames every page, parts.html and item.html define what several
// pages share, and each other file is the view of one sort of page. Package
// page says which fields each view may use.
package templates

import "embed"

// FS holds the templates.
//
//go:embed *.html
var FS embed.FS
