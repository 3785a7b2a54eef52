package feed

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"strings"
	"time"

	"ayna/generator/change"
	"ayna/generator/prose"
	"ayna/generator/site"
)

// correction makes the entry of an item's last change. It has an id of its own:
// a reader has read the item, and not what became of it.
func (r *Renderer) correction(ctx context.Context, item site.Item) (entry, error) {
	c, err := change.Of(ctx, r.reader.Archive, item, r.site.Location)
	if err != nil {
		return entry{}, err
	}
	e, err := r.entry(ctx, item)
	if err != nil || c == nil {
		return e, err
	}
	when := c.When.UTC().Truncate(time.Second)
	e.id = r.tagURI("correction/" + string(item.Kind()) + "/" + url.PathEscape(item.ID()) + "/" + when.Format("20060102150405"))
	e.title = fmt.Sprintf(r.site.Words.CorrectionTitle, e.title)
	e.published, e.updated = when, when
	e.summary, e.content = r.markUp(c)
	e.pictures = nil
	return e, nil
}

// markUp says what changed: as plain text, and as HTML with the words that went
// and came marked.
func (r *Renderer) markUp(c *change.Change) (summary, content string) {
	var b strings.Builder
	var changed []string
	for i, runs := range c.Fields {
		if runs == nil {
			continue
		}
		field := r.site.Words.CorrectionFields[i]
		changed = append(changed, field)
		b.WriteString("<p><strong>" + html.EscapeString(field) + ":</strong>")
		for _, run := range runs {
			text := html.EscapeString(run.Text)
			switch run.Op {
			case change.Gone:
				text = "<del>" + text + "</del>"
			case change.New:
				text = "<ins>" + text + "</ins>"
			}
			b.WriteString(" " + text)
		}
		b.WriteString("</p>\n")
	}
	return strings.Join(changed, ", "), prose.XML(strings.TrimSpace(b.String()))
}
