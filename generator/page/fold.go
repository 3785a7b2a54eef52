package page

import (
	"html"
	"html/template"
	"reflect"
	"text/template/parse"

	"ayna/generator/site"
)

// fold puts the site's words into a template where it asks for them by name:
// "{{.Words.Home}}" becomes the word. They are the same on all pages and a
// third of what a page asks for.
func fold(t *template.Template, words site.Words) {
	for _, part := range t.Templates() {
		if part.Tree != nil {
			foldList(part.Tree.Root, reflect.ValueOf(words))
		}
	}
}

func foldList(list *parse.ListNode, words reflect.Value) {
	if list == nil {
		return
	}
	for i, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.ActionNode:
			if word, ok := wordOf(n, words); ok {
				list.Nodes[i] = &parse.TextNode{NodeType: parse.NodeText, Pos: n.Pos, Text: []byte(html.EscapeString(word))}
			}
		case *parse.IfNode:
			foldBranch(&n.BranchNode, words)
		case *parse.WithNode:
			foldBranch(&n.BranchNode, words)
		case *parse.RangeNode:
			foldBranch(&n.BranchNode, words)
		}
	}
}

func foldBranch(b *parse.BranchNode, words reflect.Value) {
	foldList(b.List, words)
	foldList(b.ElseList, words)
}

// wordOf returns the word that an action asks for: "{{.Words.X}}" or
// "{{$.Words.X}}".
func wordOf(action *parse.ActionNode, words reflect.Value) (string, bool) {
	if len(action.Pipe.Decl) > 0 || len(action.Pipe.Cmds) != 1 || len(action.Pipe.Cmds[0].Args) != 1 {
		return "", false
	}
	var path []string
	switch n := action.Pipe.Cmds[0].Args[0].(type) {
	case *parse.FieldNode:
		path = n.Ident
	case *parse.VariableNode:
		if n.Ident[0] == "$" {
			path = n.Ident[1:]
		}
	}
	if len(path) != 2 || path[0] != "Words" {
		return "", false
	}
	word := words.FieldByName(path[1])
	return word.String(), word.Kind() == reflect.String
}
