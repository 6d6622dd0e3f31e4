# SPDX-License-Identifier: GPL-2.0-only
# Makes an SVG of a drawing in words:  awk -f draw.awk one-of-22.txt >one-of-22.svg
#
#	title  WORDS			for who cannot see it
#	size   W H
#	box    X Y W H STYLE WORDS	several lines of words have a | between them
#	text   X Y STYLE WORDS		STYLE may end in a comma and start, middle or end
#	arrow  X1 Y1 X2 Y2 STYLE
#
# STYLE: plain, code, note, good, bad, part.  "make drawings" makes all anew.
function escape(s)
{
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	return s
}

function rest(from,	i, s)
{
	s = $0
	for (i = 1; i < from; i++)
		sub(/^[ \t]*[^ \t]+/, "", s)
	sub(/^[ \t]+/, "", s)
	return s
}

BEGIN {
	print "<!-- SPDX-License-Identifier: GPL-2.0-only; made by draw.awk -->"
}

/^#/ || NF == 0 { next }

$1 == "title" { title = rest(2) }

$1 == "size" {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">\n", \
		$2, $3, $2, $3, escape(title)
	print "<style>"
	print ":root{--bg:#fff;--line:#8a96a3;--text:#1a2027;--note:#55606c;--box:#f5f7f9;--good:#1a7f37;--goodbox:#e3f5e7;--bad:#b42318;--badbox:#fdeae7;--part:#e6eefa}"
	print "@media (prefers-color-scheme:dark){:root{--bg:#13171c;--line:#6c7885;--text:#e5e9ee;--note:#a2adb9;--box:#1f262e;--good:#5fd07d;--goodbox:#17331f;--bad:#ff9b8e;--badbox:#3d1d1a;--part:#1c2d47}}"
	print "text{font:14px system-ui,\"Segoe UI\",\"DejaVu Sans\",sans-serif;fill:var(--text)}"
	print ".code{font-family:ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;font-size:13px}"
	print ".note{fill:var(--note);font-size:13px}.head{font-weight:600}"
	print "text.good{fill:var(--good)}text.bad{fill:var(--bad)}"
	print "rect{fill:var(--box);stroke:var(--line)}rect.good{fill:var(--goodbox);stroke:var(--good)}rect.bad{fill:var(--badbox);stroke:var(--bad)}rect.part{fill:var(--part)}"
	print "line{stroke:var(--line);stroke-width:1.5}line.good{stroke:var(--good)}line.bad{stroke:var(--bad)}"
	print "path{fill:var(--line)}path.good{fill:var(--good)}path.bad{fill:var(--bad)}"
	print ".back{fill:var(--bg);stroke:none}"
	print "</style>"
	printf "<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", $2, $3
}

$1 == "box" {
	printf "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"5\"/>\n", $6, $2, $3, $4, $5
	n = split(rest(7), lines, "|")
	for (i = 1; i <= n; i++)
		printf "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>\n", \
			($6 ~ /^(part|good|bad)$/ ? "code" : $6), $2 + $4 / 2, \
			$3 + $5 / 2 + 5 + (i - (n + 1) / 2) * 18, escape(lines[i])
}

$1 == "text" {
	n = split($4, style, ",")
	printf "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n", style[1], $2, $3, \
		(n > 1 ? style[2] : "start"), escape(rest(5))
}

$1 == "arrow" {
	dx = $4 - $2
	dy = $5 - $3
	len = sqrt(dx * dx + dy * dy)
	ux = dx / len
	uy = dy / len
	bx = $4 - 9 * ux
	by = $5 - 9 * uy
	printf "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%.1f\" y2=\"%.1f\"/>\n", $6, $2, $3, bx, by
	printf "<path class=\"%s\" d=\"M%s,%s L%.1f,%.1f L%.1f,%.1f Z\"/>\n", $6, $4, $5, \
		bx - 4.5 * uy, by + 4.5 * ux, bx + 4.5 * uy, by - 4.5 * ux
}

END {
	print "</svg>"
}
