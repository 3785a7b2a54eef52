#!/bin/sh
set -e
# The user that runs mirrors and owns what they publish.
if ! getent passwd ayna >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/ayna --no-create-home --shell /usr/sbin/nologin ayna
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart 'ayna-serve@*.service'
fi
