package output

import (
	"errors"
	"fmt"
	"io/fs"
)

// forgottenName is a file of the hidden directory that says what had been taken
// out for good when earlier trees went for it the last time.
const forgottenName = "forgotten"

// forget removes the trees beside the published one if they may show what has
// been taken out for good: also if the run that took it out ended before it came
// that far.
func (b *build) forget() error {
	p, now := b.place, fmt.Sprintf("%x\n", b.options.Forgotten)
	before, err := p.hidden.root.ReadFile(forgottenName)
	if errors.Is(err, fs.ErrNotExist) {
		before, err = fmt.Appendf(nil, "%x\n", Key{}), nil
	}
	known := err == nil && string(before) == now
	if known && !b.options.Alone {
		return nil
	}
	if err := errors.Join(p.discard(previousName), p.discard(workName), p.discardShards()); err != nil || known {
		return err
	}
	return p.put(forgottenName, now)
}
