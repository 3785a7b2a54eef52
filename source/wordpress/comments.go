package wordpress

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/markup"
)

// commentsOf is the REST name of comments. The list has those that are approved, without pings.
const commentsOf = "comments"

// commentFields are without the author's address, and without the address of the avatar, which
// holds a hash of the e-mail address. WordPress leaves out content.rendered.
const commentFields = "id,post,parent,author,author_name,date_gmt,content,link,type"

// maxComment is the most bytes of a comment's text. A form of WordPress takes 65,525 letters.
const maxComment = 1 << 20

// A comment is what WordPress answers of one.
type comment struct {
	ID      number   `json:"id"`
	Post    number   `json:"post"`
	Parent  number   `json:"parent"`
	Author  text     `json:"author_name"` // with entities
	Date    gmt      `json:"date_gmt"`
	Content rendered `json:"content"`
}

// Comments implements [source.Commenter]. The filter by date compares local dates, so that an
// hour may be missing around a change of the clock.
func (s *Source) Comments(ctx context.Context, q source.CommentQuery) (batch source.CommentBatch, err error) {
	if s.isFeed.Load() {
		return batch, errNotInFeed
	}
	query := url.Values{"_fields": {commentFields}, "orderby": {"id"}, "order": {"asc"}}
	if !q.After.IsZero() {
		query.Set("after", q.After.UTC().Format(time.RFC3339))
	}
	if q.Skip > 0 {
		query.Set("offset", number(q.Skip).String())
	}
	var list []json.RawMessage
	var a get.Answer
	asked := len(q.IDs)
	if q.IDs != nil {
		var ids []number
		for _, id := range q.IDs {
			n, _ := readNumber([]byte(id))
			ids = append(ids, n)
		}
		list, err = s.included(ctx, pathOf(commentsOf), commentFields, ids)
		batch.Total, batch.Last = -1, true
	} else {
		most := perPage
		if q.Top > 0 {
			most = min(most, q.Top)
		}
		list, a, asked, err = s.part(ctx, pathOf(commentsOf), query, most)
		batch.Total = total(a)
	}
	if err != nil {
		return source.CommentBatch{}, err
	}
	batch.Received = len(list)
	if q.IDs == nil {
		isHidden := len(list) == 0 && q.Skip < batch.Total // WordPress leaves out those below drafts after it has counted them
		if isHidden {
			batch.Received = fewest
		}
		batch.Last = len(list) == 0 && !isHidden || len(list) > 0 && len(list) < asked && q.Skip+len(list) >= batch.Total && batch.Total >= 0
	}
	for _, raw := range list {
		if c, err := s.ReadComment(raw); err == nil && !s.getter.KeyGuard().InJSON(raw) {
			batch.Comments = append(batch.Comments, c)
		}
	}
	return batch, nil
}

// ReadComment implements [source.Commenter].
func (s *Source) ReadComment(data json.RawMessage) (source.Comment, error) {
	c, err := encode.Read[comment](data)
	if err != nil {
		return source.Comment{}, err
	}
	if c.ID <= 0 {
		return source.Comment{}, errors.New("a comment without an id")
	}
	made := source.Comment{
		ID: c.ID.String(), Author: withoutNUL(markup.Plain(c.Author.Value)), Written: c.Date.Time, Text: withoutNUL(encode.Clip(c.Content.Text, maxComment)),
		Original: source.Original{Type: commentsOf, ID: c.ID.String(), Operation: pathOf(commentsOf), Data: withoutOthers(data)},
	}
	if c.Post > 0 {
		made.Record = c.Post.String()
	}
	if c.Parent > 0 && c.Parent != c.ID {
		made.Parent = c.Parent.String()
	}
	for _, field := range []struct {
		name string
		came bool
	}{{"record", c.Post > 0}, {"author", c.Author.shape == regular}, {"date", c.Date.shape == regular}, {"text", c.Content.shape == regular && made.Text != ""}} {
		if !field.came {
			made.Unread = append(made.Unread, field.name)
		}
	}
	return made, nil
}

// withoutOthers returns a comment without members that were not asked for: they may hold a hash of
// the e-mail address.
func withoutOthers(data json.RawMessage) json.RawMessage {
	asked := strings.Split(commentFields, ",")
	return encode.Without(data, func(name string, _ json.RawMessage) bool { return !slices.Contains(asked, name) })
}

// withoutNUL replaces what PostgreSQL cannot store.
func withoutNUL(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }

var _ source.Commenter = (*Source)(nil)
