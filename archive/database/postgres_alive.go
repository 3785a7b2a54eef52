package database

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"
)

// pinging makes connections that have been idle for a while prove that the server still has
// them. A restart of the server would otherwise fail one statement on each of them: lib/pq
// does not say whether it was safe to repeat.
type pinging struct{ driver.Connector }

// pqConn is what database/sql uses of a connection of lib/pq.
type pqConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type pingedConn struct {
	pqConn
	used time.Time // when it was last taken from the pool
}

// Connect implements [driver.Connector].
func (p pinging) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	whole, ok := c.(pqConn)
	if !ok {
		return nil, fmt.Errorf("a connection of lib/pq lacks methods: %T", c)
	}
	return &pingedConn{whole, time.Now()}, nil
}

// ResetSession implements [driver.SessionResetter]: it is called before a connection is used
// again.
func (c *pingedConn) ResetSession(ctx context.Context) error {
	idle := time.Since(c.used)
	c.used = time.Now()
	if idle > time.Second && c.Ping(ctx) != nil {
		return driver.ErrBadConn
	}
	return c.pqConn.ResetSession(ctx)
}
