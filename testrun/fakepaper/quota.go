package fakepaper

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Quota limits requests per second and per hour. Those above it are counted and
// answered with 429.
type Quota struct {
	PerSecond, PerHour int  // 0 is no limit
	SendHeaders        bool // X-RateLimit-*, as the real service does
	Others             int  // requests of the hour made by somebody else
}

// Excess counts the requests above the quota, per second and per hour.
type Excess struct{ Second, Hour int }

// Excess returns the number of requests above the quota since the service was made.
func (s *Service) Excess() (e Excess) {
	s.locked(func() { e = s.excess })
	return e
}

// exceeds counts a request, and reports whether it is above the quota.
func (s *Service) exceeds(h http.Header) bool {
	q := s.Quota
	if q.PerSecond == 0 && q.PerHour == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.Now()
	s.arrivals = append(s.arrivals, now)
	within := func(span time.Duration) int { // how many requests
		earlier, _ := slices.BinarySearchFunc(s.arrivals, now.Add(-span+1), time.Time.Compare)
		return len(s.arrivals) - earlier
	}
	second, hour := within(time.Second), within(time.Hour)+q.Others
	if q.SendHeaders {
		h.Set("X-RateLimit-Limit-second", strconv.Itoa(q.PerSecond))
		h.Set("X-RateLimit-Remaining-second", strconv.Itoa(max(0, q.PerSecond-second)))
		h.Set("X-RateLimit-Limit-hour", strconv.Itoa(q.PerHour))
		h.Set("X-RateLimit-Remaining-hour", strconv.Itoa(max(0, q.PerHour-hour)))
	}
	aboveSecond, aboveHour := q.PerSecond > 0 && second > q.PerSecond, q.PerHour > 0 && hour > q.PerHour
	if aboveSecond {
		s.excess.Second++
	}
	if aboveHour {
		s.excess.Hour++
	}
	return aboveSecond || aboveHour
}
