package names

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"ayna/source/get"
)

// IsClosed reports whether an error is the answer of a source that does not show a list.
func IsClosed(err error) bool {
	e := (*get.Error)(nil)
	return errors.As(err, &e) && slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound}, e.Status)
}

// IsOfList reports whether an error is about one list, without which its source is still read.
// Others are about the run: it may send no further request.
func IsOfList(err error) bool {
	if err == nil || errors.Is(err, get.ErrGate) || errors.Is(err, context.Canceled) {
		return false
	}
	e := (*get.Error)(nil)
	return !errors.As(err, &e) || e.Status != http.StatusTooManyRequests
}
