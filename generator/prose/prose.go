// Package prose turns the hostile HTML of the Read API into something that
// may be shown: safe HTML for pages and feeds, Markdown and plain text.
//
// The expensive part, [Clean], is done once per text. Its result, a [Body],
// is one string that can be kept in a cache. What depends on where the text
// is shown, the addresses of links and pictures, is asked of a [Resolver]
// each time [Body.HTML] or [Body.Markdown] is called, without parsing again.
//
// A text passes four gates on its way: every tag is read and only known ones
// are written again (source.go), bluemonday filters the result (policy.go),
// x/net/html parses it, and a new tree is built out of known elements alone
// (straighten.go), which the same x/net/html renders. This is the only package
// of the module that makes a [html/template.HTML].
//
// [Markdown] is for the site owner's own pages and must not be given text of
// the source: goldmark takes quadratic time on hostile input.
package prose
