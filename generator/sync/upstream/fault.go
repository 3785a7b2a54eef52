package upstream

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"time"
)

// A Fault is what a request meets instead of, or on the way to, its answer.
type Fault struct {
	Status int           // instead of 200
	Header http.Header   // added to the answer
	Body   string        // instead of the answer, if Status or this is set
	Half   bool          // only the first half of the answer is sent, as if it were all
	Cut    bool          // the same, but the connection breaks there
	Gzip   bool          // it is compressed, and the end of that is missing; behind a listener only
	Slow   time.Duration // it comes that much later
}

// Status is an answer with a status and an error in JSON.
func Status(code int) *Fault { return &Fault{Status: code, Body: `{"Message":"no"}`} }

// HTML is a page of HTML with status 200.
func HTML() *Fault {
	return &Fault{Body: "<!DOCTYPE html><title>Giriş</title>", Header: http.Header{"Content-Type": {"text/html"}}}
}

// Body is an answer with status 200 and this text.
func Body(text string) *Fault { return &Fault{Body: text} }

// Always meets every request.
func Always(f *Fault) func(Call) *Fault { return func(Call) *Fault { return f } }

// answer writes an answer, or what the fault makes of it.
func (f *Fault) answer(w http.ResponseWriter, status int, body []byte) int {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if f == nil {
		w.WriteHeader(status)
		w.Write(body)
		return status
	}
	for name, values := range f.Header {
		w.Header()[name] = values
	}
	if f.Status != 0 {
		status = f.Status
	}
	if f.Status != 0 || f.Body != "" {
		body = []byte(f.Body)
	}
	if f.Gzip {
		w.Header().Set("Content-Encoding", "gzip")
		body = truncatedGzip(body)
	}
	if f.Cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	if f.Cut || f.Half {
		body = body[:len(body)/2]
	}
	w.WriteHeader(status)
	w.Write(body)
	if f.Cut {
		panic(http.ErrAbortHandler)
	}
	return status
}

func truncatedGzip(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(body)
	z.Close()
	return b.Bytes()[:b.Len()*2/3]
}
