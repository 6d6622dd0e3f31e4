# SPDX-License-Identifier: GPL-2.0-only
# Defines the patch series in the order of application, and a git that ignores the user's configuration. Sourced
# after env.sh.
# shellcheck shell=bash disable=SC2034,SC2154
all_series=("libbpf-patch/$kver/fixes" "libbpf-patch/$kver"
	    "kernel-patch/$kver/fixes" "kernel-patch/$kver/parsing" "kernel-patch/$kver"
	    "selftests/patch/$kver")
src=$linux/src

# Only use the repository's own configuration.
git() {
	GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null command git \
		-c user.name='abtf import' -c user.email='import@abtf.invalid' \
		-c commit.gpgSign=false -c core.hooksPath=/dev/null \
		-c advice.detachedHead=false -c core.abbrev=12 "$@"
}

# applies_alone SERIES: test whether a series applies without the preceding ones
applies_alone() {
	[[ $1 = */fixes || $1 = */parsing ]]
}

# patches_of SERIES: print the paths of its patches, in order
patches_of() {
	local patch

	[ -e "$top/$1/series" ] || return 0
	while read -r patch; do
		case $patch in
		''|'#'*) ;;
		*) echo "$top/$1/$patch" ;;
		esac
	done <"$top/$1/series"
}

# header FILE NAME: print a mail header, unfolded
header() {
	awk -v name="$2: " '
		/^$/ { exit }
		found && /^[ \t]/ { sub(/^[ \t]+/, ""); value = value " " $0; next }
		found { exit }
		index($0, name) == 1 { value = substr($0, length(name) + 1); found = 1 }
		END { print value }' "$1"
}
