package upstream

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// operation turns a function that makes an answer into a handler that takes
// note of the request and lets faults befall it.
func (s *Service) operation(name string, answer func(*http.Request, Call) (int, []byte)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		call, request := s.arrive(name, r)
		defer s.leave()
		if s.Latency > 0 {
			time.Sleep(s.Latency)
		}
		if name != "picture" && s.exceeds(w.Header()) {
			s.note(request, nil, http.StatusTooManyRequests)
			http.Error(w, "Rate Limit Exceeded", http.StatusTooManyRequests)
			return
		}
		status, body := http.StatusUnauthorized, []byte(`{"message":"No API key found in request"}`)
		if s.Key == "" || r.Header.Get("apikey") == s.Key || name == "picture" {
			status, body = answer(r, call)
		}
		fault := s.fault(call)
		if fault != nil && fault.Slow > 0 {
			select {
			case <-time.After(fault.Slow):
			case <-r.Context().Done(): // nobody waits any more
			}
		}
		// Noted before it is sent: a broken connection ends this function.
		s.note(request, fault, status)
		if name == "picture" && fault == nil {
			w.Header().Set("Content-Type", "image/png")
			w.WriteHeader(status)
			w.Write(body)
			return
		}
		fault.answer(w, status, body)
	}
}

// fault asks the plan, outside of the lock: a plan may call the service.
func (s *Service) fault(c Call) *Fault {
	s.mu.Lock()
	plan := s.Faults
	s.mu.Unlock()
	if plan == nil {
		return nil
	}
	return plan(c)
}

func (s *Service) arrive(name string, r *http.Request) (Call, *Request) {
	skip, _ := strconv.Atoi(r.URL.Query().Get("$skip"))
	call := Call{Operation: name, ID: r.PathValue("id"), Skip: skip}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.attempts[call]++
	call.Attempt = s.attempts[Call{Operation: call.Operation, ID: call.ID, Skip: skip}]
	request := &Request{Call: call, At: time.Now(), URI: r.URL.RequestURI(), Key: r.Header.Get("apikey")}
	s.requests = append(s.requests, request)
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	return call, request
}

func (s *Service) note(r *Request, f *Fault, status int) {
	if f != nil && f.Status != 0 {
		status = f.Status
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Status = status
}

func (s *Service) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
}

// collection answers at the address of a list, which may be that of single
// records, too.
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

// elsewhere reports whether the ids of a group do not go in the path.
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

// window is the part of a list that one answer holds.
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
		s.index()
	}
	for _, record := range s.byID[call.ID] {
		if record.Group == call.Operation {
			return http.StatusOK, []byte(s.SingleJSON(*record))
		}
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
		if s.BareHits {
			elements = append(elements, s.ListJSON(*record))
			continue
		}
		elements = append(elements, s.SingleJSON(*record))
	}
	return http.StatusOK, fmt.Appendf(nil, `{"Count":%d,"List":[%s]}`, len(hits), strings.Join(elements, ","))
}

func (s *Service) date(*http.Request, Call) (int, []byte) {
	return http.StatusOK, fmt.Appendf(nil, `{"Date":%q}`, time.Now().UTC().Format(http.TimeFormat))
}

// picture draws one that its name decides.
func (s *Service) picture(_ *http.Request, call Call) (int, []byte) {
	sum := fnv.New32a()
	sum.Write([]byte(call.ID))
	n := sum.Sum32()
	img := image.NewRGBA(image.Rect(0, 0, 8, 6))
	for i := range 48 {
		img.Set(i%8, i/8, color.RGBA{uint8(n), uint8(n >> 8), uint8(n >> 16), 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return http.StatusInternalServerError, nil
	}
	if missing := s.PictureBytes - b.Len(); missing > 0 {
		b.Write(make([]byte, missing)) // readers of pictures stop before it
	}
	return http.StatusOK, b.Bytes()
}
