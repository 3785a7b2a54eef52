package output

// chunks is a list that grows without being copied.
type chunks[T any] struct{ all [][]T } // full but for the last

const chunkSize = 1 << 10

func (c *chunks[T]) len() int {
	if len(c.all) == 0 {
		return 0
	}
	return (len(c.all)-1)*chunkSize + len(c.all[len(c.all)-1])
}

func (c *chunks[T]) at(n uint32) *T { return &c.all[n/chunkSize][n%chunkSize] }

// add appends a zero value.
func (c *chunks[T]) add() *T {
	last := len(c.all) - 1
	if last < 0 || len(c.all[last]) == chunkSize {
		c.all = append(c.all, make([]T, 0, chunkSize))
		last++
	}
	chunk := c.all[last]
	c.all[last] = chunk[:len(chunk)+1]
	return &c.all[last][len(chunk)]
}
