package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"ayna/fetch"
	"ayna/generator"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/kinds"
)

// A failure is why init writes nothing: what it tried, what came, and what to do.
type failure struct {
	code         int
	tried        string
	doors        string // what was tried at the address beside its page, "" if nothing was
	came, advice string
	isClosed     bool // nobody answered there, so that another address may be the right one
}

func (f *failure) Error() string { return f.came + "; " + f.advice }

// printFailure prints a failure in three lines, and returns its exit code.
func (s *setup) printFailure(f *failure) int {
	tried := printable(f.tried)
	if f.doors != "" {
		tried += ", its " + f.doors
	}
	fmt.Fprintf(s.stderr, "%s: tried %s; nothing is written\n", s.name, tried)
	return s.printError(f.code, errors.New(f.came), printable(f.advice))
}

// refused returns the failure of a source that answers nobody without a key, or refuses it.
func (s *setup) refused(came, advice string) *failure {
	return &failure{code: exitKey, tried: s.typed, came: s.outline.URL + " " + came, advice: advice}
}

// failureOf returns the failure of an address. The page is what it led to.
func failureOf(address, page string, err error) *failure {
	f := &failure{code: exitShape, tried: address}
	_, rest, _ := strings.Cut(address, "://")
	e, feed := (*get.Error)(nil), (*generator.FeedError)(nil)
	dns, certificate, operation := (*net.DNSError)(nil), (*tls.CertificateVerificationError)(nil), (*net.OpError)(nil)
	errors.As(err, &e)
	switch {
	case errors.As(err, &feed):
		f.came, f.advice = page+" is a feed, which shows the newest articles only", "give the address of its home page: "+feed.Home
	case errors.As(err, &dns) && dns.IsNotFound:
		f.came, f.advice = dns.Name+": no such host", "is it spelt right?"
	case errors.As(err, &dns):
		f.came, f.advice = dns.Name+": no name server answers", "is this machine connected to the network?"
	case errors.As(err, &certificate):
		f.came, f.advice = page+" has no valid certificate: "+certificate.Err.Error(), "is the name right, and the clock of this machine?"
	case errors.Is(err, fetch.ErrPrivate):
		f.code, f.came, f.advice = exitUsage, page+" leads to an address that is not public", "give the address that a browser shows"
	case errors.Is(err, get.ErrRedirect) && e != nil:
		f.code, f.came, f.advice = exitUsage, page+" redirects without end", "give the address that a browser shows"
	case errors.Is(err, get.ErrRedirect), errors.Is(err, get.ErrShape) && !errors.Is(err, fetch.ErrShape) && e == nil:
		what, advice, _ := strings.Cut(err.Error(), "; ") // of package wordpress
		f.code, f.came, f.advice = exitUsage, what, cmp.Or(advice, "it cannot be mirrored")
	case errors.As(err, &operation) && operation.Op == "dial":
		f.came, f.advice, f.isClosed = page+": "+rootOf(err).Error(), "is the address right, and does its server run?", true
	case errors.Is(err, context.DeadlineExceeded):
		f.came, f.advice = page+" does not answer whole within 30 seconds", "try again later, or give another address of the site"
	case isPlain(err):
		f.came, f.advice, f.isClosed = page+" answers without encryption", "give http://"+rest, true
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET):
		f.came, f.advice, f.isClosed = page+" closes the connection without an answer", "is the address right, and does its server run?", true
	case errors.Is(err, homepage.ErrProtected):
		f.came, f.advice = fmt.Sprintf("%s answers with a page of a protection (status %d)", page, e.Status), "ask its owner to let this program's user agent pass: ayna"
	case errors.Is(err, get.ErrGateway):
		f.came, f.advice = fmt.Sprintf("%s asks for a password (status %d)", page, e.Status), "ask its owner to let this program's user agent pass: ayna; or give an address that needs none"
	case isBadRequest(err): // perhaps it wants encryption, or none
		f.came, f.advice, f.isClosed = page+" answers with the status 400 Bad Request", "is the address right?", true
	case e != nil && (e.Status >= 500 || e.Status == http.StatusTooManyRequests):
		f.came, f.advice = fmt.Sprintf("%s answers with the status %d %s", page, e.Status, http.StatusText(e.Status)), "try again later"
	case errors.Is(err, fetch.ErrEmpty):
		f.came, f.advice = page+" answers as a Read API, but its lists hold no records", "is it the right address?"
	case e != nil && e.Status != 0, errors.Is(err, get.ErrTooLarge), errors.Is(err, get.ErrNotJSON), errors.Is(err, get.ErrShape):
		f.came, f.advice = page+" answers, but is neither "+kinds.PapersByPage("nor")+" nor a Read API", "give the address of the paper's home page, or of its Read API without /v1"
	default:
		f.came, f.advice, f.isClosed = page+": "+rootOf(err).Error(), "is the address right, and does this machine reach it (network, DNS, proxy)?", true
	}
	return f
}

// isAnswered reports whether a page has come, be it the wrong one.
func isAnswered(err error) bool {
	e := (*get.Error)(nil)
	return !errors.As(err, &e) || e.Status != 0
}

// isBadRequest reports whether an answer has the status 400.
func isBadRequest(err error) bool {
	e := (*get.Error)(nil)
	return errors.As(err, &e) && e.Status == http.StatusBadRequest
}

// isPlain reports whether a server has answered https with HTTP.
func isPlain(err error) bool {
	return errors.As(err, new(tls.RecordHeaderError)) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// rootOf returns the innermost error of a chain.
func rootOf(err error) error {
	for {
		switch outer := err.(type) {
		case interface{ Unwrap() error }:
			if outer.Unwrap() == nil {
				return err
			}
			err = outer.Unwrap()
		case interface{ Unwrap() []error }:
			all := outer.Unwrap()
			err = all[len(all)-1]
		default:
			return err
		}
	}
}
