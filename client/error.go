package client

import (
	"errors"

	"ayna/source/get"
)

// An Error is a failed operation. It never holds the API key. It is an alias, since the
// package that makes it serves other APIs, too.
type Error = get.Error

// Causes of an [Error], for [errors.Is].
var (
	ErrUnauthorized = get.ErrUnauthorized // 401
	ErrForbidden    = get.ErrForbidden    // 403
	ErrNotFound     = get.ErrNotFound     // 404, 410
	ErrTooMany      = get.ErrTooMany      // 429
	ErrShape        = get.ErrShape        // JSON of another type
	ErrNotJSON      = get.ErrNotJSON      // HTML, empty, cut off, unknown encoding
	ErrTooLarge     = get.ErrTooLarge     // over Config.MaxBody
	ErrRedirect     = get.ErrRedirect     // other origin, a loop
	ErrSecret       = get.ErrSecret       // never to be stored
	ErrKeyword      = get.ErrKeyword      // "", ".", ".."
	ErrID           = get.ErrID           // "", ".", ".."
	ErrQuery        = get.ErrQuery        // API document, section 4
)

// ErrNoRecord is the cause of an [Error] of [Client.Single], beside [ErrShape] or
// [ErrNotJSON]: the service answers with nothing, null or an empty text, list or object.
var ErrNoRecord = errors.New("the service answers that this is no record")

// KeyGuard returns the guard of the client's API key.
func (c *Client) KeyGuard() *get.KeyGuard { return c.getter.KeyGuard() }
