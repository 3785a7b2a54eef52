<?php
// Loads WordPress outside a web server, with the rights of the administrator: texts may
// hold any HTML.
function load_wordpress(string $site): void
{
	$_SERVER['HTTP_HOST'] = '127.0.0.1';
	$_SERVER['REQUEST_URI'] = '/';
	$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
	require $site . '/wp-load.php';
	require_once ABSPATH . 'wp-admin/includes/image.php';
	wp_set_current_user(1);
	kses_remove_filters();
}
