package archive

import (
	"crypto/sha256"
	"time"

	"ayna/record"
)

// Record is a record of the archive, with the progress of its synchronisation, the address
// of its page and the hash of its JSON.
type Record struct {
	Row int64 // 0 until it is stored
	record.Record
	Progress
	Address string // of its page in the published site
	Hash    [sha256.Size]byte
	Damaged bool // the stored JSON does not have that hash; List, Single and Hit are nil
}

// Progress is the state of the synchronisation of a record.
type Progress struct {
	Recheck     bool      // the single record must be fetched again because of its age
	Attempts    int       // how often in a row fetching the single record failed
	RetryAt     time.Time // no retry before this time
	Pass        int       // number of the latest pass that saw it, over its list or the head of it
	Seen        time.Time // first seen
	Listed      time.Time // last seen in a list
	Fetched     time.Time // when the single record arrived
	Changed     time.Time // last change
	GoneAt      time.Time // gone from the source since
	Provisional bool      // it came with a list that did not end; [schedule.Tx.MarkProvisional] alone writes it
	NoRecord    bool      // the source says that it is none; [schedule.Tx.MarkNoRecord] alone writes it
}

// hash returns the hash of a record's JSON. Hit is part of it until Single arrives.
func (r *Record) hash() [sha256.Size]byte {
	if r.Single == nil && r.Hit != nil {
		return hashOf(r.List, r.Single, r.Hit)
	}
	return hashOf(r.List, r.Single)
}

// SetHash sets the hash of a record whose JSON was changed on purpose.
func (r *Record) SetHash() { r.Hash = r.hash() }

// Sound reports whether the JSON of a record has its hash. It removes a hit that came
// after the record was stored last, since the hash does not cover it yet.
func (r *Record) Sound() bool {
	if r.Hash == r.hash() {
		return true
	}
	if r.Hash != hashOf(r.List, r.Single) {
		return false
	}
	r.Hit = nil
	return true
}

// verify removes JSON that does not match its hash, and a hit that the hash does not cover.
func (r *Record) verify() {
	if !r.Sound() {
		r.List, r.Single, r.Hit, r.Damaged = nil, nil, nil, true
	}
}

func hashOf(parts ...[]byte) [sha256.Size]byte {
	h := sha256.New()
	for i, part := range parts {
		if i > 0 {
			h.Write([]byte{0})
		}
		h.Write(part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
