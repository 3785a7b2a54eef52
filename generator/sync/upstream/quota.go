package upstream

import (
	"net/http"
	"strconv"
	"time"
)

// Quota is what a key may do, in any second and in any hour. What exceeds it is
// counted and answered with 429.
type Quota struct {
	PerSecond, PerHour int              // 0 is no limit
	Tell               bool             // in the headers that the real service had
	Others             int              // requests of the hour that somebody else has made
	Now                func() time.Time // nil is the clock
}

// Excess counts the requests that came above the quota.
type Excess struct{ Second, Hour int }

// exceeds enters a request, and reports whether it is above the quota.
func (s *Service) exceeds(h http.Header) bool {
	q := s.Quota
	if q.PerSecond == 0 && q.PerHour == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if q.Now != nil {
		now = q.Now()
	}
	for len(s.spent) > 0 && now.Sub(s.spent[0]) >= time.Hour {
		s.spent = s.spent[1:]
	}
	s.spent = append(s.spent, now)
	second, hour := 0, len(s.spent)+q.Others
	for i := len(s.spent) - 1; i >= 0 && now.Sub(s.spent[i]) < time.Second; i-- {
		second++
	}
	above := false
	if q.PerSecond > 0 && second > q.PerSecond {
		s.excess.Second++
		above = true
	}
	if q.PerHour > 0 && hour > q.PerHour {
		s.excess.Hour++
		above = true
	}
	if q.Tell {
		h.Set("X-RateLimit-Limit-second", strconv.Itoa(q.PerSecond))
		h.Set("X-RateLimit-Remaining-second", strconv.Itoa(max(0, q.PerSecond-second)))
		h.Set("X-RateLimit-Limit-hour", strconv.Itoa(q.PerHour))
		h.Set("X-RateLimit-Remaining-hour", strconv.Itoa(max(0, q.PerHour-hour)))
	}
	return above
}

// Excess returns what came above the quota since the service was made.
func (s *Service) Excess() Excess {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.excess
}
