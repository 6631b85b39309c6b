# SPDX-License-Identifier: GPL-2.0-only
# Lines "PROGRAM SIDE EXPONENT NUMBER..." to an SVG with logarithmic axes. -v
# sizes=N,... says where on the x axis the numbers are. Full lines are the first
# side of a program, dashed ones the others.
function log10(v) { return log(v) / log(10) }
function x(v) { return 70 + 480 * (log(v) - log(size[1])) / (log(size[n]) - log(size[1])) }
function y(v) { return 460 - 420 * (log10(v) - low) / (high - low) }
BEGIN {
	n = split(sizes, size, ",")
	split("#1f77b4 #d62728 #2ca02c #9467bd #ff7f0e #8c564b #17becf #7f7f7f #e377c2 #bcbd22", colour, " ")
	low = 99; high = -99
}
{
	lines++
	if (!($1 in number))
		number[$1] = ++programs
	program[lines] = $1; side[lines] = $2; exponent[lines] = $3
	dashed[lines] = seen[$1]++
	for (i = 4; i <= NF; i++) {
		value[lines, i - 3] = $i
		if ($i > 0 && log10($i) < low) low = int(log10($i) - 1)
		if ($i > 0 && log10($i) > high) high = int(log10($i) + 1)
	}
	points[lines] = NF - 3
}
END {
	print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 510\" font-family=\"sans-serif\" font-size=\"12\">"
	print "<rect width=\"860\" height=\"510\" fill=\"white\"/>"
	for (p = low; p <= high; p++)
		printf "<path d=\"M70 %.1f H550\" stroke=\"#ddd\"/><text x=\"64\" y=\"%.1f\" text-anchor=\"end\">1e%d</text>\n", y(10 ^ p), y(10 ^ p) + 4, p + 3
	for (i = 1; i <= n; i++)
		printf "<path d=\"M%.1f 40 V460\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"478\" text-anchor=\"middle\">%s</text>\n", x(size[i]), x(size[i]), size[i]
	print "<text x=\"310\" y=\"500\" text-anchor=\"middle\">places that are rewritten</text>"
	print "<text x=\"70\" y=\"26\">instructions of the phase that rewrites</text>"
	for (l = 1; l <= lines; l++) {
		path = ""
		for (i = 1; i <= points[l]; i++)
			if (value[l, i] > 0)
				path = path sprintf("%s%.1f %.1f", path == "" ? "M" : " L", x(size[i]), y(value[l, i]))
		look = sprintf("stroke=\"%s\" fill=\"none\" stroke-width=\"2\"%s", colour[(number[program[l]] - 1) % 8 + 1], dashed[l] ? " stroke-dasharray=\"6 4\"" : "")
		if (path != "")
			printf "<path d=\"%s\" %s/>\n", path, look
		printf "<path d=\"M570 %d h30\" %s/><text x=\"606\" y=\"%d\">%s, %s: N^%s</text>\n", 30 + 20 * l, look, 34 + 20 * l, program[l], side[l], exponent[l]
	}
	print "</svg>"
}
