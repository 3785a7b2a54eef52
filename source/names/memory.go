package names

import (
	"encoding/json"
	"time"
)

// A Memory is what earlier readings of a list have left. Its user keeps it as a text among what
// [source.Source.Found] returns.
type Memory struct {
	Lacked    map[string]time.Time `json:"lacked,omitempty"` // elements that the latest reading lacks, and since when
	Gone      map[string]bool      `json:"gone,omitempty"`   // elements that the list does not show, and records may name
	Short     int                  `json:"short,omitempty"`  // how many less came than the list counted
	Sightings int                  `json:"sightings,omitempty"`
	Seen      time.Time            `json:"seen,omitzero"` // the latest of the sightings of a list that lacks many
}

// Remember reads what [Memory.String] has written. Of another text nothing is remembered.
func Remember(text string) *Memory {
	m := new(Memory)
	if json.Unmarshal([]byte(text), m) != nil {
		*m = Memory{}
	}
	if m.Lacked == nil {
		m.Lacked = make(map[string]time.Time)
	}
	if m.Gone == nil {
		m.Gone = make(map[string]bool)
	}
	return m
}

// String returns the memory as a text, "" if nothing is to be remembered.
func (m *Memory) String() string {
	text, err := json.Marshal(m)
	if err != nil || string(text) == "{}" {
		return ""
	}
	return string(text)
}

// isSeenAgain counts a reading that lacks many elements, and reports whether enough readings
// have said the same.
func (m *Memory) isSeenAgain(now time.Time) bool {
	if since := now.Sub(m.Seen); m.Sightings == 0 || since >= day || since < 0 {
		m.Sightings, m.Seen = m.Sightings+1, now.UTC().Truncate(time.Second)
	}
	return m.Sightings >= sightings
}
