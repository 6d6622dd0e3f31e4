#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Images from debuginfod: elfutils' own server on the loopback, a slow server, and
# failing servers.  Without DEBUGINFOD_URLS, no server is queried.
. "${0%/*}/../lib.sh"
unset DEBUGINFOD_URLS DEBUGINFOD_PROGRESS DEBUGINFOD_VERBOSE
export XDG_CACHE_HOME=/dev/null DEBUGINFOD_CACHE_PATH=$PWD/client
have debuginfod || { begin 'a debuginfod server'; skip 'no debuginfod'; exit 77; }
servers=()
clean_up() { [ ${#servers[@]} = 0 ] || kill "${servers[@]}" 2>/dev/null; }

unit kernel <<'C'
static __attribute__((noinline, used)) int dup(int a) { return a; }
int only(int a) { return a; }
C
mkdir -p served root
image served/vmlinux kernel.o
unit other <<<'int other(int a) { return a; }'
image other other.o
id=$(build_id served/vmlinux)
"$ABTF" list -aj served/vmlinux >list

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
# -g, -t: scan for files once, and later only on request
debuginfod -d :memory: -p "$port" -t0 -g0 -F served >server.log 2>&1 &
servers+=($!)
limited "$python" - "http://127.0.0.1:$port/buildid/$id/debuginfo" <<'P'
import sys, time, urllib.request
while True:
    try:
        urllib.request.urlopen(sys.argv[1]).read()
        break
    except OSError:
        time.sleep(0.1)
P

# Other servers: the first part of the path selects their behavior. Requests are logged in "requests".
cat >serve.py <<'P'
import http.server, sys, time
image, other = open('served/vmlinux', 'rb').read(), open('other', 'rb').read()
bodies = {'garbage': b'x' * 1000, 'page': b'<!DOCTYPE html><p>Log in', 'half': image[:len(image) // 2]}
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass
    def send(self, size):
        self.send_response(200)
        self.send_header('Content-Length', str(size))
        self.end_headers()
    def do_GET(self):
        print(self.path, file=open('requests', 'a'))
        how = self.path.split('/')[1]
        if how in ('500', '404'):
            self.send_error(int(how))
        elif how == 'other':
            self.send(len(other))
            self.wfile.write(other)
        elif how == 'redirect':
            self.send_response(302)
            self.send_header('Location', self.path.replace('redirect', 'good'))
            self.end_headers()
        elif how == 'good':
            self.send(len(image))
            self.wfile.write(image)
        elif how in bodies:
            self.send(len(bodies[how]))
            self.wfile.write(bodies[how])
        elif how in ('stripped', 'large.gz'):
            body = open(how, 'rb').read()
            self.send(len(body))
            self.wfile.write(body)
        elif how == 'split':
            body = open('split', 'rb').read() if self.path.endswith('debuginfo') else other
            self.send(len(body))
            self.wfile.write(body)
        elif how == 'short':
            self.send(len(image))
            self.wfile.write(image[:1000])
        elif how == 'silent':
            time.sleep(60)
        elif how == 'slow':
            self.send(len(image))
            for i in range(0, len(image), len(image) // 8):
                self.wfile.write(image[i:i + len(image) // 8])
                self.wfile.flush()
                time.sleep(0.3)
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
P
"$python" serve.py >serve.port 2>serve.log &
servers+=($!)
wait_for serve.port
url=http://127.0.0.1:$(cat serve.port)

# asks URL STATUS [SECONDS]: run a client with an empty cache; SECONDS limits how long it waits
asks() {
	rm -rf client requests
	DEBUGINFOD_URLS=$1 DEBUGINFOD_TIMEOUT=${3:-$hang_limit} expect "$2" limited \
		"$ABTF" list -aj --build-id="$id" --sysroot=root
}

begin 'an image is fetched from a server'
asks "http://127.0.0.1:$port" 0
cmp -s out list || fail 'the output differs'
[ -n "$(find client -type f -size +0 -name debuginfo)" ] || fail 'the cache of libdebuginfod lacks the image'

begin 'an image is fetched from the second of two servers'
# both are queried at once, and the second may answer before the first
asks "$url/404 http://127.0.0.1:$port" 0
cmp -s out list || fail 'the output differs'

begin 'encode, check and diff fetch an image'
export DEBUGINFOD_URLS=http://127.0.0.1:$port
expect 0 "$ABTF" encode -q --build-id="$id" --sysroot=root -o got.btf
expect 0 "$ABTF" check --build-id="$id" --sysroot=root got.btf
expect 0 "$ABTF" diff --build-id="$id" --sysroot=root got.btf
unset DEBUGINFOD_URLS

begin 'an image that is installed is not requested'
mkdir -p machine/boot
cp served/vmlinux machine/boot/vmlinux-6.12
rm -f requests
DEBUGINFOD_URLS=$url/other expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=machine
[ ! -e requests ] || fail "a server was queried: $(cat requests)"

begin 'without DEBUGINFOD_URLS, no server is queried'
for urls in unset '' ' '; do
	rm -rf client requests
	if [ "$urls" = unset ]; then
		expect 1 "$ABTF" list --build-id="$id" --sysroot=root
	else
		DEBUGINFOD_URLS=$urls expect 1 "$ABTF" list --build-id="$id" --sysroot=root
	fi
	says 'set DEBUGINFOD_URLS'
	[ ! -e client ] || fail 'libdebuginfod was called'
done

begin 'a slow server: progress is shown on a terminal'
export TERM=xterm
rm -rf client
DEBUGINFOD_URLS=$url/slow script -qec "$ABTF list -a --build-id=$id --sysroot=root" /dev/null </dev/null >typescript
tr '\r' '\n' <typescript >lines
has lines 'KB from debuginfod'
has lines 'dup.* int dup\(int a\)$'
asks "$url/slow" 0
has_not out 'debuginfod'

begin 'a server that does not answer: a message'
rm -rf client
DEBUGINFOD_TIMEOUT=1 DEBUGINFOD_URLS=$url/silent script -qec "$ABTF list --build-id=$id --sysroot=root" \
	/dev/null </dev/null >typescript || :
has typescript 'waiting for debuginfod \.\.\.'

begin 'redirects of a server are followed'
asks "$url/redirect" 0
cmp -s out list || fail 'the output differs'

begin 'stopped by a signal: no file is left, and no message about a missing image'
for how in slow silent; do
	for signal in INT TERM HUP; do
		rm -rf client requests
		DEBUGINFOD_URLS=$url/$how env --default-signal=INT,TERM,HUP \
			"$ABTF" list --build-id="$id" --sysroot=root >out 2>&1 &
		pid=$!
		wait_for requests
		sleep 0.5
		kill -$signal $pid
		status=0
		wait $pid || status=$?
		expect_eq "$status" $((128 + $(kill -l $signal)))
		# libdebuginfod may not have created it yet
		[ ! -e client ] || find client -name 'debuginfo*' | expect_none
		DEBUGINFOD_URLS=$url/good expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
		cmp -s out list || fail 'the output differs'
	done
done

begin 'an ignored signal does not stop abtf'
rm -rf client requests
(trap '' HUP; DEBUGINFOD_URLS=$url/slow exec "$ABTF" list -aj --build-id="$id" --sysroot=root) >out 2>&1 &
pid=$!
wait_for requests
kill -HUP $pid
wait $pid || fail "status $?"
cmp -s out list || fail 'the output differs'

begin 'no server has the image: an error'
asks "$url/404" 1
says 'error": "debuginfod: no server has the image'
says "no image with debug information was found for build id $id"

begin 'failing servers: an error soon, with the reason, and no file is left'
tool strip -o stripped served/vmlinux
while IFS=: read -r how reason; do
	asks "$url/$how" 1 2
	says "\"error\": \"[^\"]*$reason"
	says "no image with debug information was found for build id $id"
	# libdebuginfod keeps an empty file if it was told that there is none
	find . -path './client/*' -name 'debuginfo*' -size +0 | expect_none "$how"
	# the server was repaired; libdebuginfod itself remembers that there is none
	[ -s client/$id/debuginfo ] || rm -f client/$id/debuginfo
	DEBUGINFOD_URLS=$url/good expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
	cmp -s out list || fail "$how: the output differs"
done <<'E'
500:debuginfod: no server has the image, or the servers failed: DEBUGINFOD_VERBOSE=1
short:debuginfod: no server has the image, or the servers failed
garbage:debuginfo: not an ELF file
page:debuginfo: not an ELF file
half:debuginfo: section header table at
other:debuginfo: debuginfod returned a file from another build, or without debug information
stripped:debuginfo: debuginfod returned a file from another build, or without debug information
silent:debuginfod: Timer expired
E
asks http://127.0.0.1:1 1
says '"error": "debuginfod: Connection refused'
# files that are installed are named anyway
mkdir -p machine/boot
tool strip -o machine/boot/vmlinux-6.12 served/vmlinux
rm -rf client
DEBUGINFOD_URLS=http://127.0.0.1:1 expect 1 "$ABTF" list --build-id="$id" --sysroot=machine
says 'error:     machine/boot/vmlinux-6.12: has no debug information'
says 'install the debug package'

begin 'a file above the limit stays in the cache, for a call with a higher limit'
cp served/vmlinux large
head -c 30M /dev/zero >zeros
tool objcopy --add-section .zeros=zeros large
gzip -f large
asks "$url/large.gz" 0
DEBUGINFOD_URLS=$url/404 expect 1 "$ABTF" list -aj --build-id="$id" --sysroot=root --max-uncompressed=20
says 'raises the limit'
DEBUGINFOD_URLS=$url/404 expect 0 "$ABTF" list -aj --build-id="$id" --sysroot=root
cmp -s out list || fail 'the output differs'

begin 'code from another build is not used'
tool objcopy --only-keep-debug served/vmlinux split
asks "$url/split" 0
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
expect_eq "$(jq '.warnings | map(select(contains("debuginfod returned a file from another build"))) | length' \
	<<<"$out")" 1
find client -name executable -size +0 | expect_none

begin 'a cache that cannot be written is an error of debuginfod'
for cache in /dev/null/x readonly/x; do
	mkdir -p readonly
	chmod 555 readonly
	as=()
	[ ! -w readonly ] || as=(setpriv --bounding-set=-dac_override)
	DEBUGINFOD_CACHE_PATH=$cache DEBUGINFOD_URLS=$url/good expect 1 "${as[@]}" \
		"$ABTF" list --build-id="$id" --sysroot=root
	says "debuginfod: its cache $cache cannot be written: "
done

begin 'split images and modules are fetched'
cat >mod.c <<'C'
static const char modinfo[] __attribute__((section(".modinfo"), used)) = "name=mod";
__attribute__((noinline, used)) int traced(int a) { return a; }
__attribute__((noinline, no_instrument_function)) int hidden(int a) { __asm__ volatile(""); return a; }
C
# shellcheck disable=SC2086 # lists of flags
unit mod -pg -mfentry -mrecord-mcount <mod.c
# shellcheck disable=SC2086
$CC $machine -r -nostdlib -Wl,--build-id -o mod.ko mod.o
mod_id=$(build_id mod.ko)
"$ABTF" list -aj mod.ko >mod.list
mkdir -p running/proc/sys/kernel running/sys/module/mod/notes files/buildid/{"$id","$mod_id"}
echo 6.12.1 >running/proc/sys/kernel/osrelease
tool objcopy -O binary --only-section=.note.gnu.build-id --set-section-flags .note.gnu.build-id=alloc \
	mod.ko running/sys/module/mod/notes/.note.gnu.build-id
# fetches LIST ARGUMENT...: with the directory "files" instead of a server, list must print LIST
fetches() {
	rm -rf client
	DEBUGINFOD_URLS=file://$PWD/files expect 0 "$ABTF" list -aj --sysroot=running "${@:2}"
	cmp -s out "$1" || fail "the output differs: $out"
}
cp served/vmlinux files/buildid/$id/debuginfo
cp mod.ko files/buildid/$mod_id/debuginfo
fetches list --build-id="$id"
fetches mod.list --running --module mod
# eu-strip also omits the relocations of the table
tool objcopy --only-keep-debug served/vmlinux files/buildid/$id/debuginfo
tool strip -o files/buildid/$id/executable served/vmlinux
rm files/buildid/$mod_id/debuginfo
eu-strip -f files/buildid/$mod_id/debuginfo -o files/buildid/$mod_id/executable mod.ko
fetches list --build-id="$id"
fetches mod.list --running --module mod
[ -s client/$mod_id/executable ] || fail 'the code was not fetched'
# the code is installed, or missing
mv files/buildid/$mod_id/executable mod.stripped
rm -rf client
DEBUGINFOD_URLS=file://$PWD/files expect 0 "$ABTF" list -aj --sysroot=running --running --module mod
expect_eq "$(jq -r '.functions[].flags[0]' <<<"$out" | sort -u)" unknown
mkdir -p running/lib/modules/6.12.1/kernel
xz <mod.stripped >running/lib/modules/6.12.1/kernel/mod.ko.xz
fetches mod.list --running --module mod
rm files/buildid/$mod_id/debuginfo
rm -rf client
DEBUGINFOD_URLS=file://$PWD/files expect 1 "$ABTF" list --sysroot=running --running --module mod
says 'debuginfod: no server has the image'
says 'no file with debug information was found for module mod'

begin 'a missing libdebuginfod: a message'
mkdir -p nolib
: >nolib/libdebuginfod.so.1
LD_LIBRARY_PATH=$PWD/nolib asks "http://127.0.0.1:$port" 1
says 'DEBUGINFOD_URLS is set, but libdebuginfod \(of elfutils\) is not installed'
