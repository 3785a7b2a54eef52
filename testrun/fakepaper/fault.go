package fakepaper

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"
)

// A Fault replaces or damages the answer to a request.
type Fault struct {
	Status int           // instead of 200
	Header http.Header   // added to the answer
	Body   string        // instead of the answer, if Status or this is set
	Half   bool          // send only the first half, as if it were all
	Cut    bool          // send only the first half, then break the connection
	Gzip   bool          // compress it and leave out the end; behind a listener only
	Slow   time.Duration // delay the answer
}

// Status is an answer with a status and an error in JSON.
func Status(code int) *Fault { return &Fault{Status: code, Body: `{"Message":"no"}`} }

// HTML is a page of HTML with status 200.
func HTML() *Fault {
	return &Fault{Body: "<!DOCTYPE html><title>Giriş</title>", Header: http.Header{"Content-Type": {"text/html"}}}
}

// Body is an answer with status 200 and this text.
func Body(text string) *Fault { return &Fault{Body: text} }

// Faulty returns a handler that answers as h does, with a fault in some answers. The
// [Call] has no Skip and no Attempt.
func Faulty(h http.Handler, faults func(Call, *http.Request) *Fault) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		operation, id, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
		fault := faults(Call{Operation: operation, ID: id}, r)
		if fault == nil {
			h.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding") // what is cut is not compressed
		whole := httptest.NewRecorder()
		h.ServeHTTP(whole, r)
		w.Header().Set("Content-Type", whole.Header().Get("Content-Type"))
		fault.answer(w, whole.Code, whole.Body.Bytes())
	})
}

// answer writes an answer with its fault.
func (f *Fault) answer(w http.ResponseWriter, status int, body []byte) {
	maps.Copy(w.Header(), f.Header)
	status = cmp.Or(f.Status, status)
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
}

func truncatedGzip(body []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(body)
	z.Close()
	return b.Bytes()[:b.Len()*2/3]
}
