<?php
// Answers a request as a web server with WordPress's rewrite rules does: with the file, or
// else with index.php. Logs each request with its status and milliseconds.
$root = $_SERVER['DOCUMENT_ROOT'];
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$started = microtime(true);
register_shutdown_function(function () use ($started) {
	$line = sprintf("%s %s %d %.0f\n", $_SERVER['REQUEST_METHOD'], $_SERVER['REQUEST_URI'], http_response_code(), 1000 * (microtime(true) - $started));
	file_put_contents(getenv('WORDPRESS_LOG'), $line, FILE_APPEND | LOCK_EX);
});
if ($path !== '/' && is_file($root . rawurldecode($path))) {
	return false;
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $root . '/index.php';
chdir($root);
require $root . '/index.php';
