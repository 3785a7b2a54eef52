package search

// Cut divides the index into smaller segments than usual.
func (r *Renderer) Cut(full, step int) { r.cut = cut{full, step} }
