<?php
// The settings of the tests' WordPress. It sends no requests, and does nothing on its own.
define('DB_NAME', 'wp');
define('DB_USER', '');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('DB_DIR', '@DIR@');
define('DB_FILE', basename($_SERVER['HTTP_X_PAPER'] ?? 'wp.sqlite')); // a test may have papers of its own
define('WP_HOME', '@ADDRESS@');
define('WP_SITEURL', '@ADDRESS@');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
define('WP_DEBUG', false);
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
	define($name . '_KEY', 'key of a test');
	define($name . '_SALT', 'salt of a test');
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
	define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
