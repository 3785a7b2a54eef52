package ghost

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/names"
)

// A namedList is the list of tags or of authors, which are read whole, once.
type namedList struct {
	name     string // at the source
	group    source.Group
	recordID func(id string) string
	// recordOf returns nil for an element that no record is made of.
	recordOf func(raw json.RawMessage) json.RawMessage

	isRead bool
	batch  source.Batch
	err    error // why it is not read: the records of earlier runs stay
}

func namedLists() map[source.Group]*namedList {
	return map[source.Group]*namedList{
		source.Paths: {name: "tags", group: source.Paths, recordID: func(id string) string { return folderID(tag{ID: id}) }, recordOf: func(raw json.RawMessage) json.RawMessage {
			if t, err := encode.Read[tag](raw); err == nil && t.isPublic() {
				return folder(t)
			}
			return nil
		}},
		source.Writers: {name: "authors", group: source.Writers, recordID: func(id string) string { return writerID(author{ID: id}) }, recordOf: func(raw json.RawMessage) json.RawMessage {
			if a, err := encode.Read[author](raw); err == nil && isID(a.ID) {
				return writer(a)
			}
			return nil
		}},
	}
}

// named returns the records of all tags or authors.
func (s *Source) named(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	if q.Skip > 0 {
		return source.Batch{Count: -1, Last: true}, nil
	}
	s.naming.Lock()
	defer s.naming.Unlock()
	l := s.lists[group]
	if !l.isRead {
		if err := s.readNamed(ctx, l); err != nil {
			return source.Batch{}, err
		}
	}
	return l.batch, l.err
}

// namesFound is what names.Memory remembers of a list, by its name.
const namesFound = "names of "

// readNamed reads a list of tags or authors. The error ends the run.
func (s *Source) readNamed(ctx context.Context, l *namedList) error {
	known := make(map[string]json.RawMessage)
	if s.config.Originals != nil {
		var err error
		if known, err = s.config.Originals.All(ctx, l.name); err != nil {
			return err
		}
	}
	all, err := s.whole(ctx, l.name, url.Values{})
	if err != nil && !isOfList(err) {
		return err
	}
	came := make(map[string]json.RawMessage)
	for _, raw := range all.elements {
		if id := idOf(raw); isID(id) {
			came[id] = withoutAvatars(raw)
		}
	}
	if l.name == "tags" { // the total counts those that no post has, and the list lacks them
		all.total = -1
	}
	memory := names.Remember(s.answer(namesFound + l.name))
	v := memory.Believe(names.List{
		Type: l.name, Operation: pathOf(l.name), Group: l.group, Record: l.recordID,
		Known: known, Came: came, Total: all.total, Err: err,
	}, time.Now())
	s.note(namesFound+l.name, memory.String())
	l.isRead = err == nil || v.Closed != nil // else it is asked for again
	l.batch, l.err = source.Batch{Count: -1, Last: true, Date: all.date}, v.Broken
	if v.Closed != nil {
		s.mu.Lock()
		s.closed = append(s.closed, l.name)
		s.mu.Unlock()
	}
	for _, id := range slices.Sorted(maps.Keys(v.Names)) {
		if r := l.recordOf(v.Names[id]); r != nil && !v.Gone[id] {
			l.batch.Records = append(l.batch.Records, r)
		}
	}
	if s.config.Originals == nil || len(v.Changed) == 0 {
		return nil
	}
	return s.config.Originals.Put(ctx, v.Changed)
}
