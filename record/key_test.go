package record_test

import (
	"errors"
	"testing"

	"ayna/archive"
	"ayna/record"
	"ayna/source/get"
)

// A key that only appears once a text is cleaned is found, too.
func TestCheckKey(t *testing.T) {
	guard := get.NewKeyGuard("kanarya+anahtar/12345")
	for name, test := range map[string]struct {
		json string
		err  error
	}{
		"a script within":  {`{"Id":"1","Text":"<p>kanarya<script>a()<\/script>+anahtar/12345</p>"}`, get.ErrSecret},
		"a hidden element": {`{"Id":"1","Text":"kanarya&#43;<style>p{}</style>anahtar/12345"}`, get.ErrSecret},
		"in the title":     {`{"Id":"1","Title":"kanarya<!-- -->&#x2b;anahtar/12345"}`, get.ErrSecret},
		"in a tag":         {`{"Id":"1","Tags":["kanarya\u002banahtar\/12345"]}`, get.ErrSecret},
		"in a link":        {`{"Id":"1","Text":"<a href='https://haber.example/?k=kanarya&plus;anahtar/12345'>x</a>"}`, get.ErrSecret},
		"in two fields":    {`{"Id":"1","Title":"kanarya+","Text":"anahtar/12345"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []*archive.Record{
				{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{List: []byte(test.json)}}},
				{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{Single: []byte(test.json)}}},
				{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{List: []byte(`{"Id":"1"}`), Hit: []byte(test.json)}}},
			} {
				if err := record.Fill(&r.Record, record.Dates{}); err != nil {
					t.Fatal(err)
				}
				if err := record.CheckKey(&r.Record, guard); !errors.Is(err, test.err) {
					t.Error(err)
				}
			}
		})
	}
}
