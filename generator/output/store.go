package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"

	"ayna/generator/site"
	"ayna/generator/swap"
)

// storeDir is the directory of the hidden directory that holds the values of a [Store], each
// in a file that its key names, behind its SHA-256.
const storeDir = "kept"

// Store keeps values by their keys from one build to the next, while files are kept: a build
// that renders all files makes all values anew. Values that a build neither read nor put are
// removed at its end. Nothing depends on a value being there.
type Store struct {
	hidden *os.Root // nil before [Publish]
	reads  bool     // values may be read
	used   map[string]bool
}

func (s *Store) open(target *swap.Target, reads bool) error {
	s.hidden, s.reads, s.used = target.Hidden(), reads, make(map[string]bool)
	if err := s.hidden.Mkdir(storeDir, 0o755); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func nameOf(key site.Digest) string { return hex.EncodeToString(key[:]) }

// Reads reports whether values are read, and so whether files are kept.
func (s *Store) Reads() bool { return s.reads }

// Get returns the value of a key.
func (s *Store) Get(key site.Digest) ([]byte, bool) {
	if !s.reads {
		return nil, false
	}
	content, err := s.hidden.ReadFile(path.Join(storeDir, nameOf(key)))
	if err != nil || len(content) < sha256.Size {
		return nil, false
	}
	value := content[sha256.Size:]
	if sum := sha256.Sum256(value); !bytes.Equal(sum[:], content[:sha256.Size]) {
		return nil, false
	}
	s.used[nameOf(key)] = true
	return value, true
}

// Put stores a value, if that is possible.
func (s *Store) Put(key site.Digest, value []byte) {
	if s.hidden == nil {
		return
	}
	sum := sha256.Sum256(value)
	if s.hidden.WriteFile(path.Join(storeDir, nameOf(key)), append(sum[:], value...), 0o644) == nil {
		s.used[nameOf(key)] = true
	}
}

// prune removes the values that this build did not use.
func (s *Store) prune() error {
	entries, err := fs.ReadDir(s.hidden.FS(), storeDir)
	for _, e := range entries {
		if !s.used[e.Name()] {
			err = errors.Join(err, s.hidden.RemoveAll(path.Join(storeDir, e.Name())))
		}
	}
	return err
}
