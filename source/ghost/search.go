package ghost

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
)

// SearchBatch returns the ids of posts whose title or text has a keyword, as a part of a
// word too, the newest first.
func (s *Source) SearchBatch(ctx context.Context, keyword string, q source.Query) (source.Batch, error) {
	if strings.TrimSpace(keyword) == "" {
		return source.Batch{}, get.ErrKeyword
	}
	quoted := "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(keyword) + "'"
	size := min(max(q.Top, 1), perPage)
	if q.Skip%size != 0 {
		q.Skip -= q.Skip % size // Ghost has pages and no offsets; what comes again is known
	}
	a, err := s.list(ctx, "/posts/", "posts", url.Values{
		"fields": {"id"}, "filter": {"title:~" + quoted + ",html:~" + quoted}, "limit": {strconv.Itoa(size)}, "page": {strconv.Itoa(q.Skip/size + 1)},
	})
	if err != nil {
		return source.Batch{}, err
	}
	b := source.Batch{Count: a.total, Date: a.date}
	for _, raw := range a.elements {
		e, err := encode.Read[entry](raw)
		if err != nil || !isID(e.ID) {
			b.Skipped++
			continue
		}
		b.Records = append(b.Records, encode.Encode(encode.Reference{ID: e.ID}))
	}
	return b, nil
}
