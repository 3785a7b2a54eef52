package output

import "bytes"

// load reads what the manifests say.
func (b *build) load() (err error) {
	if b.served, err = b.place.served(); err != nil {
		return err
	}
	var served reader
	if b.served != nil {
		r, err := openManifest(b.served.root)
		if err != nil {
			return err
		}
		defer r.close()
		served = *r
	}
	work, err := b.workManifest()
	if err != nil {
		return err
	}
	defer work.close()
	l := loading{build: b, served: cursor{reader: &served}, work: cursor{reader: work}}
	if err := l.run(); err != nil {
		return err
	}
	if l.work.err != nil {
		b.table.forgetWork()
		return b.discardWork()
	}
	return nil
}

// workManifest opens the manifest of the work tree. One that is not whole is
// not trusted: it goes.
func (b *build) workManifest() (*reader, error) {
	if !b.place.has(b.name) {
		b.fresh = true
		return &reader{}, b.place.hidden.root.RemoveAll(b.name)
	}
	tree, err := b.place.hidden.child(b.name)
	if err != nil {
		return nil, err
	}
	defer tree.close()
	r, err := openManifest(tree.root)
	if err != nil {
		return &reader{}, b.discardWork()
	}
	if r.f == nil || r.interrupted {
		r.close()
		return &reader{}, b.discardWork()
	}
	return r, nil
}

func (b *build) discardWork() error {
	b.fresh = true
	return b.place.discard(b.name)
}

// loading is one run of load. It goes through both manifests side by side:
// nearly all lines are the same in both, and are read once.
type loading struct {
	*build
	served, work cursor
}

// cursor is where a manifest is being read.
type cursor struct {
	*reader
	more bool
	err  error
}

func (c *cursor) advance() {
	if c.err == nil {
		c.more, c.err = c.next()
	}
}

func (l *loading) run() error {
	l.served.advance()
	l.work.advance()
	for l.served.err == nil && (l.served.more || l.work.more && l.work.err == nil) {
		inServed, inWork := l.served.more, l.work.more && l.work.err == nil
		if inServed && inWork && !bytes.Equal(l.served.raw, l.work.raw) {
			inServed = bytes.Compare(l.served.path, l.work.path) <= 0
			inWork = !inServed
		}
		switch {
		case inServed:
			l.take(inWork && !l.served.interrupted)
		default:
			l.takeWork()
		}
	}
	return l.served.err
}

// take takes in a line of the published tree's manifest, which both may have.
func (l *loading) take(both bool) {
	e, err := l.served.entry()
	if err != nil {
		l.served.err = err
		return
	}
	i := idOfBytes(l.served.path)
	if both {
		l.table.loadBoth(i, e)
		l.work.advance()
	} else {
		l.table.loadServed(i, e)
	}
	l.listed = l.listed || e.size != unknownSize
	if e.key != lingering {
		l.live++
		if isPage(l.served.path) {
			l.pages++
		}
	}
	l.served.advance()
}

func (l *loading) takeWork() {
	e, err := l.work.entry()
	if err != nil {
		l.work.err = err
		return
	}
	l.table.loadWork(idOfBytes(l.work.path), e)
	l.work.advance()
}
