package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// refusal is an error that the client is told of.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return r.message }

func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// errBusy refuses a request that would have to wait too long.
var errBusy = refuse(http.StatusServiceUnavailable, "too many lists and searches at once; try again")

// fail answers with an error in the service's shape. What is no refusal is the
// archive's trouble, of which the client learns nothing more.
func fail(w http.ResponseWriter, err error) {
	r := &refusal{http.StatusInternalServerError, "the archive cannot be read"}
	errors.As(err, &r)
	if errors.Is(err, context.Canceled) {
		return
	}
	body, _ := json.Marshal(struct{ Message, HelpLink string }{r.message, "/v1/"})
	switch {
	case error(r) == errBusy:
		w.Header().Set("Retry-After", "1")
	case r.status == http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "3600")
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(r.status)
	w.Write(body)
}
