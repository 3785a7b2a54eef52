#!/bin/sh
set -e
# $1 is "remove" on Debian, 0 in an RPM; an upgrade goes on without a stop.
if [ "$1" = remove ] || [ "$1" = 0 ]; then
	if [ -d /run/systemd/system ]; then
		systemctl stop 'ayna@*.timer' 'ayna@*.service' 'ayna-serve@*.service'
	fi
fi
