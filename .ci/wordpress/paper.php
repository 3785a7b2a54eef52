<?php
// What plug-ins and themes add to the paper: the custom type "etkinlikler" with its cities,
// and the player of a film for which WordPress would ask its host, which is none.
add_action('init', function () {
	register_post_type('etkinlik', [
		'label' => 'Etkinlikler', 'public' => true, 'show_in_rest' => true, 'rest_base' => 'etkinlikler', 'has_archive' => true,
		'rewrite' => ['slug' => 'etkinlik'], 'supports' => ['title', 'editor', 'author', 'thumbnail'], // and no excerpts
	]);
	register_taxonomy('sehir', ['etkinlik'], ['label' => 'Şehirler', 'public' => true, 'show_in_rest' => true, 'rest_base' => 'sehirler']);
});
add_filter('pre_oembed_result', function ($html, $url) {
	if (preg_match('/oynatici\d+/', $url, $video)) {
		return '<iframe title="Limanda sabah" width="500" height="281" src="https://film.example/embed/' . $video[0] . '?feature=oembed" frameborder="0" allowfullscreen></iframe>';
	}
	return $html;
}, 10, 2);

// The options "closed" and "nobody" close the REST API to the public, and hide users there.
add_filter('rest_authentication_errors', function ($error) {
	return $error ?? (get_option('closed') && !is_user_logged_in() ? new WP_Error('rest_not_logged_in', 'Kapalı', ['status' => 401]) : null);
});
add_filter('rest_endpoints', function ($endpoints) {
	if (get_option('nobody')) {
		unset($endpoints['/wp/v2/users'], $endpoints['/wp/v2/users/(?P<id>[\d]+)']);
	}
	return $endpoints;
});
// The option "protection" is the status with which a web page answers instead of the site.
if (PHP_SAPI !== 'cli' && get_option('protection')) {
	http_response_code((int) get_option('protection'));
	header('Content-Type: text/html; charset=utf-8');
	exit('<!doctype html><title>Doğrulama</title><p>Tarayıcınız denetleniyor.');
}
add_filter('wp_is_application_passwords_available', '__return_true');
