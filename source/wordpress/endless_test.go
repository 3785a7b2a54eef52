package wordpress_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ayna/source"
	"ayna/source/wordpress"
)

// Posts are listed without standing pages whose list has no end.
func TestEndlessPages(t *testing.T) {
	for total, most := range map[string]int{"": 102, "1000000": 1} {
		s := alterable(t)
		requests := 0
		s.alter = func(list string, r *http.Request, a *httptest.ResponseRecorder) {
			if list != "pages" {
				return
			}
			elements := make([]string, 100)
			for i := range elements {
				elements[i] = fmt.Sprintf(`{"id":%d,"type":"page"}`, 9_000_000-100*requests-i)
			}
			requests++
			replace(a, "["+strings.Join(elements, ",")+"]")
			a.Header().Set("X-WP-Total", total)
		}
		w := s.open(t)
		listed := 0
		for range most + 3 {
			batch, err := w.List(t.Context(), wordpress.Posts, source.Query{Top: 100, Skip: listed})
			if err != nil {
				t.Fatal(err)
			}
			if listed += len(batch.Records); len(batch.Records) == 0 {
				break
			}
		}
		if requests > most || w.Failures()["pages"] == nil {
			t.Errorf("total %q: %d requests, %d records, failures %v", total, requests, listed, w.Failures())
		}
	}
}
