package fakepaper

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"ayna/archive/analysis"
	"ayna/server/sample"
)

// ReadAPI has a service answer as the Read API: the lists and single records of each
// group, search, date, and pictures.
func ReadAPI(s *Service) {
	for _, group := range groups {
		s.Handle("GET /v1/"+group, s.collection(group))
		s.Handle("GET /v1/"+group+"/{id}", s.Operation(group, s.single))
	}
	s.Handle("GET /v1/search/{id}", s.Operation("search", s.search))
	s.Handle("GET /v1/date", s.Operation("date", s.date))
	if s.Sample {
		s.mux.Handle("GET /resim/", sample.Pictures())
		return
	}
	s.Handle("GET /resim/{id}", s.Operation("picture", s.picture))
}

// collection serves the address of a list, where single records may be too.
func (s *Service) collection(group string) http.HandlerFunc {
	list, single := s.Operation(group, s.list), s.Operation(group, s.single)
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
		for _, index := range s.Window(call, size, len(all)) {
			shown = append(shown, all[index])
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

// search finds words in any case, with or without accents; the last one may be a beginning.
func (s *Service) search(r *http.Request, call Call) (int, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := strings.Fields(folded(call.ID))
	var hits []*Record
	for _, group := range groups[:4] {
		for _, record := range s.groups[group] {
			words := cmp.Or(record.words, folded(record.Title+" "+record.Spot+" "+record.Text))
			isMissing := func(word string) bool { return !strings.Contains(words, " "+word+" ") }
			if n := len(wanted) - 1; n >= 0 && strings.Contains(words, " "+wanted[n]) && !slices.ContainsFunc(wanted[:n], isMissing) {
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

// folded returns the words of a text as the search of an archive has them, between blanks.
func folded(text string) string {
	return " " + strings.Join(analysis.Words(text), " ") + " "
}

func (s *Service) date(*http.Request, Call) (int, []byte) {
	return http.StatusOK, fmt.Appendf(nil, `{"Date":%q}`, s.Now().UTC().Format(http.TimeFormat))
}
