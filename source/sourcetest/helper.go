package sourcetest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ayna/source"
)

// Present returns the records that a source has for ids.
func Present(ctx context.Context, s source.Source, group source.Group, ids ...string) (list []json.RawMessage, err error) {
	answers, err := s.Fetch(ctx, group, ids)
	for _, answer := range answers {
		if answer.State == source.Present {
			list = append(list, answer.Record)
		}
	}
	return list, err
}

func byName(a, b row) int { return strings.Compare(a.name, b.name) }

// keyLike returns the key of an object that is a name in any case.
func keyLike(object map[string]any, name string) string {
	for key := range object {
		if strings.EqualFold(key, name) {
			return key
		}
	}
	return name
}

// typeOf names the type of a JSON value.
func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case int:
		return "number"
	}
	return fmt.Sprintf("%T", value)
}

func contextOf(m *mirror) (context.Context, context.CancelFunc) {
	return context.WithCancel(m.Context())
}
