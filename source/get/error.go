package get

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Causes of an [Error], for [errors.Is].
var (
	ErrUnauthorized = errors.New("the service refuses the API key: check it")        // 401
	ErrForbidden    = errors.New("the API key does not allow this")                  // 403
	ErrNotFound     = errors.New("no such record or operation")                      // 404, 410
	ErrTooMany      = errors.New("too many requests: wait")                          // 429
	ErrShape        = errors.New("the answer has an unknown shape")                  // JSON of another type
	ErrNotJSON      = errors.New("the answer is not JSON")                           // HTML, empty, cut off, unknown encoding
	ErrTooLarge     = errors.New("the answer is too large")                          // over Config.MaxBody
	ErrRedirect     = errors.New("the service redirects elsewhere or too often")     // other origin, a loop
	ErrSecret       = errors.New("the record contains the API key and is refused")   // never to be stored
	ErrKeyword      = errors.New("the search keyword is empty or a path dot")        // "", ".", ".."
	ErrID           = errors.New("the id is empty or a path dot")                    // "", ".", ".."
	ErrQuery        = errors.New("the operation does not take this part of a query") // API document, section 4
	ErrGate         = errors.New("before the request")                               // [Config.Gate] has refused it
)

// ErrGateway is the cause of a 401 with a web page: it is not the API that asks for a password.
var ErrGateway = fmt.Errorf("something before the API asks for a password; have it let this program's user agent pass, or give an address that needs none: %w", ErrNotJSON)

// An Error is a failed operation. It never holds the API key.
type Error struct {
	Op         string        // method and path, as in "GET /v1/articles/40", without parameters
	Status     int           // HTTP status; 0 if no answer came
	Message    string        // start of the answer's own message: one line of at most 200 runes
	Code       string        // the answer's own name of the error, as "rest_forbidden"; "" if it has none
	RetryAfter time.Duration // of the answer; 0 if unknown
	WebPage    bool          // the answer is HTML
	Err        error         // the cause: one of the above, of the network or of Config.Gate; may be nil beside a Status
}

func (e *Error) Error() string {
	parts := []string{e.Op}
	if e.Status != 0 && e.Status != http.StatusOK {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("status %d %s", e.Status, http.StatusText(e.Status))))
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	if e.Message != "" {
		parts = append(parts, strconv.Quote(e.Message))
	}
	return strings.Join(parts, ": ")
}

func (e *Error) Unwrap() error { return e.Err }

// Fail returns the error of an operation without an answer. An error whose text repeats
// the key (a broken status line, for example) is replaced by its text without it.
func (g *Getter) Fail(path string, err error) *Error {
	if hidden := g.guard.Hide(err.Error()); hidden != err.Error() {
		err = errors.New(hidden)
	}
	return &Error{Op: g.guard.Printable("GET " + path), Err: err}
}

// Refuse returns the error of an operation with an answer that [Getter.Get] has returned and
// that is unusable.
func (g *Getter) Refuse(path string, a Answer, err error) *Error {
	return g.refuse(path, response{http.StatusOK, a.Header, a.Body}, err)
}

func (g *Getter) refuse(path string, r response, err error) *Error {
	e := &Error{Op: g.guard.Printable("GET " + path), Status: r.status, Err: err}
	r.body = r.body[:min(len(r.body), maxErrorBody)] // as of an answer that is an error
	e.Message, e.Code = g.guard.Printable(r.message()), g.guard.Printable(r.code())
	e.RetryAfter = RetryAfter(r.header)
	e.WebPage = r.isWebPage() && e.Code == ""
	if e.WebPage && r.status == http.StatusUnauthorized && bytes.HasPrefix(bytes.TrimSpace(r.body), []byte("<")) {
		e.Err = ErrGateway
	}
	return e
}

func statusError(status int) error {
	switch status {
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusForbidden:
		return ErrForbidden
	case http.StatusNotFound, http.StatusGone:
		return ErrNotFound
	case http.StatusTooManyRequests:
		return ErrTooMany
	}
	return nil
}

// RetryAfter returns the longest Retry-After (RFC 9110, section 10.2.3). A date counts
// from the answer's own Date, so a wrong clock here does not matter.
func RetryAfter(h http.Header) time.Duration {
	const most = 1_000_000_000 // seconds; more would overflow a Duration
	var longest time.Duration
	for _, text := range h.Values("Retry-After") {
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			longest = max(longest, time.Duration(min(n, most))*time.Second)
		} else if at, err := http.ParseTime(text); err == nil {
			longest = max(longest, at.Sub(answerDate(h, time.Now())))
		}
	}
	return longest
}

// answerDate returns the Date header, or otherwise.
func answerDate(h http.Header, otherwise time.Time) time.Time {
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		return t
	}
	return otherwise
}
