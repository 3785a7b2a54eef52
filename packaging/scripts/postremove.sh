#!/bin/sh
set -e
# Mirrors in /var/lib/ayna, keys in /etc/ayna and the user ayna stay: an archive
# cannot be made again.
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
