package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ayna/attachment"
)

// Attachments selects the files beside pictures that are mirrored.
type Attachments struct {
	Kinds   []attachment.Kind `yaml:"kinds"`
	Largest Size              `yaml:"largest"` // of one file
	PerRun  Size              `yaml:"per_run"` // of all that one run fetches
}

// Size is a number of bytes, written as 50MB.
type Size int64

// units of a [Size], the largest first.
var units = []struct {
	name  string
	bytes Size
}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}}

// ParseSize reads a size, such as 50MB.
func ParseSize(text string) (Size, error) {
	for _, unit := range units {
		digits, ok := strings.CutSuffix(strings.ToUpper(strings.ReplaceAll(text, " ", "")), unit.name)
		if n, err := strconv.ParseInt(digits, 10, 32); ok && err == nil && n > 0 && Size(n) <= math.MaxInt64/unit.bytes {
			return Size(n) * unit.bytes, nil
		}
	}
	return 0, errors.New("write a size, as 50MB or 2GB")
}

// MarshalText implements [encoding.TextMarshaler].
func (s Size) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s Size) String() string {
	for _, unit := range units {
		if s%unit.bytes == 0 {
			return fmt.Sprintf("%d%s", s/unit.bytes, unit.name)
		}
	}
	return strconv.FormatInt(int64(s), 10)
}
