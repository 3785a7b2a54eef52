package client

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A Query narrows and cuts what an operation returns. The zero Query asks for
// what the service gives by itself. A list operation takes all but Oldest,
// the search takes Top, Skip and Oldest; more is an error ([ErrQuery]).
type Query struct {
	Filter Filter   // $filter
	Select []string // $select: only these fields
	Expand []string // $expand: relations such as Files, which $select alone leaves out
	Top    int      // $top: records in one answer; in an iterator, the size of a page
	Skip   int      // $skip: records to leave out at the start
	Oldest bool     // s=1: oldest first
}

// A Filter is an OData filter expression. Which properties an operation allows
// stands in the API document, section 4.
type Filter string

// Eq is the filter that property equals value, which is quoted, any ' in it
// doubled.
func Eq(property, value string) Filter {
	return Filter(property + " eq '" + strings.ReplaceAll(value, "'", "''") + "'")
}

// Since is the filter that the date in property is t or later, t cut to the
// second.
func Since(property string, t time.Time) Filter {
	return Filter(property + " ge Datetime'" + t.UTC().Format("2006-01-02T15:04:05Z") + "'")
}

// And is the filter that all the filters hold; empty ones are left out. It
// sets no parentheses: the service was never seen to take any.
func And(filters ...Filter) Filter {
	var texts []string
	for _, f := range filters {
		if f != "" {
			texts = append(texts, string(f))
		}
	}
	return Filter(strings.Join(texts, " and "))
}

func (q Query) listValues() (url.Values, error) {
	if q.Oldest {
		return nil, ErrQuery
	}
	v := q.window()
	if q.Filter != "" {
		v.Set("$filter", string(q.Filter))
	}
	if len(q.Select) > 0 {
		v.Set("$select", strings.Join(q.Select, ","))
	}
	if len(q.Expand) > 0 {
		v.Set("$expand", strings.Join(q.Expand, ","))
	}
	return v, nil
}

func (q Query) searchValues() (url.Values, error) {
	if q.Filter != "" || len(q.Select) > 0 || len(q.Expand) > 0 {
		return nil, ErrQuery
	}
	v := q.window()
	if q.Oldest {
		v.Set("s", "1")
	}
	return v, nil
}

func (q Query) window() url.Values {
	v := url.Values{}
	if q.Top > 0 {
		v.Set("$top", strconv.Itoa(q.Top))
	}
	if q.Skip > 0 {
		v.Set("$skip", strconv.Itoa(q.Skip))
	}
	return v
}

// singleValues selects fields of a single record. The relations among them
// are expanded too, since the real service left them out otherwise.
func singleValues(fields []string) url.Values {
	q := Query{Select: fields}
	for _, field := range fields {
		switch field {
		case "Files", "RelatedNews", "PageNews", "Writers":
			q.Expand = append(q.Expand, field)
		}
	}
	v, _ := q.listValues() // fails for Oldest only
	return v
}
