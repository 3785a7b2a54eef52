<?php
// A post of each form that WordPress has, and what is not public.

function forms(array $pictures, array $in): void
{
	$large = picture('panorama', 3200, 2000);
	$in_gallery = [picture('gemi', 1600, 1067), picture('marti', 800, 1200), picture('ag', 1100, 733)];
	$attached = [picture('yelkenli', 1400, 933), picture('mendirek', 1400, 933)];
	$film = wp_get_attachment_url(video('dalgalar'));
	$block = fn(string $name, string $html, string $attributes = '') => "<!-- wp:$name $attributes-->\n$html\n<!-- /wp:$name -->\n\n";
	$embed = fn(string $address) => $block('embed', "<figure class=\"wp-block-embed is-type-video is-provider-film wp-block-embed-film wp-embed-aspect-16-9 wp-has-aspect-ratio\"><div class=\"wp-block-embed__wrapper\">\n$address\n</div><figcaption class=\"wp-element-caption\">Kamera: " . word('altyazi') . '</figcaption></figure>',
		"{\"url\":\"$address\",\"type\":\"video\",\"providerNameSlug\":\"film\",\"responsive\":true} ");
	$form = function (string $title, string $content, array $more = []) use ($in): int {
		return add($more + ['post_title' => $title ? $title . ' ' . word('baslik') : '', 'post_content' => $content, 'post_category' => [$in['news']]]);
	};

	foreach (['aside', 'chat', 'link', 'image', 'quote', 'status', 'audio'] as $format) {
		$form("Biçim: $format", paragraph(), ['format' => $format, 'post_category' => [$in['local']]]);
	}
	$form('Video dosyası', paragraph() . $block('video', '<figure class="wp-block-video"><video controls src="' . $film . '"></video><figcaption class="wp-element-caption">Dalgalar ' . word('altyazi') . '</figcaption></figure>'), ['format' => 'video', 'picture' => $pictures[0]]);
	$form('Metin içinde galeri', paragraph() . gallery($in_gallery) . paragraph());
	$form('Galeri, blokla', paragraph() . gallery(array_merge($in_gallery, [$large])) . paragraph(), ['format' => 'gallery', 'picture' => $in_gallery[0]]);
	$form('Galeri, kısa kodla', paragraph() . "[gallery ids=\"" . implode(',', $attached) . "\"]\n\n" . paragraph(), ['format' => 'gallery', 'picture' => $pictures[1]]);
	$form('Galeri, dosyalara bağlı', 'Klasik metin ' . word('metin') . "\n\n[gallery ids=\"" . implode(',', $attached) . "\" link=\"file\" columns=\"2\"]", ['format' => 'gallery']);
	$form('Tek resimli galeri', paragraph() . gallery([$in_gallery[1]]), ['format' => 'gallery']);
	$form('Büyük resim', image($large, 'full', 'Geniş <a href="' . home_url('/') . '">açı</a> ' . word('altyazi')) . paragraph(), ['picture' => $large]);
	$form('Bağlantılı resim', $block('image', '<figure class="wp-block-image size-medium"><a href="' . wp_get_attachment_url($in_gallery[0]) . '"><img src="' . wp_get_attachment_image_url($in_gallery[0], 'medium') . "\" alt=\"\" class=\"wp-image-{$in_gallery[0]}\"/></a></figure>", "{\"id\":{$in_gallery[0]},\"sizeSlug\":\"medium\",\"linkDestination\":\"media\"} ") . paragraph());
	$form('Film, oynatıcıyla', paragraph() . $embed('https://film.example/watch?v=oynatici001') . paragraph(), ['format' => 'video']);
	$form('Film, adres olarak', paragraph() . $embed('https://film.example/watch?v=adresolarak') . paragraph());
	$form('Harita çerçevesi', paragraph() . $block('html', '<iframe src="https://harita.example/iskele" width="600" height="400" title="Harita"></iframe><script>document.title = "izinsiz"</script>'));
	$form('Tablo', paragraph() . $block('table', '<figure class="wp-block-table"><table><thead><tr><th>Ürün</th><th class="has-text-align-right">Fiyat</th></tr></thead><tbody><tr><td>Zeytin ' . word('metin') . '</td><td>240 ₺</td></tr><tr><td>Lüfer</td><td>310 ₺</td></tr></tbody></table><figcaption class="wp-element-caption">Pazar ' . word('altyazi') . '</figcaption></figure>'));
	$form('Alıntılar', $block('quote', '<blockquote class="wp-block-quote"><p>Deniz bize bakar. ' . word('metin') . '</p><cite>Kaptan ' . word('metin') . '</cite></blockquote>') . $block('pullquote', '<figure class="wp-block-pullquote"><blockquote><p>Rüzgâr döndü. ' . word('metin') . '</p><cite>Halk sözü</cite></blockquote></figure>'));
	$form('Listeler, dosya, düğme', $block('list', '<ul><li>Birinci ' . word('metin') . '<ul><li>İç içe ' . word('metin') . '</li></ul></li></ul>') . $block('file', "<div class=\"wp-block-file\"><a href=\"$film\">Dalgalar</a><a href=\"$film\" class=\"wp-block-file__button wp-element-button\" download>İndir</a></div>") . $block('buttons', '<div class="wp-block-buttons"><!-- wp:button --><div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="https://liman.example/">Düğme ' . word('metin') . '</a></div><!-- /wp:button --></div>') . $block('code', '<pre class="wp-block-code"><code>a &lt; b &amp;&amp; c ' . word('metin') . '</code></pre>') . $block('separator', '<hr class="wp-block-separator has-alpha-channel-opacity"/>') . $block('preformatted', '<pre class="wp-block-preformatted">bir  iki ' . word('metin') . "\n   üç</pre>") . $block('verse', '<pre class="wp-block-verse">Liman<br>uyur ' . word('metin') . '</pre>'));
	$form('Sütunlar ve kapak', $block('columns', '<div class="wp-block-columns"><!-- wp:column --><div class="wp-block-column">' . paragraph() . '</div><!-- /wp:column --><!-- wp:column --><div class="wp-block-column">' . image($pictures[3], 'medium') . '</div><!-- /wp:column --></div>') . $block('cover', '<div class="wp-block-cover"><span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span><img class="wp-block-cover__image-background" alt="" src="' . wp_get_attachment_url($pictures[4]) . '" data-object-fit="cover"/><div class="wp-block-cover__inner-container"><p>Kapak ' . word('metin') . '</p></div></div>') . $block('media-text', '<div class="wp-block-media-text is-stacked-on-mobile"><figure class="wp-block-media-text__media"><img src="' . wp_get_attachment_url($pictures[5]) . '" alt="Yanında"/></figure><div class="wp-block-media-text__content"><p>Yanında ' . word('metin') . '</p></div></div>') . $block('details', '<details class="wp-block-details"><summary>Ayrıntı ' . word('metin') . '</summary><p>İçerik ' . word('metin') . '</p></details>') . $block('latest-posts', '', '{"postsToShow":2} '));
	$form('Klasik yazı', 'İlk satır ' . word('metin') . "\nikinci satır.\n\n<strong>Kalın</strong> & 'tırnak' -- çizgi...\n\n<!--more-->\n\n[caption id=\"attachment_{$pictures[2]}\" align=\"alignleft\" width=\"300\"]<a href=\"" . get_attachment_link($pictures[2]) . "\" rel=\"attachment wp-att-{$pictures[2]}\"><img class=\"wp-image-{$pictures[2]} size-medium\" src=\"" . wp_get_attachment_image_url($pictures[2], 'medium') . '" alt="Klasik ' . word('alt') . '" width="300" height="200" /></a> Fener altyazısı ' . word('altyazi') . "[/caption]\n\nSon paragraf " . word('metin') . ".\n\nhttps://film.example/watch?v=oynatici002\n\n<!--nextpage-->\n\nİkinci sayfa " . word('metin'));
	$form('Bilinmeyen kısa kod', paragraph() . '<!-- wp:paragraph --><p>[eklenti id="7"]Görünen ' . word('metin') . '[/eklenti] [foto: AA] [kod a="1"] son.</p><!-- /wp:paragraph -->');
	foreach (['Kısa kodla film', 'Kısa kodla ikinci film'] as $title) { // WordPress numbers players
		$form($title, "İlk " . word('metin') . "\n\n[video src=\"$film\" width=\"640\" height=\"360\"]\n\n[audio src=\"" . str_replace('.mp4', '.mp3', $film) . '"]');
	}
	$form('Сегодня в порту', paragraph(), ['post_name' => 'сегодня-в-порту']);
	$form('', paragraph('iz', 1) . image($pictures[6]));
	$form('Kategorisiz', paragraph(), ['post_category' => []]);
	$form('Birkaç kategoride', paragraph(), ['post_category' => [$in['economy'], $in['football'], $in['cinema']], 'tags' => ['liman', 'şenlik']]);
	$form('Köşede bir gün', paragraph(), ['post_category' => [$in['columns']]]);
	$form('&lt;b&gt; & “tırnak” <em>eğik</em>', paragraph(), ['post_excerpt' => 'Elle <b>yazılmış</b> özet &amp; ' . word('ozet')]);
	$form('Göreli bağlantı', '<!-- wp:paragraph --><p><a href="/gundem/">Gündem</a> ve <a href="?p=1">ilk</a> ' . word('metin') . '</p><!-- /wp:paragraph -->');
	$form('Yinelenen başlık', paragraph(), ['post_title' => 'Aynı başlık']);
	$form('Yinelenen başlık', paragraph(), ['post_title' => 'Aynı başlık']);
	stick_post($form('Manşette duran', paragraph(), ['picture' => $pictures[7]]));
	stick_post($form('Manşette duran ikinci', paragraph()));
	foreach (['Balık Günleri', 'Zeytin Şenliği', 'Açık Hava Sineması'] as $title) {
		$id = $form($title, paragraph(), ['post_type' => 'etkinlik', 'post_category' => [], 'picture' => $pictures[5]]);
		wp_set_object_terms($id, 'Üçağıl', 'sehir');
	}

	$hidden = picture('sakli', 900, 600, 'sakli');
	foreach (['draft', 'private', 'pending', 'future', 'trash'] as $status) {
		$form('', paragraph('sakli') . image($hidden), ['post_title' => word('baslik', 'sakli'), 'post_status' => $status, 'picture' => $hidden, 'post_name' => word('adres', 'sakli'),
			'post_excerpt' => word('ozet', 'sakli')] + ($status === 'future' ? ['post_date' => moment(-48)] : []));
	}
	$form('', paragraph('sakli'), ['post_title' => word('baslik', 'sakli'), 'post_password' => 'sakli-parola', 'picture' => $hidden, 'post_name' => word('adres', 'sakli'), 'tags' => ['şenlik']]);
	$form('', paragraph('sakli'), ['post_title' => word('baslik', 'sakli'), 'post_type' => 'etkinlik', 'post_status' => 'draft']);
	$locked = $form('', paragraph('sakli'), ['post_title' => word('baslik', 'sakli'), 'post_password' => 'sakli-parola', 'post_name' => word('adres', 'sakli')]);
	stick_post($locked);
	$form('', paragraph('sakli'), ['post_title' => word('baslik', 'sakli'), 'post_type' => 'etkinlik', 'post_password' => 'sakli-parola', 'post_name' => word('adres', 'sakli')]);
	$old = $form('Düzeltilen', paragraph('sakli'));
	wp_update_post(wp_slash(['ID' => $old, 'post_content' => paragraph()])); // its first version is a revision
	wp_insert_comment(['comment_post_ID' => $old, 'comment_author' => word('yazar', 'sakli'), 'comment_author_email' => 'okur@sakli.example', 'comment_content' => word('yorum', 'sakli'), 'comment_approved' => 0]);
}
