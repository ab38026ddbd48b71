# The table of operations (synth/rule/ops.h): an operation without a row, or a row with a missing part, must not
# compile, and the compiler must name the missing part. The test copies and changes the table's folder and
# compiles its users with the copy first on the include path.
. tests/cli/tap.sh
here=$PWD
dirs='runtime/include runtime/base synth/records synth/memory synth/search synth/clauses synth/proof synth/transfer synth/refine synth/baseline synth/run synth codegen codegen/sampler'
start() { rm -rf "$tmp/rule" && cp -r "$here/synth/rule" "$tmp/rule"; }
compile() { # compile FILE: as the Makefile does, with the changed table
	flags=
	for d in $dirs; do flags="$flags -iquote $here/$d"; done
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror=switch -Werror=implicit-function-declaration -D_GNU_SOURCE -iquote "$tmp/rule" $flags -fsyntax-only "$1"
}
# An operation beside MAX with a complete row.
row='	ARITH(POW, pow, "**", INFIX, LEVEL_PRODUCT, false, false, 20, 15, 14, "power", P_PRIMARY) \\'
add_row() { sed "/^	ARITH(MOD,/i\\
$1" "$here/synth/rule/ops.h" >"$tmp/rule/ops.h"; }
lacks() { # lacks WHAT PATTERN FILE: compilation fails, and a line of the compiler's output matches
	if LC_ALL=C compile "$3" >"$tmp/said" 2>&1; then
		not_ok "$1 (it compiles)"
	elif grep 'error' "$tmp/said" | grep -qE -- "$2"; then
		ok "$1"
	else
		not_ok "$1 (wanted /$2/)"
		grep error "$tmp/said" | sed 's/^/# /' | head
	fi
}

start
for f in "$tmp/rule/ops.c" "$tmp/rule/expr.c" "$here/synth/prove.c" "$here/synth/search/column.c" \
    "$here/synth/search/enumerate.c" "$here/synth/baseline/bank_column.c" "$here/synth/baseline/bank_count.c" \
    "$here/synth/clauses/literal.c" "$here/codegen/lower.c" "$here/codegen/sampler/sampler_program.c"; do
	check "$(basename "$f") compiles with the table as it is" compile "$f"
done

add_row "$row"
check "a complete row compiles" compile "$tmp/rule/ops.c"
lacks "a new operation needs a meaning" 'checked_pow' "$tmp/rule/expr.c"
lacks "… a Z3 term" 'z3_pow' "$here/synth/prove.c"
lacks "… whether it is linear" "OP_POW.* not handled in switch" "$here/synth/prove.c"
lacks "… a sampler instruction" "OP_POW.* not handled in switch" "$here/codegen/sampler/sampler_program.c"
lacks "… an interval" 'interval_pow' "$here/codegen/lower.c"
lacks "… a meaning on columns" 'checked_pow' "$here/synth/search/column.c"
lacks "… a place in the enumeration's order" 'an operation is not tried' "$here/synth/search/enumerate.c"
lacks "… a place in the literals' order" 'an operation is not tried' "$here/synth/clauses/literal.c"
lacks "… a kernel of the bank" 'value_pow' "$here/synth/baseline/bank_column.c"
lacks "… a pair operation of the bank" "an operation is none of a pair" "$here/synth/baseline/bank_column.c"
lacks "… its own counts in Table 5" 'seven operations' "$here/synth/baseline/bank_count.c"
case $(uname -m) in
x86_64) lacks "… vectors" 'lanes_pow' "$here/synth/search/column.c"
	lacks "… the bits of their operands" 'NARROW_POW' "$here/synth/search/column.c" ;;
*) ok "… vectors # SKIP no AVX2 here" ;;
esac

part() { # part WHAT CELL: the row without that cell's text
	add_row "$(printf '%s' "$row" | sed "s/ $2,/ ,/")"
	lacks "a row needs $1" "the operation POW has no $1" "$tmp/rule/ops.c"
}
part 'text' '"\*\*"'
part 'form' 'INFIX'
part 'level' 'LEVEL_PRODUCT'
part 'cost in outputs' '20'
part 'cost in literals' '15'
part 'cost in pooled clauses' '14'
part 'C text' '"power"'
add_row "$(printf '%s' "$row" | sed 's/ P_PRIMARY)/ )/')"
lacks "a row needs C precedence" 'the operation POW has no C precedence' "$tmp/rule/ops.c"
part 'answer whether it commutes' 'false'
add_row "$(printf '%s' "$row" | sed 's/ 20,//')"
lacks "a row needs all of its cells" 'requires 12 arguments, but only 11|too few arguments' "$tmp/rule/ops.c"
add_row "$(printf '%s' "$row" | sed 's/LEVEL_PRODUCT/LEVEL_AND/')"
lacks "the parser must read an operation's level" 'the operation POW is of a level' "$tmp/rule/ops.c"

sed 's/CONNECTIVE_OPS(X)$/CONNECTIVE_OPS(X) OP_POW,/' "$here/synth/rule/ops.h" >"$tmp/rule/ops.h"
for f in "$tmp/rule/expr.c" "$here/synth/prove.c" "$here/synth/search/column.c"; do
	lacks "an operation without a row is not known to $(basename "$f")" "OP_POW.* not handled in switch" "$f"
done
start
sed 's/NE,     EQ,      LE,  GE,    0, /NE,     EQ,      LE,  GE,    , /' "$here/synth/rule/ops.h" >"$tmp/rule/ops.h"
lacks "a comparison needs a cost" 'the operation EQ has no cost in literals' "$tmp/rule/ops.c"

# A derived operation (tests/data/toys/operation.def) is one row.
derived() { # derived SED: the table with the toy row, changed
	start
	sed '/^#define DERIVED_OPS/r tests/data/toys/operation.def' "$here/synth/rule/ops.h" | sed "/DERIVED(round_up/$1" >"$tmp/rule/ops.h"
}
round_trip() {
	flags=
	for d in $dirs; do flags="$flags -iquote $here/$d"; done
	${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -D_GNU_SOURCE -iquote "$tmp/rule" $flags -o "$tmp/round_trip" tests/data/toys/round_trip.c \
		"$tmp/rule/expr.c" "$tmp/rule/ops.c" synth/memory/need.c runtime/base/arena.c runtime/base/buf.c runtime/base/diag.c \
		runtime/base/memory.c
}
reads() { # reads TEXT PRINTED VALUE
	got=$("$tmp/round_trip" "$1")
	check "… $1" test "$got" = "$2 = $3"
}
derived 's/x/x/'
check "a derived operation is one row" round_trip
for f in synth/prove.c synth/search/column.c synth/search/enumerate.c synth/clauses/literal.c codegen/lower.c; do
	check "… without a part in $(basename $f)" compile "$here/$f"
done
reads 'round_up(s0, s1)' 'round_up(s0, s1)' 9
reads 'round_up(s0 + 1, 2)*s1' 'round_up(s0 + 1, 2)*s1' 24
reads '(0 - (0 - s0)//s1)*s1' 'round_up(s0, s1)' 9
reads '(0 - (0 - s0)//s1)*s0' '(0 - (0 - s0)//s1)*s0' 21
reads '(0 - (0 - s0)//s1)*2' '(0 - (0 - s0)//s1)*2' 6
reads 'round_up(s0, 0)' 'round_up(s0, 0)' none
check "… with two operands" test "$("$tmp/round_trip" 'round_up(s0)')" = error
derived 's/false, 24/false, /'
lacks "… and needs a cost" 'the operation round_up has no cost in outputs' "$tmp/rule/ops.c"
derived 's/APPLY(DIV/APPLY(POW/'
lacks "… defined by other operations" 'OP_POW. undeclared' "$tmp/rule/expr.c"
echo "1..$n"
