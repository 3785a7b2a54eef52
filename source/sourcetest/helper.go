package sourcetest

import (
	"context"
	"fmt"
	"strings"
)

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
