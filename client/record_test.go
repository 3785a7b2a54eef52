package client_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"ayna/client"
)

func at(text string) client.Date {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return client.Date{Time: t}
}

// TestShapes decodes records in the shapes the real service was recorded with.
func TestShapes(t *testing.T) {
	pictures := []client.File{
		{URL: "http://img.haber.example/i/620x0/65f2c1aa7af5072f906e811b.jpg", Description: "refid:zeytin"},
		{URL: "http://img.haber.example/i/620x0/65f2c1aa7af5072f906e8131.jfif", Title: "Zeytin"},
	}
	tests := []struct {
		file string
		got  any // a pointer to decode into
		want any
	}{
		{"articles_list.json", &[]client.Article{}, []client.Article{{
			Record: client.Record{
				ID: "51200311", ContentType: "Article", Title: " Asırlık zeytin meyve verdi ",
				Description: " Deniz Feneri Vakfı'nın bahçesinde yüz yıllık zeytin yeniden meyve verdi",
				Path:        "/yerel-haberler/ayvalik/", URL: "http://www.haber.example/asirlik-zeytin-meyve-verdi-51200311",
				CreatedDate: at("2026-03-14T09:12:05.253Z"), ModifiedDate: at("2026-03-14T09:17:25.5Z"), StartDate: at("2026-03-14T09:13:00Z"),
				Files: pictures,
			},
			Tags: []string{"zeytin", "Ayvalık", "zeytin"},
		}, {
			Record: client.Record{
				ID: "51200310", ContentType: "Article", Title: "Vapur seferleri yaz düzenine geçti (2)", Description: ".",
				Path: "/yerel-haberler/bozcaada/", URL: "http://www.haber.example/vapur-seferleri-yaz-duzenine-gecti-51200310",
				CreatedDate: at("2026-03-14T09:01:00Z"), ModifiedDate: at("2026-03-14T09:01:00Z"), Files: []client.File{},
			},
		}}},
		{"article.json", &client.Article{}, client.Article{
			Record: client.Record{
				ID: "51200311", ContentType: "Article", Title: "Asırlık zeytin meyve verdi", Description: "Yüz yıllık zeytin yeniden meyve verdi",
				Path: "/yerel-haberler/ayvalik/", URL: "http://www.haber.example/asirlik-zeytin-meyve-verdi-51200311",
				CreatedDate: at("2026-03-14T09:12:05.253Z"), ModifiedDate: at("2026-03-14T09:17:25.5Z"), StartDate: at("2026-03-14T09:13:00Z"),
				Files: []client.File{},
			},
			Editor: "ÖHA",
			Text:   "<p><p>AYVALIK, (ÖHA) - Zeytin &ccedil;i&ccedil;ek açtı.<br>\r\nHasat sonbaharda.</p>\r\n</p>\r\n",
			Tags:   []string{},
			RelatedNews: []client.Related{{
				Record: client.Record{ID: "51200298", Title: "Hasat başladı", Description: "Kısa", URL: "http://www.haber.example/hasat-basladi-51200298", Files: []client.File{}},
				Tags:   []string{"hasat"}, Writers: []client.Writer{}, RelatedNews: []client.Related{},
			}},
			Writers: []client.Writer{{
				Record:   client.Record{ID: "65aa09f8f018fbaf44942506", Path: "/yazarlar/", URL: "http://www.haber.example"},
				Fullname: "Nehir Taşkın",
			}},
		}},
		{"columns_list.json", &[]client.Column{}, []client.Column{{
			Record: client.Record{
				ID: "51200118", ContentType: "Column", Title: "Son çeyrek", Description: "Sahanın kenarında kalan bir soru...",
				Path: "/spor/basketbol/", URL: "http://www.haber.example/yazarlar/nehir-taskin/son-ceyrek-51200118",
				CreatedDate: at("2026-03-13T14:29:12.84Z"), Files: []client.File{},
			},
			Fullname: "Nehir Taşkın", WriterID: "65aa09f8f018fbaf44942506",
		}}},
		{"column.json", &client.Column{}, client.Column{
			Record: client.Record{
				ID: "51200118", ContentType: "Column", Title: "Son çeyrek", Description: "Sahanın kenarında kalan bir soru...",
				Path: "/yazarlar/nehir-taskin/", URL: "http://www.haber.example/yazarlar/nehir-taskin/son-ceyrek-51200118",
				CreatedDate: at("2026-03-13T14:29:12.84Z"), StartDate: at("2026-03-13T14:30:00Z"),
				Files: []client.File{{URL: "http://img.haber.example/i/620x0/65dbaa017152d83cb4ece964.jpg"}},
			},
			Fullname: "Nehir Taşkın",
			Text:     `<p><img src="http://img.haber.example/i/770x0/65437536c9de3d1bfce98b74" width="100%"></p...`,
		}},
		{"gallery.json", &client.Gallery{}, client.Gallery{ // ModifieDate
			Record: client.Record{
				ID: "51200401", ContentType: "NewsPhotoGallery", Title: "Fener alayı yola çıktı! ", Description: ".",
				Path: "/dunya/", URL: "http://www.haber.example/galeri-fener-alayi-51200401",
				CreatedDate: at("2026-03-15T12:41:25.637Z"), ModifiedDate: at("2026-03-15T12:50:00Z"), StartDate: at("2026-03-15T12:42:00Z"),
				Files: []client.File{{URL: "http://img.haber.example/i/620x0/65f675277af5072f906e811b.jpg"}, {URL: "http://img.haber.example/i/620x0/65f675277af5072f906e8131.png"}},
			},
			Tags: []string{"ırmak", "Fener", "Fener alayı"},
		}},
		{"video.json", &client.Video{}, client.Video{
			Record: client.Record{
				ID: "51200502", ContentType: "NewsVideo", Title: "Kıyı yukarıdan", Description: "Kıyıdan görüntüler",
				Path: "/teknoloji/", URL: "http://www.haber.example/video/kiyi-51200502", CreatedDate: at("2026-03-15T13:00:00Z"), Files: []client.File{},
			},
			Editor: "ÖHA", Text: "<p>Kıyı</p>", Tags: []string{"drone"},
		}},
		{"page.json", &client.Page{}, client.Page{
			Record: client.Record{ID: "65cddcc67b0a934e44ee2d70", Title: "Ada günlüğü", URL: "/ada-gunlugu/", CreatedDate: at("2026-02-01T08:00:00Z")},
			PageNews: []client.Related{{Record: client.Record{
				ID: "51200310", ContentType: "Article", Title: "Vapur seferleri", Description: ".", Path: "/yerel-haberler/bozcaada/",
				URL: "http://www.haber.example/vapur-51200310", CreatedDate: at("2026-03-14T09:01:00Z"), ModifiedDate: at("2026-03-14T09:02:00Z"), Files: []client.File{},
			}}},
			RelatedNews: []client.Related{},
		}},
		{"writers_list.json", &[]client.Writer{}, []client.Writer{{
			Record: client.Record{
				ID: "65aa09f8f018fbaf44942506", ContentType: "PersonContainer", Path: "/yazarlar/", URL: "http://www.haber.example/yazarlar/nehir-taskin/",
				CreatedDate: at("2021-10-31T07:50:44.43Z"), Files: []client.File{{URL: "http://img.haber.example/i/0x0/65aa09f8f018fbaf44942521.jpg", Title: "Nehir Taşkın"}},
			},
			Fullname: "Nehir Taşkın",
		}, {
			Record: client.Record{
				ID: "65aa09f8f018fbaf44942507", ContentType: "PersonContainer", Path: "/yazarlar/", URL: "http://www.haber.example",
				CreatedDate: at("2021-10-31T07:50:45.817Z"), Files: []client.File{},
			},
			Fullname: "Yalın ÖZDEN",
		}}},
		{"writer.json", &client.Writer{}, client.Writer{
			Record: client.Record{
				ID: "65aa09f8f018fbaf44942507", ContentType: "PersonContainer", Path: "/yazarlar/", URL: "http://www.haber.example",
				CreatedDate: at("2021-10-31T07:50:45.817Z"), Files: []client.File{},
			},
			Fullname: "Yalın ÖZDEN", Tags: []string{}, RelatedNews: []client.Related{},
		}},
		{"paths_list.json", &[]client.Path{}, []client.Path{
			{ID: "66ac2bae18c773091cd22ae5", Path: "/ekonomi/-kooperatifler/", Title: " Kooperatifler"},
			{ID: "663cddcc67b0a934e44ee2d7", Path: "/23-nisan/", Title: "23 Nisan"},
		}},
		{"path.json", &client.Path{}, client.Path{ID: "66ac2bae18c773091cd22ae5", Path: "/ekonomi/-kooperatifler/", Title: " Kooperatifler"}},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			body := testdata(t, test.file)
			if err := json.Unmarshal([]byte(body), test.got); err != nil {
				t.Fatal(err)
			}
			got := reflect.ValueOf(test.got).Elem()
			for _, raw := range takeRaw(got) {
				if raw == "" || !strings.Contains(body, raw) {
					t.Errorf("Raw is not the record as received: %.80q", raw)
				}
			}
			if !reflect.DeepEqual(got.Interface(), test.want) {
				t.Errorf("\n got %+v\nwant %+v", got, test.want)
			}
		})
	}
}

// takeRaw takes the Raw out of one record or a slice of them.
func takeRaw(v reflect.Value) (raws []string) {
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			raws = append(raws, takeRaw(v.Index(i))...)
		}
		return raws
	}
	raw := v.FieldByName("Raw")
	raws = append(raws, string(raw.Bytes()))
	raw.SetZero()
	return raws
}

func TestNotARecord(t *testing.T) {
	for _, body := range []string{`[]`, `"x"`, `1`, `{`, ``, `{} {}`} {
		var a client.Article
		if err := a.UnmarshalJSON([]byte(body)); err == nil {
			t.Errorf("%q: no error", body)
		}
	}
	a := client.Article{Editor: "kept"}
	if err := json.Unmarshal([]byte("null"), &a); err != nil || a.Editor != "kept" {
		t.Errorf("null: %v, editor %q", err, a.Editor)
	}
}

func TestNesting(t *testing.T) {
	chain := func(depth int) string {
		return strings.Repeat(`{"Id":"a","RelatedNews":[`, depth) + strings.Repeat(`]}`, depth)
	}
	t.Run("cut at 64", func(t *testing.T) {
		var a client.Article
		if err := json.Unmarshal([]byte(chain(1000)), &a); err != nil {
			t.Fatal(err)
		}
		depth := 0
		for related := a.RelatedNews; len(related) > 0; related = related[0].RelatedNews {
			depth++
		}
		if depth != 64 {
			t.Errorf("depth %d, want 64", depth)
		}
	})
	t.Run("10,001 deep", func(t *testing.T) {
		var a client.Article
		if err := json.Unmarshal([]byte(chain(10001)), &a); err == nil {
			t.Error("no error")
		}
	})
}

func TestRawIsACopy(t *testing.T) {
	data := []byte(`{"Id":"1", "Neu":  [1]}`)
	var r client.Record
	if err := r.UnmarshalJSON(data); err != nil {
		t.Fatal(err)
	}
	copy(data, "xxxxxxxx")
	if string(r.Raw) != `{"Id":"1", "Neu":  [1]}` {
		t.Errorf("raw %s", r.Raw)
	}
}

func FuzzRecord(f *testing.F) {
	for _, file := range []string{"article.json", "column.json", "gallery.json", "video.json", "page.json", "writer.json", "path.json"} {
		f.Add([]byte(testdata(f, file)))
	}
	for _, seed := range []string{`{"Id":1e3,"Files":{},"Tags":"a,b"}`, `{"Id":-0.0,"CreatedDate":"/Date(1e9)/"}`, `{"CreatedDate":"24:00"}`, `{"":1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, into := range []json.Unmarshaler{
			new(client.Column), new(client.Gallery), new(client.Video), new(client.Page),
			new(client.Writer), new(client.Path), new(client.Hit), new(client.Related), new(client.Date),
		} {
			json.Unmarshal(data, into)
		}
		var first, second client.Article
		if json.Unmarshal(data, &first) != nil {
			return
		}
		// Mirrored as a string, the id must stay what it was.
		again, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(again, &second); err != nil || second.ID != first.ID {
			t.Errorf("id %q became %q, %v", first.ID, second.ID, err)
		}
	})
}
