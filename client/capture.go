package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// ReadCaptured reads an answer of status 200 that somebody else received to an operation
// at an address, as web archives hold them, without its content encoding. It accepts what
// a [Client] accepts. The answer to a request for a single record is one record with the
// requested id.
func ReadCaptured(u *url.URL, o Operation, header http.Header, body []byte) (Batch, error) {
	header = header.Clone()
	header.Del("Content-Encoding")
	r, err := response{http.StatusOK, header, body}, error(nil)
	if r.body, err = r.text(); err != nil {
		return Batch{}, err
	}
	k := &keyed{key: strings.TrimSpace(parameter(u.Query(), "apikey"))}
	if o.ID == "" {
		return k.batch(r)
	}
	raw, err := k.record(r, false)
	if err != nil {
		return Batch{}, err
	}
	if id, err := ReadID(raw); err != nil || id != o.ID {
		return Batch{}, fmt.Errorf("%w: it is the record %.80q", ErrOther, id)
	}
	return Batch{Records: []json.RawMessage{raw}, Count: -1}, nil
}
