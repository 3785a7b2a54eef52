<?php
// Installs an empty WordPress: php install.php SITE PERMALINKS
[, $site, $permalinks] = $argv;
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
define('WP_INSTALLING', true);
function wp_new_blog_notification() {} // it sends mail
require $site . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Liman Gazetesi', 'yonetici', 'yonetici@sakli.example', true, '', 'sakli-parola');
$options = [
	'blogdescription' => 'Limanın & çarşının haberleri', 'timezone_string' => 'Europe/Istanbul', 'gmt_offset' => '',
	'permalink_structure' => $permalinks, 'WPLANG' => '', 'ping_sites' => '', 'default_pingback_flag' => 0, 'default_comment_status' => 'open',
];
foreach ($options as $name => $value) {
	update_option($name, $value);
}
foreach (get_posts(['post_type' => ['post', 'page'], 'post_status' => 'any', 'numberposts' => -1]) as $post) {
	wp_delete_post($post->ID, true);
}
flush_rewrite_rules(false);
