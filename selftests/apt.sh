#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Gets packages of other Debian suites and architectures, with a separate apt configuration:
# lists, cache and state are below build/apt. The machine's apt is not used.
#
#   apt.sh SUITE ARCH depends PACKAGE...      everything that installing them would install
#   apt.sh SUITE ARCH version PACKAGE         its version
#   apt.sh SUITE ARCH suite PACKAGE           the suite that has it
#   apt.sh SUITE ARCH download DIR PACKAGE... the .deb into DIR
#   apt.sh SUITE ARCH unpack DIR PACKAGE...   its files below DIR
#   apt.sh SUITE any source DIR PACKAGE       its source package, not unpacked, into DIR
#
# SUITE can be a list such as "sid,experimental": the first one that has the last PACKAGE is used.
# "any" is all suites that this script knows, the newest first. For a list and for "version", the exit
# status is 3 if no suite has the package, and 1 if its lists could not be downloaded. As packages in
# experimental depend on packages in sid, sid's lists are also used.
#
# The host is taken from the machine's apt sources, the keys from Debian's archive keyring.
set -eu -o pipefail
cd "$(dirname "$0")/.."

suite=$1 arch=$2 what=$3
shift 3

[ "$suite" != any ] || suite=sid,experimental,trixie,bookworm,bullseye
case $suite in
*,*)
	for one in ${suite//,/ }; do
		status=0
		selftests/apt.sh "$one" "$arch" version "${!#}" >/dev/null || status=$?
		case $status in
		0)	exec selftests/apt.sh "$one" "$arch" "$what" "$@" ;;
		3)	;;
		*)	exit $status ;;
		esac
	done
	echo "apt.sh: none of the suites ${suite//,/, } has ${!#} for $arch" >&2
	exit 3
	;;
esac

dir=$PWD/build/apt/$suite-$arch type=deb
if [ "$what" = source ]; then
	# lists of source packages are as large as lists of binary packages
	dir=$PWD/build/apt/$suite-source type=deb-src arch=$(dpkg --print-architecture)
fi
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The first "http://HOST/debian", in either of the two formats of apt sources.
host() {
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null |
		grep -v '^ *#' | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' '
}

# own_apt COMMAND ARGUMENT...: run an apt command with the separate configuration
own_apt() {
	local command=$1

	shift
	APT_CONFIG=$dir/apt.conf "$command" -q "$@"
}

# From the machine's configuration, only copy how to reach the host: proxies, and whether an
# outdated mirror is accepted. Other settings may have hooks.
configure() {
	local uri

	uri=$(host) || true
	if [ -z "$uri" ]; then
		echo "apt.sh: no Debian archive in the machine's apt sources" >&2
		exit 1
	fi
	mkdir -p "$dir"/{lists/partial,cache/archives/partial,parts}
	: >"$dir/status"
	echo "$type [signed-by=$keyring] $uri $suite main" >"$dir/sources.list"
	[ "$suite" != experimental ] ||
		echo "$type [signed-by=$keyring] $uri sid main" >>"$dir/sources.list"
	apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$dir/apt.conf" || true
	cat >>"$dir/apt.conf" <<-END
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Default-Release "$suite";
		APT::Get::AllowUnauthenticated "false";
		APT::Install-Recommends "false";
		APT::Sandbox::User "";
		APT::Update::Error-Mode "any";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Dir::Etc::main "/dev/null";
		Dir::Etc::parts "$dir/parts";
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "$dir/parts";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "$dir/parts";
		Dir::Etc::trusted "/dev/null";
		Dir::Etc::trustedparts "$dir/parts";
		Dir::State::lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::State::extended_states "$dir/extended_states";
		Dir::Cache "$dir/cache";
	END
}

# Update lists that are older than an hour: packages in unstable are soon replaced.
prepare() {
	if [ -n "$(find "$dir/ready" -mmin -60 2>/dev/null)" ]; then
		return
	fi
	configure
	if ! own_apt apt-get update >"$dir/update.log" 2>&1; then
		tail -n 5 "$dir/update.log" >&2
		echo "apt.sh: the package lists of $suite for $arch could not be downloaded" >&2
		exit 1
	fi
	touch "$dir/ready"
}

# download DIR PACKAGE...: download packages to DIR
download() {
	local to=$1

	shift
	mkdir -p "$to"
	(cd "$to" && own_apt apt-get download "$@")
}

prepare
case $what in
depends)
	own_apt apt-get --simulate install "$@" | sed -n 's/^Inst \([^ ]*\).*/\1/p'
	;;
version)
	version=$(own_apt apt-cache show --no-all-versions "$1" 2>/dev/null | sed -n 's/^Version: //p') || exit 3
	echo "$version"
	;;
suite)
	echo "$suite"
	;;
download)
	download "$@"
	;;
unpack)
	to=$1
	shift
	tmp=$(mktemp -d "$dir/unpack.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	download "$tmp" "$@"
	mkdir -p "$to"
	for deb in "$tmp"/*.deb; do
		dpkg-deb -x "$deb" "$to"
	done
	;;
source)
	mkdir -p "$1"
	(cd "$1" && own_apt apt-get source --download-only "$2")
	;;
*)
	echo "apt.sh: $what: not one of depends, version, suite, download, unpack, source" >&2
	exit 2
	;;
esac
