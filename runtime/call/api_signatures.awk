# Signatures for the library: overloads separated by '|', a tab, and the APIs that have these, each between spaces.
# usage: awk -f api_signatures.awk traces/*/SIGNATURES.tsv
BEGIN { FS = "\t" }
FNR == 1 { next }
$1 in text { text[$1] = text[$1] "|" $2; next }
{ text[$1] = $2; order[++n] = $1 }
END {
	for (i = 1; i <= n; i++) {
		if (!(text[order[i]] in apis))
			lines[++m] = text[order[i]]
		apis[text[order[i]]] = apis[text[order[i]]] " " order[i]
	}
	for (i = 1; i <= m; i++)
		printf "%s\t%s \n", lines[i], apis[lines[i]]
}
