<?php
// Fills the site with the paper: php fill.php SITE
//
// All content is invented. Each public text, caption and alternative text has a word of its
// own that begins with "iz" and a number, by which tests find it. What is not public has words
// that begin with "sakli" instead.
require __DIR__ . '/load.php';
load_wordpress($argv[1]);
require __DIR__ . '/fill_forms.php';

mt_srand(1908);
wp_defer_term_counting(true);
wp_suspend_cache_invalidation(false);

// word returns the next word that a test looks for.
function word(string $of, string $begin = 'iz'): string
{
	static $number = 0;
	return sprintf('%s%04d%s', $begin, ++$number, $of);
}

// sentence returns words of a harbour town.
function sentence(): string
{
	static $who = ['Balıkçılar', 'Belediye meclisi', 'Öğrenciler', 'Zeytin üreticileri', 'Kıyı ekipleri', 'Esnaf odası', 'Genç oyuncular', 'Mahalleli'];
	static $when = ['dün akşam', 'bu sabah', 'hafta sonu', 'yağmurdan önce', 'uzun bir aradan sonra', 'festivalin ilk gününde'];
	static $where = ['iskelede', 'eski çarşıda', 'Üçağıl köyünde', 'sahil yolunda', 'kütüphanenin önünde', 'kuzey rıhtımında'];
	static $what = ['toplandı', 'yeni kararı değerlendirdi', 'şenliği izledi', 'çalışmalara başladı', 'çözüm aradı', 'ödülünü aldı'];
	return ucfirst("{$who[mt_rand(0, 7)]} {$when[mt_rand(0, 5)]} {$where[mt_rand(0, 5)]} {$what[mt_rand(0, 5)]}.");
}

// paragraph returns a block with sentences and a word.
function paragraph(string $begin = 'iz', int $sentences = 4): string
{
	$text = '';
	for ($i = 0; $i < $sentences; $i++) {
		$text .= sentence() . ' ';
	}
	return "<!-- wp:paragraph -->\n<p>" . $text . word('metin', $begin) . "</p>\n<!-- /wp:paragraph -->\n\n";
}

// picture puts a drawing into the media library and returns its id.
function picture(string $name, int $width, int $height, string $begin = 'iz', string $type = 'jpg', string $caption = ''): int
{
	static $hue = 0;
	$image = imagecreatetruecolor($width, $height);
	$hue = ($hue + 47) % 256;
	for ($y = 0; $y < $height; $y += 8) {
		$colour = imagecolorallocate($image, $hue, (int) (255 * $y / $height), 255 - $hue);
		imagefilledrectangle($image, 0, $y, $width, $y + 8, $colour);
	}
	imagefilledellipse($image, $width >> 1, $height >> 1, $height >> 1, $height >> 1, imagecolorallocate($image, 250, 240, 200));
	imagestring($image, 5, 20, 20, $name, imagecolorallocate($image, 255, 255, 255));
	$file = wp_upload_dir()['path'] . "/$name.$type";
	['jpg' => 'imagejpeg', 'png' => 'imagepng', 'webp' => 'imagewebp'][$type]($image, $file);
	$id = wp_insert_attachment([
		'post_mime_type' => ['jpg' => 'image/jpeg', 'png' => 'image/png', 'webp' => 'image/webp'][$type],
		'post_title' => "Resim $name", 'post_excerpt' => $caption ?: 'Kıyıda ' . word('altyazi', $begin), 'post_status' => 'inherit',
	], $file);
	wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file));
	update_post_meta($id, '_wp_attachment_image_alt', 'Liman & deniz ' . word('alt', $begin));
	return $id;
}

// video puts a file of the kind "video" into the media library.
function video(string $name): int
{
	$file = wp_upload_dir()['path'] . "/$name.mp4";
	file_put_contents($file, "\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08mdat");
	file_put_contents(str_replace('.mp4', '.mp3', $file), str_repeat("\xff\xfb\x10\xc4" . str_repeat("\0", 100), 4)); // a post plays it
	return wp_insert_attachment(['post_mime_type' => 'video/mp4', 'post_title' => $name, 'post_status' => 'inherit'], $file);
}

// image is a block with a picture of the library. A caption is written into the block.
function image(int $id, string $size = 'large', string $caption = ''): string
{
	$alt = get_post_meta($id, '_wp_attachment_image_alt', true);
	$address = wp_get_attachment_image_url($id, $size);
	$caption = $caption ? "<figcaption class=\"wp-element-caption\">$caption</figcaption>" : '';
	return "<!-- wp:image {\"id\":$id,\"sizeSlug\":\"$size\",\"linkDestination\":\"none\"} -->\n<figure class=\"wp-block-image size-$size\">" .
		'<img src="' . $address . '" alt="' . esc_attr($alt) . "\" class=\"wp-image-$id\"/>$caption</figure>\n<!-- /wp:image -->\n\n";
}

// gallery is a block with pictures, each with a caption of its own.
function gallery(array $ids): string
{
	$images = '';
	foreach ($ids as $id) {
		$images .= image($id, 'large', 'Galeride <em>' . word('altyazi') . '</em>');
	}
	return "<!-- wp:gallery {\"linkTo\":\"none\"} -->\n<figure class=\"wp-block-gallery has-nested-images columns-default is-cropped\">$images</figure>\n<!-- /wp:gallery -->\n\n";
}

// category adds a category and returns its id.
function category(string $name, string $slug, int $parent = 0): int
{
	return wp_insert_term($name, 'category', ['slug' => $slug, 'parent' => $parent, 'description' => "$name haberleri"])['term_id'];
}

// moment returns a local date so many hours before now.
function moment(float $hours): string
{
	return wp_date('Y-m-d H:i:s', time() - (int) (3600 * $hours));
}

// add saves a post. Beside the fields of WordPress it takes: format, picture, tags.
function add(array $post): int
{
	static $hours = 1;
	$post += ['post_status' => 'publish', 'post_author' => 2 + mt_rand(0, 2), 'post_date' => moment($hours += 2.5), 'post_title' => '', 'tags' => []];
	$id = wp_insert_post(wp_slash($post), true);
	if (is_wp_error($id)) {
		throw new Exception($id->get_error_message());
	}
	if ($post['tags']) {
		wp_set_post_tags($id, $post['tags']);
	}
	if (isset($post['format'])) {
		set_post_format($id, $post['format']);
	}
	if (isset($post['picture'])) {
		set_post_thumbnail($id, $post['picture']);
	}
	return $id;
}

foreach (['ayse' => 'Ayşe Yıldız', 'mehmet' => 'Mehmet Çağlar', 'zehra' => 'Zehra Ünal'] as $login => $name) {
	wp_insert_user([
		'user_login' => "$login-sakli", 'user_nicename' => $login, 'user_pass' => 'sakli-parola', 'user_email' => "$login@sakli.example",
		'display_name' => $name, 'description' => "<b>$name</b> kıyı kasabalarını yazar.", 'role' => 'author',
	]);
}
$news = category('Gündem', 'gundem');
$local = category('Yerel', 'yerel', $news);
$council = category('Belediye', 'belediye', $local);
$sport = category('Spor', 'spor');
$football = category('Futbol', 'futbol', $sport);
$culture = category('Kültür & Sanat', 'kultur-sanat');
$cinema = category('Sinema', 'sinema', $culture);
$columns = category('Köşe Yazıları', 'kose-yazilari');
$economy = category('Ekonomi', 'ekonomi');
$categories = [$news, $local, $council, $sport, $football, $culture, $cinema, $columns, $economy];

global $wpdb;
$wpdb->query('BEGIN');
$pictures = [];
foreach (['iskele', 'carsi', 'fener', 'zeytinlik', 'sahil', 'kutuphane', 'rihtim', 'meydan'] as $i => $name) {
	$pictures[] = picture($name, 1200, 800, 'iz', ['jpg', 'png', 'webp'][$i % 3 === 2 && !function_exists('imagewebp') ? 0 : $i % 3]);
}
$tags = ['liman', 'çarşı', 'zeytin hasadı', 'ulaşım', 'imar', 'şenlik', 'su ürünleri', 'genç & yaşlı'];
for ($i = 0; $i < 110; $i++) {
	$category = $categories[$i % count($categories)];
	add([
		'post_title' => trim(sentence(), '.') . ' ' . word('baslik'), 'post_category' => [$category],
		'post_content' => paragraph() . ($i % 5 ? '' : image($pictures[$i / 5 % 8])) . paragraph() . ($i % 4 ? '' : "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">Ne oldu?</h2>\n<!-- /wp:heading -->\n\n" . paragraph()),
		'post_excerpt' => $i % 3 ? '' : 'Özet: ' . word('ozet'), 'tags' => array_slice($tags, $i % 7, $i % 3),
	] + ($i % 2 ? ['picture' => $pictures[$i % 8]] : []));
}
forms($pictures, ['news' => $news, 'local' => $local, 'football' => $football, 'cinema' => $cinema, 'columns' => $columns, 'economy' => $economy]);
$wpdb->query('COMMIT');
wp_defer_term_counting(false);
