package prose

import (
	"github.com/yuin/goldmark/ast"
	gtext "github.com/yuin/goldmark/text"
)

// Addresses returns where the links and pictures of a Markdown text lead, in the
// order of the text, as they stand there.
func Addresses(markdown []byte) [][]byte {
	var list [][]byte
	ast.Walk(pageMarkdown().Parser().Parse(gtext.NewReader(markdown)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			list = append(list, n.Destination)
		case *ast.Image:
			list = append(list, n.Destination)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL {
				list = append(list, n.URL(markdown))
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}
