package page

import (
	"strings"
	"time"
)

// moment is a time as readers see it, in the site's zone, and as RFC 3339.
type moment struct {
	Shown, Machine string
	clock          int // index in Shown at which the time of day begins
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
		return m.timeOfDay()
	}
	return m
}

// timeOfDay returns m without its day.
func (m *moment) timeOfDay() *moment { return &moment{m.Shown[m.clock:], m.Machine, 0} }

// machine returns m.Machine, "" for an unknown time.
func (m *moment) machine() string {
	if m == nil {
		return ""
	}
	return m.Machine
}
