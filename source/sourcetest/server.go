package sourcetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
)

// A Server is a real source on this machine, for papers whose requests it answers. Rows have
// the clock of synctest, which stands still while the server is asked. The server's clock
// begins at the same time with each request, by libfaketime.
type Server struct {
	Address string
	Dir     string // what its start script has left there
	// Header is sent with each request.
	Header http.Header
	// Before is called before a request is sent, at the time of the server; may be nil.
	Before func() error

	t     testing.TB
	work  chan func() error
	ended chan error
}

// OpenServer returns the server that a start script has started in the folder that a variable
// names, which a stage of .ci/run sets. It is called outside of synctest.
func OpenServer(t testing.TB, variable, stage string) *Server {
	t.Helper()
	testrun.NeedsSlow(t, "asks a real source")
	dir := os.Getenv(variable)
	if dir == "" {
		t.Skipf("needs a real source: %s names the folder of its start script, as in .ci/run %s", variable, stage)
	}
	s := &Server{Dir: dir, Header: make(http.Header), t: t, work: make(chan func() error), ended: make(chan error)}
	address, err := os.ReadFile(filepath.Join(dir, "address"))
	if err != nil {
		t.Fatal(err)
	}
	s.Address = strings.TrimSpace(string(address))
	if err := s.checkClock(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for f := range s.work {
			s.ended <- f()
		}
	}()
	t.Cleanup(func() {
		close(s.work)
		if err := s.setClock("+0"); err != nil {
			t.Error(err)
		}
	})
	return s
}

// checkClock wants that the server's clock can be set. A server may make the text of a date
// once in a second.
func (s *Server) checkClock() error {
	const behind = 24 * time.Hour
	if err := s.setClock(fmt.Sprint(-behind.Seconds())); err != nil {
		return err
	}
	for range 30 {
		answer, _, err := s.send(http.MethodGet, "/favicon.ico", nil, nil)
		if err != nil {
			return err
		}
		if date, err := http.ParseTime(answer.Header.Get("Date")); err == nil && (time.Since(date)-behind).Abs() < time.Minute {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the server's clock cannot be set: its start script needs faketime")
}

// Outside runs a function outside of synctest, where connections and programs do not stop the
// clock.
func (s *Server) Outside(f func() error) error {
	s.work <- f
	return <-s.ended
}

// Must ends a row if its editor has failed.
func (s *Server) Must(err error) {
	if err != nil {
		s.t.Error(err)
		panic(stop{})
	}
}

func (s *Server) setClock(text string) error {
	name := filepath.Join(s.Dir, "clock")
	if err := os.WriteFile(name+".new", []byte(text+"\n"), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// Send sends a request at the time of the caller, and returns the answer and its body.
func (s *Server) Send(method, target string, body []byte, h http.Header) (answer *http.Response, content []byte, err error) {
	now := time.Now().Round(0)
	err = s.Outside(func() error {
		err := s.setClock(fmt.Sprintf("%+.3f", time.Until(now).Seconds()))
		if err == nil && s.Before != nil {
			err = s.Before()
		}
		if err == nil {
			answer, content, err = s.send(method, target, body, h)
		}
		return err
	})
	return answer, content, err
}

// send is Send without its clock.
func (s *Server) send(method, target string, body []byte, h http.Header) (*http.Response, []byte, error) {
	r, err := http.NewRequest(method, s.Address+target, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(r.Header, h)
	maps.Copy(r.Header, s.Header)
	answer, err := transport.RoundTrip(r) // a redirect is an answer, too
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", method, target, err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", method, target, err)
	}
	return answer, content, nil
}

// Knock sends a request whose answer does not matter. It is for Before.
func (s *Server) Knock(target string) error {
	_, _, err := s.send(http.MethodGet, target, nil, nil)
	return err
}

// Nobody reads compressed answers. PHP closes connections that wait.
var transport = &http.Transport{DisableCompression: true, DisableKeepAlives: true}

// ServeHTTP has the server answer a request of the mirror.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target := url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	answer, content, err := s.Send(r.Method, target.String(), nil, r.Header)
	if err != nil {
		s.t.Error(err)
		http.Error(w, "the server does not answer", http.StatusBadGateway)
		return
	}
	maps.Copy(w.Header(), answer.Header)
	w.Header().Del("Connection")
	w.Header().Set("Date", time.Now().UTC().Format(http.TimeFormat)) // the server's may be a second old, which was another row's
	w.WriteHeader(answer.StatusCode)
	w.Write(content)
}
