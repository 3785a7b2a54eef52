package clienttest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"maps"
	"net/http"
	"slices"
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

// operation returns a handler that logs the request and applies faults to what
// answer returns.
func (s *Service) operation(name string, answer func(*http.Request, Call) (int, []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		request, plan := s.arrive(name, r)
		defer s.locked(func() { s.inFlight-- })
		if s.Latency > 0 {
			time.Sleep(s.Latency)
		}
		if name != "picture" && s.exceeds(w.Header()) {
			s.locked(func() { request.Status = http.StatusTooManyRequests })
			http.Error(w, "Rate Limit Exceeded", http.StatusTooManyRequests)
			return
		}
		status, body := http.StatusUnauthorized, []byte(`{"message":"No API key found in request"}`)
		if s.Key == "" || r.Header.Get("apikey") == s.Key || name == "picture" {
			status, body = answer(r, request.Call)
		}
		fault := new(Fault)
		if plan != nil { // called without the lock: a plan may call the service
			fault = cmp.Or(plan(request.Call), fault)
		}
		if fault.Slow > 0 {
			select {
			case <-time.After(fault.Slow):
			case <-r.Context().Done(): // nobody waits any more
			}
		}
		// Logged before it is sent: a broken connection ends this function.
		s.locked(func() { request.Status = cmp.Or(fault.Status, status) })
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if name == "picture" {
			w.Header().Set("Content-Type", "image/png")
		}
		fault.answer(w, status, body)
	}
}

// arrive logs a request, and returns it with [Options.Faults].
func (s *Service) arrive(name string, r *http.Request) (*Request, func(Call) *Fault) {
	skip, _ := strconv.Atoi(r.URL.Query().Get("$skip"))
	call := Call{Operation: name, ID: r.PathValue("id"), Skip: skip}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts[call]++
	call.Attempt = s.attempts[call]
	request := &Request{Call: call, At: time.Now(), URI: r.URL.RequestURI(), Key: r.Header.Get("apikey")}
	s.requests = append(s.requests, request)
	select {
	case s.arrived <- struct{}{}:
	default:
	}
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	return request, s.Faults
}

// collection serves the address of a list, where single records may be too.
func (s *Service) collection(group string) http.HandlerFunc {
	list, single := s.operation(group, s.list), s.operation(group, s.single)
	return func(w http.ResponseWriter, r *http.Request) {
		if id := r.URL.Query().Get("Id"); id != "" && s.elsewhere(group) {
			r.SetPathValue("id", id)
			single(w, r)
			return
		}
		list(w, r)
	}
}

// elsewhere reports whether single records of a group are at ?Id=.
func (s *Service) elsewhere(group string) bool {
	return s.IDInQuery && (group == "writers" || group == "paths")
}

func (s *Service) list(r *http.Request, call Call) (int, []byte) {
	if top, err := strconv.Atoi(r.URL.Query().Get("$top")); err == nil && s.TopLimit > 0 && top > s.TopLimit {
		return http.StatusBadRequest, []byte(`{"Message":"$top"}`)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	records := s.groups[call.Operation]
	if expression := r.URL.Query().Get("$filter"); expression != "" && s.Filter != nil {
		match, status := s.Filter(expression)
		if status != http.StatusOK {
			return status, []byte(`{"Message":"filter"}`)
		}
		records = slices.DeleteFunc(slices.Clone(records), func(r *Record) bool { return !match(*r) })
	}
	var elements []string
	for _, record := range s.window(records, r, call) {
		elements = append(elements, s.ListJSON(*record))
	}
	return http.StatusOK, []byte(s.wrap(elements))
}

// window returns the part of a list that one answer shows.
func (s *Service) window(all []*Record, r *http.Request, call Call) []*Record {
	skip := call.Skip
	size := s.TopCap
	if top, err := strconv.Atoi(r.URL.Query().Get("$top")); err == nil {
		size = min(size, top)
	}
	if s.Window != nil {
		var shown []*Record
		for _, place := range s.Window(call, size, len(all)) {
			shown = append(shown, all[place])
		}
		return shown
	}
	if s.ShortPages && size > 1 {
		size--
	}
	if s.IgnoreSkip {
		skip = 0
	}
	if s.EndlessPage && skip >= len(all) {
		skip = max(0, len(all)-size)
	}
	skip = min(skip, len(all))
	return all[skip:min(skip+size, len(all))]
}

func (s *Service) wrap(elements []string) string {
	list := "[" + strings.Join(elements, ",") + "]"
	switch s.Envelope {
	case "":
		return list
	case "d.results":
		return `{"d":{"results":` + list + `}}`
	}
	return fmt.Sprintf(`{%q:%s}`, s.Envelope, list)
}

func (s *Service) single(r *http.Request, call Call) (int, []byte) {
	if s.elsewhere(call.Operation) && !r.URL.Query().Has("Id") {
		return http.StatusNotFound, []byte(`{"Message":"no such address"}`)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID = make(map[[2]string]*Record)
		for group, records := range s.groups {
			for _, r := range slices.Backward(records) {
				s.byID[[2]string{group, r.ID}] = r
			}
		}
	}
	if record := s.byID[[2]string{call.Operation, call.ID}]; record != nil {
		return http.StatusOK, []byte(s.SingleJSON(*record))
	}
	return http.StatusNotFound, []byte(`{"Message":"no such record"}`)
}

// search finds a word in titles and texts, exactly as it is written.
func (s *Service) search(r *http.Request, call Call) (int, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var hits []*Record
	for _, group := range groups[:4] {
		for _, record := range s.groups[group] {
			if strings.Contains(record.Title+" "+record.Text, call.ID) {
				hits = append(hits, record)
			}
		}
	}
	slices.SortFunc(hits, func(a, b *Record) int { return b.Created.Compare(a.Created) })
	var elements []string
	for _, record := range s.window(hits, r, call) {
		show := s.SingleJSON
		if s.BareHits {
			show = s.ListJSON
		}
		elements = append(elements, show(*record))
	}
	return http.StatusOK, fmt.Appendf(nil, `{"Count":%d,"List":[%s]}`, len(hits), strings.Join(elements, ","))
}

func (s *Service) date(*http.Request, Call) (int, []byte) {
	return http.StatusOK, fmt.Appendf(nil, `{"Date":%q}`, time.Now().UTC().Format(http.TimeFormat))
}

// picture draws a picture whose color depends on its name.
func (s *Service) picture(_ *http.Request, call Call) (int, []byte) {
	sum := fnv.New32a()
	sum.Write([]byte(call.ID))
	n := sum.Sum32()
	img := image.NewPaletted(image.Rect(0, 0, 8, 6), color.Palette{color.RGBA{uint8(n), uint8(n >> 8), uint8(n >> 16), 255}})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return http.StatusInternalServerError, nil
	}
	return http.StatusOK, b.Bytes()
}
