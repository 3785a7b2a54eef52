package feed

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"strings"
	"time"

	"ayna/generator/site"
	"ayna/prose"
)

// correction returns the entry of an item's last change. It has an id of its own,
// since readers have seen the item already, and leads to the change.
func (r *Renderer) correction(ctx context.Context, item site.Item) (entry, error) {
	e, err := r.entry(ctx, item)
	if err != nil {
		return entry{}, err
	}
	c := r.site.Changes[item.Row()]
	when := c.When.UTC().Truncate(time.Second)
	e.id = r.tagURI("correction/" + string(item.Kind()) + "/" + url.PathEscape(item.ID()) + "/" + when.Format("20060102150405"))
	e.title = fmt.Sprintf(r.site.Words.CorrectionTitle, e.title)
	e.link += "#" + site.ChangeAnchor
	e.published, e.updated = when, when
	e.summary, e.content = r.changes(c)
	e.pictures, e.attached, e.comments = nil, nil, 0
	return e, nil
}

// changes returns what changed, in short as plain text: "22.00 → 23.00", and as HTML with the
// removed and added words marked.
func (r *Renderer) changes(c *site.Change) (summary, content string) {
	var b strings.Builder
	var changed []string
	for i, runs := range c.Fields {
		if runs == nil {
			continue
		}
		field := r.site.Words.CorrectionFields[i]
		changed = append(changed, field+": "+r.replaced(runs))
		b.WriteString("<p><strong>" + html.EscapeString(field) + ":</strong>")
		for _, run := range runs {
			text := html.EscapeString(run.Text)
			switch run.Op {
			case site.Removed:
				text = "<del>" + text + "</del>"
			case site.Added:
				text = "<ins>" + text + "</ins>"
			}
			b.WriteString(" " + text)
		}
		b.WriteString("</p>\n")
	}
	summary = prose.Shorten(strings.Join(changed, ". "), summaryLength)
	return prose.StripInvalidXML(summary), prose.StripInvalidXML(strings.TrimSpace(b.String()))
}

// replaced returns the words that changed in a field, without those around them.
func (r *Renderer) replaced(runs []site.Run) string {
	w := &r.site.Words
	var list []string
	for i, run := range runs {
		switch {
		case run.Op == site.Added && i > 0 && runs[i-1].Op == site.Removed:
			list = append(list, runs[i-1].Text+" "+w.Onward+" "+run.Text)
		case run.Op == site.Added:
			list = append(list, w.WordsNew+": "+run.Text)
		case run.Op == site.Removed && (i+1 == len(runs) || runs[i+1].Op != site.Added):
			list = append(list, w.WordsGone+": "+run.Text)
		}
	}
	return strings.Join(list, "; ")
}
