package story

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/prose"
	"ayna/record"
)

// Batch reads the stories of consecutive items with one query, which saves about a tenth
// of the processor time of a full build. Any number of goroutines
// may use it; they wait for that query.
type Batch struct {
	reader *Reader
	items  site.Items

	mu     sync.Mutex
	alone  int      // stories that were read alone
	bodies []string // nil until they are read
}

// maxAlone is how many stories of a batch are read alone where few are read, before all are
// read with one query.
const maxAlone = 2

// Batches yields items in batches of at most [archive.MaxTexts].
func (r *Reader) Batches(items site.Items) iter.Seq2[*Batch, site.Items] {
	return func(yield func(*Batch, site.Items) bool) {
		for chunk := range items.Chunks(archive.MaxTexts) {
			if !yield(&Batch{reader: r, items: chunk}, chunk) {
				return
			}
		}
	}
}

// Story reads the story of an item of the batch.
func (r *Batch) Story(ctx context.Context, item site.Item) (*Story, error) {
	body := r.body(ctx, item)
	if body == "" {
		return r.reader.Story(ctx, item)
	}
	return r.reader.storyOf(ctx, item, body)
}

// body returns the document of an item; "" if it has to be read alone: it is one of few, or
// large, or a damaged row makes the whole batch unreadable.
func (r *Batch) body(ctx context.Context, item site.Item) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bodies == nil {
		if r.alone++; r.alone <= maxAlone && r.reader.Few != nil && r.reader.Few() {
			return ""
		}
		rows := make([]int64, 0, r.items.Len())
		for other := range r.items.All() {
			rows = append(rows, other.Row())
		}
		bodies, err := r.reader.Archive.Texts.GetMany(ctx, rows, r.reader.textVersion())
		if err != nil {
			bodies = make([]string, len(rows))
		}
		r.bodies = bodies
	}
	place, _ := r.items.Find(item)
	return r.bodies[place]
}

// Texts reads the texts of items and the captions of their pictures as plain text, in the
// items' order: "" for those that cannot be read.
func (r *Reader) Texts(ctx context.Context, items []site.Item) (texts []string, err error) {
	for chunk := range slices.Chunk(items, archive.MaxTexts) {
		rows := make([]int64, len(chunk))
		for i, item := range chunk {
			rows[i] = item.Row()
		}
		documents, err := r.Archive.Texts.GetMany(ctx, rows, r.textVersion())
		if err != nil {
			documents = make([]string, len(rows)) // because of a damaged row; each is read alone
		}
		for i, document := range documents {
			texts = append(texts, r.text(ctx, chunk[i], document))
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
	}
	return texts, nil
}

// text returns the plain text of an item, with titles and captions of its pictures, names
// of its attachments and titles of its cards in further lines; "" if they cannot be read. It reads the item's document if document is "".
func (r *Reader) text(ctx context.Context, item site.Item, document string) string {
	if document == "" {
		document, _ = r.Archive.Texts.Get(ctx, item.Row(), r.textVersion())
	}
	d, err := unmarshal(document)
	if err != nil {
		if d, err = r.prepare(ctx, item); err != nil {
			r.reduced.Store(true)
			return ""
		}
	}
	lines := []string{d.body.Text()}
	for _, file := range d.Files {
		for _, line := range []string{file.Title, file.Caption} {
			if line != "" && line != lines[len(lines)-1] {
				lines = append(lines, line)
			}
		}
	}
	if names := record.FileNames(d.body); names != "" {
		lines = append(lines, names)
	}
	return strings.Join(append(lines, r.cardTitles(ctx, item, d.body)...), "\n")
}

// cardTitles returns the oEmbed titles of the cards that have no title in the text.
func (r *Reader) cardTitles(ctx context.Context, item site.Item, body prose.Body) (titles []string) {
	cards := slices.DeleteFunc(body.Cards(), func(c prose.Card) bool { return c.Title != "" })
	if len(cards) == 0 {
		return nil
	}
	media, err := r.mediaOf(ctx, item) // the item's own page reports what cannot be read
	if err != nil {
		r.reduced.Store(true)
	}
	for _, card := range cards {
		if title := media[card.Address].Title; title != "" {
			titles = append(titles, title)
		}
	}
	return titles
}
