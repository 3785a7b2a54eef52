package page

import (
	"strings"
	"time"
)

// moment is a time as people of the site's zone read it and as machines do.
type moment struct {
	Shown, Machine string
	clock          int // where the time of day begins in Shown
}

// moment returns nil for an unknown time.
func (r *Renderer) moment(ms int64) *moment {
	if ms == 0 {
		return nil
	}
	t := time.UnixMilli(ms).In(r.site.Location)
	shown, clock := r.site.Words.DateAndClock(t)
	return &moment{shown, t.UTC().Format(time.RFC3339), clock}
}

// after returns m as it is shown beside an earlier moment: without the day if that is the
// same, and nil if both read the same.
func (m *moment) after(earlier *moment) *moment {
	if m == nil || earlier == nil {
		return m
	}
	switch {
	case m.Shown == earlier.Shown:
		return nil
	case m.clock == earlier.clock && strings.HasPrefix(earlier.Shown, m.Shown[:m.clock]):
		return &moment{m.Shown[m.clock:], m.Machine, 0}
	}
	return m
}

func (m *moment) machine() string {
	if m == nil {
		return ""
	}
	return m.Machine
}
