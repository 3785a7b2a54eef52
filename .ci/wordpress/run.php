<?php
// Runs code inside WordPress, and prints what it returns as JSON: php run.php SITE CODE
require __DIR__ . '/load.php';
load_wordpress($argv[1]);
echo json_encode(eval($argv[2]), JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), "\n";
