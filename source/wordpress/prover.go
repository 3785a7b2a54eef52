package wordpress

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
)

// statusFields say whether a record is public, and when it changed.
const statusFields = "id,status,date_gmt,modified_gmt,excerpt.protected,content.protected"

// A status is what statusFields have of a record.
type status struct {
	post
	Status text `json:"status"`
}

// isPublic reports whether everybody may read a record. With a password of the site, private
// ones come, too.
func (s status) isPublic() bool {
	return !s.isProtected() && (s.Status.shape == absent || s.Status.Value == "publish")
}

// TypeOf returns the REST name of a record: of its type, or of the list that it is made of.
func (s *Source) TypeOf(of source.Known) string {
	for prefix, name := range map[string]string{"user-": users, "term-": categoryOf} {
		if strings.HasPrefix(of.ID, prefix) {
			return name
		}
	}
	r, err := encode.Read[item](of.List)
	switch {
	case err != nil:
		return string(Posts)
	case of.ID == stickyOf:
		return stickyOf
	case r.ContentType == encode.StandingPage:
		return standing
	}
	// A post may be in a category that is called like a custom type; it has a format.
	if len(r.Paths) == 1 && (r.WordPress == nil || r.WordPress.Format == "") {
		if name := strings.Trim(r.Paths[0], "/"); name != string(Posts) && slices.Contains(s.types, name) {
			return name
		}
	}
	return string(Posts)
}

// Dates asks which of some records of one type are public. Terms and users have no dates.
func (s *Source) Dates(ctx context.Context, _ source.Group, of []source.Known) (map[string]time.Time, error) {
	if len(of) == 0 {
		return nil, nil
	}
	name := s.TypeOf(of[0])
	if name == stickyOf {
		state, err := s.Ask(ctx, source.Pages, of[0])
		if state != source.Present {
			return nil, err
		}
		return map[string]time.Time{of[0].ID: {}}, err
	}
	byNumber, dates := make(map[number]string), make(map[string]time.Time)
	var ids []number
	for _, k := range of {
		n, ok := readNumber([]byte(k.ID[strings.IndexByte(k.ID, '-')+1:]))
		if !ok || n <= 0 {
			return nil, fmt.Errorf("record %q: %w", k.ID, get.ErrID)
		}
		byNumber[n] = k.ID
		ids = append(ids, n)
	}
	list, err := s.included(ctx, pathOf(name), statusFields, ids)
	if err != nil {
		return nil, err
	}
	for _, raw := range list {
		r, err := encode.Read[status](raw)
		if id := byNumber[r.ID]; err == nil && id != "" && r.isPublic() {
			if dates[id] = r.Modified.Time; r.Date.After(r.Modified.Time) { // as in its record
				dates[id] = r.Date.Time
			}
		}
	}
	return dates, nil
}

// Ask asks for a record at its own address. The site's own word for its answer proves that a
// record is gone, not the status, which protections and caches use as well.
func (s *Source) Ask(ctx context.Context, _ source.Group, of source.Known) (source.State, error) {
	name := s.TypeOf(of)
	if name == stickyOf {
		if err := s.readSticky(ctx); err != nil {
			return "", err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.sticky) == 0 {
			return source.NotFound, nil
		}
		return source.Present, nil
	}
	id := of.ID[strings.IndexByte(of.ID, '-')+1:]
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n <= 0 {
		return "", fmt.Errorf("record %q: %w", of.ID, get.ErrID)
	}
	if s.isFeed.Load() {
		return s.feedState(ctx, number(n))
	}
	path := pathOf(name) + "/" + id
	a, err := s.get(ctx, path, url.Values{"_fields": {statusFields}}, get.ObjectWith("id"))
	if e := (*get.Error)(nil); errors.As(err, &e) {
		return stateOf(e)
	}
	if err != nil {
		return "", err
	}
	r, err := encode.Read[status](a.Body)
	switch {
	case err != nil || r.ID.String() != id:
		return "", fmt.Errorf("%s: %w: it is not that record", path, get.ErrShape)
	case !r.isPublic():
		return source.Gone, nil
	}
	return source.Present, nil
}

// stateOf returns the state of a record that a refusal proves, or the refusal.
func stateOf(e *get.Error) (source.State, error) {
	switch isRefused := e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden; {
	case isRefused && (e.Code == "rest_forbidden" || e.Code == "rest_user_cannot_view"):
		return source.Gone, nil
	case e.Status == http.StatusNotFound && slices.Contains([]string{"rest_post_invalid_id", "rest_user_invalid_id", "rest_term_invalid"}, e.Code):
		return source.NotFound, nil
	}
	return "", e
}

var _ source.Prover = (*Source)(nil)
