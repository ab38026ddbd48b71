# Writes the lines of traces/*/CHAINS.models and PAIRS.models as arrays of C (chain_lines.c): LC_ALL=C awk -f chain_lines.awk FILE...
#
# A line is a sequence of phrases, which end at a brace or before a shape. Lines share most phrases. The phrases are numbered
# from the most frequent on; a number takes seven bits a byte, the lowest first, and the highest bit is set in all but its last
# byte. Edges are sorted by the APIs that they connect, whose names have no version; "passes" by name.

function number(s, key,   found) {
	match(s, "\"" key "\":[0-9]+")
	found = substr(s, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
	return found + 0
}

function escape(s) {
	gsub(/[\\"]/, "\\\\&", s)
	return s
}

function unversioned(api) {
	sub(/_[0-9]+$/, "", api)
	return api
}

function api_number(name) {
	if (!(name in number_of)) {
		name_of[names + 0] = name
		number_of[name] = names++
	}
	return number_of[name] + 0
}

# Adds the edges between the calls of a line; fired: a pass changes the line, so that it tells of its only pair.
function connect(line, text, fired,   call, n, i, head, rest, api, made, seen, ref, id) {
	n = split(text, call, "{\"op\":\"")
	split("", made)
	split("", seen)
	for (i = 2; i <= n; i++) {
		match(call[i], /"api":"[^"]*"/)
		api[i] = unversioned(substr(call[i], RSTART + 7, RLENGTH - 8))
		head = index(call[i], "\"outputs\":[")
		rest = substr(call[i], head)
		head = substr(call[i], 1, head)
		while (match(head, /"ref":[0-9]+/)) {
			ref = substr(head, RSTART + 6, RLENGTH - 6)
			head = substr(head, RSTART + RLENGTH)
			if ((ref in made) && !((made[ref], i) in seen)) {
				seen[made[ref], i] = 1
				if (fired && n == 3)
					changed[api[made[ref]], api[i]] = 1
				edge[++edges] = api[made[ref]] "\t" api[i] "\t" line "\t" made[ref] - 2 "\t" i - 2
			}
		}
		while (match(rest, /"id":[0-9]+/)) {
			id = substr(rest, RSTART + 5, RLENGTH - 5)
			rest = substr(rest, RSTART + RLENGTH)
			made[id] = i
		}
	}
	return n - 1
}

# Sorts an array of n texts with merge sort: not every awk can sort.
function order(a, n,   width, low, middle, high, i, j, k, b) {
	for (width = 1; width < n; width *= 2) {
		for (low = 1; low <= n; low += 2 * width) {
			middle = low + width; high = middle + width
			if (middle > n + 1) middle = n + 1
			if (high > n + 1) high = n + 1
			i = low; j = middle
			for (k = low; k < high; k++)
				b[k] = (j >= high || (i < middle && a[i] "" <= a[j] "")) ? a[i++] : a[j++]
		}
		for (k = 1; k <= n; k++)
			a[k] = b[k]
	}
}

{
	before = firings
	while (match($0, /"passes":\[[^]]*\],/)) {
		n = split(substr($0, RSTART, RLENGTH), part, "\"")
		$0 = substr($0, 1, RSTART - 1) substr($0, RSTART + RLENGTH)
		for (i = 4; i < n; i += 2)
			fired[++firings] = part[i] "\t" sprintf("%06d", NR - 1)
	}
	framework = FILENAME
	sub(/\/[^\/]*$/, "", framework)
	sub(/.*\//, "", framework)
	calls = connect(NR - 1, $0, firings > before ? "fired" : "")
	length_of[NR] = calls
	row[NR] = "\"" framework "\", " number($0, "count") ", " calls
	gsub(/[{}]/, "&\n")
	gsub(/,"shape"/, "\n&")
	sub(/\n$/, "")
	words[NR] = split($0, word, "\n")
	for (i = 1; i <= words[NR]; i++) {
		if (!(word[i] in times)) {
			phrase[++phrases] = word[i]
		}
		times[word[i]]++
		text[NR, i] = word[i]
	}
}

END {
	for (i = 1; i <= phrases; i++)
		phrase[i] = sprintf("%09d\t%s", 999999999 - times[phrase[i]], phrase[i])
	order(phrase, phrases)
	print "static const char PHRASES[] ="
	for (i = 1; i <= phrases; i++) {
		sub(/^[0-9]+\t/, "", phrase[i])
		code[phrase[i]] = i - 1
		print "    \"" escape(phrase[i]) "\\0\""
	}
	print "    ;\nenum { NPHRASES = " phrases " };"
	print "static const uint8_t CODES[] = {"
	for (i = 1; i <= NR; i++) {
		start[i] = bytes + 0
		for (k = 1; k <= words[i]; k++)
			for (n = code[text[i, k]]; n >= 0; n = n < 128 ? -1 : int(n / 128)) {
				printf "%d,", n < 128 ? n : 128 + n % 128
				bytes++
			}
		print ""
	}
	print "0};\nstatic const line_row ROWS[] = {"
	for (i = 1; i <= NR; i++)
		printf "{%s, %d},\n", row[i], start[i]
	printf "{\"\", 0, 0, %d}};\n", bytes
	order(edge, edges)
	print "static const chain_edge EDGES[] = {"
	for (i = 1; i <= edges; i++) {
		split(edge[i], part, "\t")
		printf "{%d, %d, %d},\n", part[3], part[4], part[5]
		if (part[1] != from || part[2] != to)
			pair[++pairs] = api_number(from = part[1]) ", " api_number(to = part[2]) ", " ((from, to) in changed) ", " i - 1
	}
	print "{0, 0, 0}};"
	order(fired, firings)
	print "static const uint16_t FIRED[] = {"
	for (i = 1; i <= firings; i++) {
		split(fired[i], part, "\t")
		print part[2] + 0 ","
		if (part[1] != name) {
			starts[++passes] = i - 1
			shortest[passes] = 999
		}
		name = part[1]
		if (length_of[part[2] + 1] < shortest[passes])
			shortest[passes] = length_of[part[2] + 1]
	}
	print "0};\nstatic const line_pass PASSES[] = {"
	for (i = 1; i <= passes; i++)
		printf "{%d, %d},\n", starts[i], shortest[i]
	printf "{%d, 0}};\n", firings
	print "static const chain_pair PAIRS[] = {"
	for (i = 1; i <= pairs; i++)
		printf "{%s},\n", pair[i]
	printf "{0, 0, false, %d}};\nstatic const char *const APIS[] = {\n", edges
	for (i = 0; i < names; i++)
		printf "\"%s\",\n", name_of[i]
	print "\"\"};"
}
