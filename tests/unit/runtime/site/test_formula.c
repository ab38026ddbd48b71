/* The notation of pages as MathML, and C with marks; anybody's text is text in both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "formula.h"
#include "highlight.h"

#define SUB(name) "<msub><mpadded height=\"0.7em\" depth=\"0.1em\"><mi>" name "</mi></mpadded>"

static void assert_text(buf *b, const char *wanted)
{
	assert_string_equal(b->text ? b->text : "", wanted);
	buf_free(b);
}

static void said_as(const char *text, const char *wanted)
{
	buf b = {0};
	formula_put(&b, text);
	assert_text(&b, wanted);
}

static void formulas(void **state)
{
	(void)state;
	said_as("kernel_size > 0", "<math><mi>kernel_size</mi><mo>&gt;</mo><mn>0</mn></math>");
	said_as("out[i] = x[i] for the last 2 i",
	    "<math>" SUB("out") "<mrow><mi>i</mi></mrow></msub><mo>=</mo>" SUB("x") "<mrow><mi>i</mi></mrow></msub></math>"
	    " <span class=\"tail\">for the last 2 i</span>");
	said_as("x[1][2] <= a.low", "<math>" SUB("x") "<mrow><mn>1</mn><mo>,</mo><mn>2</mn></mrow></msub><mo>&le;</mo><mi>a.low</mi></math>");
	said_as("stride == 1 if padding = 'same'",
	    "<math><mi>stride</mi><mo>=</mo><mn>1</mn></math> <span class=\"tail\">if padding = &#39;same&#39;</span>");
	said_as("out[i] = a if b > 0 else c if dim is omitted",
	    "<math>" SUB("out") "<mrow><mi>i</mi></mrow></msub><mo>=</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mtext>if&nbsp;</mtext><mi>b</mi><mo>&gt;</mo>"
	    "<mn>0</mn></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></math>"
	    " <span class=\"tail\">if dim is omitted</span>");
	said_as("a == b or a == 1", "<math><mi>a</mi><mo>=</mo><mi>b</mi><mtext>&nbsp;or&nbsp;</mtext><mi>a</mi><mo>=</mo><mn>1</mn></math>");
	said_as("numel(x) == 2*a%b",
	    "<math><mrow><mi>numel</mi><mo>&#8289;</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow><mo>=</mo><mn>2</mn><mo>&sdot;</mo>"
	    "<mi>a</mi><mo lspace=\"0.3em\" rspace=\"0.3em\">mod</mo><mi>b</mi></math>");
}

static void fractions(void **state)
{
	(void)state;
	said_as("(s - k)//t + 1",
	    "<math><mrow><mo>&lfloor;</mo><mfrac><mrow><mi>s</mi><mo>&minus;</mo><mi>k</mi></mrow><mrow><mi>t</mi></mrow></mfrac><mo>&rfloor;</mo>"
	    "</mrow><mo>+</mo><mn>1</mn></math>");
	/* The parentheses of one factor of two are needed. */
	said_as("2*(a)//(b)",
	    "<math><mrow><mo>&lfloor;</mo><mfrac><mrow><mn>2</mn><mo>&sdot;</mo><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow></mrow><mrow><mi>b</mi>"
	    "</mrow></mfrac><mo>&rfloor;</mo></mrow></math>");
}

static void two_cases(void **state)
{
	(void)state;
	said_as("o = a if b == -1 else c",
	    "<math><mi>o</mi><mo>=</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mtext>if&nbsp;</mtext><mi>b</mi><mo>=</mo>"
	    "<mo form=\"prefix\">&minus;</mo><mn>1</mn></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></math>");
}

/* What is not of the notation stands as it is, and is no markup. */
static void others(void **state)
{
	(void)state;
	said_as("out is another in -3, -7", "<span>out is another in -3, -7</span>");
	said_as("<script>alert(1)</script>", "<span>&lt;script&gt;alert(1)&lt;/script&gt;</span>");
	said_as("a > 0 for <b>", "<math><mi>a</mi><mo>&gt;</mo><mn>0</mn></math> <span class=\"tail\">for &lt;b&gt;</span>");
	said_as("x == '<i>'", "<math><mi>x</mi><mo>=</mo><mtext>&#39;&lt;i&gt;&#39;</mtext></math>");
	static const char *const BROKEN[] = {"", "a[", "a[]", "f(", "f(a", "(a", "a if", "a if +", "a +", "a //", "'", "a == == b", "-", "a[:", "f(a,",
	    "f(a b)", "a[1:2", "a[:] without", "x without [", "x without [1", "and", "a or", "1.", "a.", "a..b", "a === b", "a /// b", "a <== b",
	    "a if b else", "max(a, )", "(a, b)"};
	for (size_t i = 0; i < sizeof BROKEN / sizeof *BROKEN; i++) {
		buf b = {0};
		formula_put(&b, BROKEN[i]);
		if (strncmp(b.text, "<span>", 6) != 0)
			fail_msg("%s: %s", BROKEN[i], b.text);
		buf_free(&b);
	}
	char deep[4001];
	memset(deep, '(', 4000);
	deep[4000] = 0;
	buf b = {0};
	formula_put(&b, deep);
	assert_int_equal(strncmp(b.text, "<span>((", 8), 0);
	buf_free(&b);
}

static void marks(void **state)
{
	(void)state;
	buf b = {0};
	highlight_put(&b, "static int f(a) /* <b> */\n\treturn \"<i>\" & 1;");
	assert_text(&b, "<b>static</b> <b>int</b> <u>f</u>(a) <i>/* &lt;b&gt; */</i>\n\t<b>return</b> &quot;&lt;i&gt;&quot; &amp; 1;");
	highlight_put(&b, "/* without an end <");
	assert_text(&b, "<i>/* without an end &lt;</i>");
	highlight_put(&b, "\"also <\n\"\\");
	assert_text(&b, "&quot;also &lt;\n&quot;\\");
	assert_string_equal(highlight_body("/* a */ /* b\n */\n#include"), "#include");
	assert_string_equal(highlight_body("/* a"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(formulas), cmocka_unit_test(fractions), cmocka_unit_test(two_cases),
	    cmocka_unit_test(others), cmocka_unit_test(marks)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
