#include "source.h"

#include <clang-c/Index.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

enum { FUNCTIONS = 4096, KIDS = 65536 };

struct source {
	const char *text;
	function *named[FUNCTIONS];
};

/* The slots of the current function's variables. */
typedef struct scope {
	const source *s;
	unsigned n, room;
	CXCursor *declared;
} scope;

static char *copy(CXString x)
{
	const char *text = clang_getCString(x);
	char *p = text ? memory_text(text) : memory_text("");
	clang_disposeString(x);
	return p;
}

static unsigned hash(const char *name)
{
	unsigned h = 5381;
	for (; *name; name++)
		h = 33 * h + (unsigned char)*name;
	return h % FUNCTIONS;
}

const function *source_find(const source *s, const char *name)
{
	for (const function *f = s->named[hash(name)]; f; f = f->next)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* ---- places in the text */

static unsigned offset(CXSourceLocation at)
{
	unsigned o;
	clang_getFileLocation(at, NULL, NULL, NULL, &o);
	return o;
}

static unsigned start_of(CXCursor c)
{
	return offset(clang_getRangeStart(clang_getCursorExtent(c)));
}

static unsigned end_of(CXCursor c)
{
	return offset(clang_getRangeEnd(clang_getCursorExtent(c)));
}

/* The operator's characters from one offset on, without spaces. */
static void operator_at(const source *s, unsigned from, unsigned to, char op[4])
{
	unsigned n = 0;
	for (unsigned i = from; i < to && n < 3; i++)
		if (!isspace((unsigned char)s->text[i]))
			op[n++] = s->text[i];
	op[n] = 0;
}

/* ---- types */

static void set_type(node *x, CXType t)
{
	t = clang_getCanonicalType(t);
	switch (t.kind) {
	case CXType_Bool: x->type = TYPE_BOOL; break;
	case CXType_Char_S: case CXType_SChar: case CXType_Short: case CXType_Int: case CXType_Long: case CXType_LongLong:
	case CXType_Int128:
		x->type = TYPE_SIGNED;
		break;
	case CXType_UChar: case CXType_UShort: case CXType_UInt: case CXType_ULong: case CXType_ULongLong: case CXType_UInt128:
		x->type = TYPE_UNSIGNED;
		break;
	case CXType_Pointer: x->type = TYPE_POINTER; break;
	case CXType_Record: x->type = TYPE_RECORD; break;
	case CXType_ConstantArray: case CXType_IncompleteArray: x->type = TYPE_ARRAY; break;
	default: x->type = TYPE_OTHER;
	}
	bool integer = x->type == TYPE_BOOL || x->type == TYPE_SIGNED || x->type == TYPE_UNSIGNED;
	x->bits = integer ? (uint8_t)(8 * clang_Type_getSizeOf(t)) : 0; /* libclang may crash on the size of other types */
}

/* ---- cursors */

typedef struct kids {
	CXCursor *c;
	unsigned n, room;
} kids;

static enum CXChildVisitResult collect(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	kids *k = data;
	if (k->n == k->room) {
		k->room = k->room ? 2 * k->room : 8;
		k->c = memory_grow(k->c, k->room, sizeof *k->c);
	}
	k->c[k->n++] = c;
	return CXChildVisit_Continue;
}

static kids kids_of(CXCursor c)
{
	kids k = {0};
	clang_visitChildren(c, collect, &k);
	return k;
}

static node *convert(scope *sc, CXCursor c);

static unsigned slot_of(scope *sc, CXCursor c)
{
	for (unsigned i = 0; i < sc->n; i++)
		if (clang_equalCursors(sc->declared[i], c))
			return i;
	if (sc->n == sc->room)
		sc->declared = memory_grow(sc->declared, sc->room = sc->room ? 2 * sc->room : 64, sizeof *sc->declared);
	sc->declared[sc->n] = c;
	return sc->n++;
}

static void take_kids(scope *sc, node *x, const kids *k)
{
	x->kid = memory_new(k->n + 1, sizeof *x->kid);
	for (unsigned i = 0; i < k->n; i++)
		if (clang_getCursorKind(k->c[i]) != CXCursor_TypeRef)
			x->kid[x->n++] = convert(sc, k->c[i]);
}

static void number(const source *s, node *x, CXCursor c)
{
	char *end;
	errno = 0;
	uint64_t value = strtoull(s->text + start_of(c), &end, 0);
	bool whole = end > s->text + start_of(c) && errno == 0 && value <= INT64_MAX;
	x->kind = whole ? NODE_NUMBER : NODE_OTHER;
	x->value = (int64_t)value;
}

/* A string: the text between the quotes of its parts, with escapes resolved. */
static void string(const source *s, node *x, CXCursor c)
{
	unsigned from = start_of(c), to = end_of(c), n = 0;
	char *text = memory_new(to - from + 1, 1);
	bool in = false;
	for (unsigned i = from; i < to; i++) {
		char a = s->text[i];
		if (a == '"')
			in = !in;
		else if (in && a == '\\' && isdigit((unsigned char)s->text[i + 1]))
			for (unsigned k = 0; k < 3 && s->text[i + 1] >= '0' && s->text[i + 1] <= '7'; k++, i++)
				text[n] = (char)(8 * text[n] + s->text[i + 1] - '0');
		else if (in)
			text[n] = a == '\\' ? s->text[++i] : a;
		if (in && a != '"')
			n++;
	}
	x->kind = NODE_TEXT;
	x->text = text;
}

static void reference(scope *sc, node *x, CXCursor c)
{
	CXCursor d = clang_getCursorReferenced(c);
	enum CXCursorKind kind = clang_getCursorKind(d);
	x->kind = NODE_OTHER;
	if (kind == CXCursor_FunctionDecl) {
		x->kind = NODE_FUNCTION;
		x->text = copy(clang_getCursorSpelling(d));
	} else if (kind == CXCursor_EnumConstantDecl) {
		x->kind = NODE_NUMBER;
		x->value = clang_getEnumConstantDeclValue(d);
	} else if (kind == CXCursor_ParmDecl || kind == CXCursor_VarDecl) {
		enum CXCursorKind where = clang_getCursorKind(clang_getCursorSemanticParent(d));
		x->kind = where == CXCursor_FunctionDecl ? NODE_VARIABLE : NODE_OTHER;
		x->slot = slot_of(sc, d);
	}
}

static void unary(scope *sc, node *x, CXCursor c, const kids *k)
{
	unsigned from = start_of(c), inner = k->n ? start_of(k->c[0]) : from;
	x->kind = k->n == 1 ? NODE_UNARY : NODE_OTHER;
	if (inner > from) {
		operator_at(sc->s, from, inner, x->op);
	} else if (k->n) {
		x->kind = NODE_AFTER;
		operator_at(sc->s, end_of(k->c[0]), end_of(c), x->op);
	}
}

/* sizeof of an expression, by its type. */
static void size(const source *s, node *x, CXCursor c, const kids *k)
{
	long long bytes = k->n ? clang_Type_getSizeOf(clang_getCursorType(k->c[k->n - 1])) : 0;
	x->kind = bytes > 0 && !strncmp(s->text + start_of(c), "sizeof", 6) ? NODE_SIZE : NODE_OTHER;
	x->value = bytes;
}

static void define(scope *sc, node *x, CXCursor c, const kids *k)
{
	CXType t = clang_getCursorType(c);
	x->kind = NODE_DEFINE;
	x->slot = slot_of(sc, c);
	set_type(x, t);
	x->kid = memory_new(1, sizeof *x->kid);
	for (unsigned i = 0; i < k->n; i++) {
		enum CXCursorKind kind = clang_getCursorKind(k->c[i]);
		bool bound = x->type == TYPE_ARRAY && kind == CXCursor_IntegerLiteral;
		if (clang_isExpression(kind) && !bound) {
			x->kid[0] = convert(sc, k->c[i]);
			x->n = 1;
		}
	}
}

static int plain_kind(enum CXCursorKind kind)
{
	switch (kind) {
	case CXCursor_CompoundStmt: case CXCursor_DeclStmt: return NODE_BLOCK;
	case CXCursor_IfStmt: return NODE_IF;
	case CXCursor_ForStmt: return NODE_FOR;
	case CXCursor_DoStmt: return NODE_DO;
	case CXCursor_ReturnStmt: return NODE_RETURN;
	case CXCursor_ContinueStmt: return NODE_CONTINUE;
	case CXCursor_NullStmt: return NODE_EMPTY;
	case CXCursor_CallExpr: return NODE_CALL;
	case CXCursor_ConditionalOperator: return NODE_CHOICE;
	case CXCursor_ArraySubscriptExpr: return NODE_INDEX;
	case CXCursor_InitListExpr: return NODE_LIST;
	case CXCursor_CStyleCastExpr: case CXCursor_UnexposedExpr: case CXCursor_ParenExpr: case CXCursor_CompoundLiteralExpr:
		return NODE_CAST;
	default: return NODE_OTHER;
	}
}

static node *convert(scope *sc, CXCursor c)
{
	node *x = memory_new(1, sizeof *x);
	enum CXCursorKind kind = clang_getCursorKind(c);
	kids k = kids_of(c);
	set_type(x, clang_getCursorType(c));
	switch (kind) {
	case CXCursor_IntegerLiteral: number(sc->s, x, c); break;
	case CXCursor_StringLiteral: string(sc->s, x, c); break;
	case CXCursor_DeclRefExpr: reference(sc, x, c); break;
	case CXCursor_UnaryExpr: size(sc->s, x, c, &k); break;
	case CXCursor_VarDecl: define(sc, x, c, &k); break;
	case CXCursor_MemberRefExpr:
		take_kids(sc, x, &k);
		x->kind = NODE_MEMBER;
		x->text = copy(clang_getCursorSpelling(c));
		break;
	case CXCursor_BinaryOperator: case CXCursor_CompoundAssignOperator:
		take_kids(sc, x, &k);
		if (k.n != 2)
			break;
		operator_at(sc->s, end_of(k.c[0]), start_of(k.c[1]), x->op);
		x->kind = kind == CXCursor_CompoundAssignOperator || !strcmp(x->op, "=") ? NODE_ASSIGN : NODE_BINARY;
		break;
	case CXCursor_UnaryOperator:
		take_kids(sc, x, &k);
		unary(sc, x, c, &k);
		break;
	default:
		take_kids(sc, x, &k);
		x->kind = (uint8_t)plain_kind(kind);
		if (x->kind == NODE_LIST && x->type == TYPE_ARRAY)
			x->value = clang_getArraySize(clang_getCursorType(c));
	}
	free(k.c);
	return x;
}

static enum CXChildVisitResult top(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	source *s = data;
	if (clang_getCursorKind(c) != CXCursor_FunctionDecl || !clang_isCursorDefinition(c))
		return CXChildVisit_Continue;
	scope *sc = memory_new(1, sizeof *sc);
	sc->s = s;
	function *f = memory_new(1, sizeof *f);
	f->name = copy(clang_getCursorSpelling(c));
	int n = clang_Cursor_getNumArguments(c);
	for (int i = 0; i < n; i++)
		slot_of(sc, clang_Cursor_getArgument(c, (unsigned)i));
	f->parameters = sc->n;
	kids k = kids_of(c);
	for (unsigned i = 0; i < k.n; i++)
		if (clang_getCursorKind(k.c[i]) == CXCursor_CompoundStmt)
			f->body = convert(sc, k.c[i]);
	free(k.c);
	f->slots = sc->n;
	free(sc->declared);
	free(sc);
	f->next = s->named[hash(f->name)];
	s->named[hash(f->name)] = f;
	return CXChildVisit_Continue;
}

source *source_parse(const char *text, size_t length, const char **why)
{
	static const char *const FLAGS[] = {"-x", "c", "-std=gnu11", "-w", "-fno-spell-checking"};
	struct CXUnsavedFile file = {"audited.c", text, length};
	CXIndex index = clang_createIndex(0, 0);
	CXTranslationUnit unit = clang_parseTranslationUnit(index, "audited.c", FLAGS, 5, &file, 1, CXTranslationUnit_None);
	*why = "libclang cannot read it";
	if (!unit)
		return NULL;
	for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
		CXDiagnostic d = clang_getDiagnostic(unit, i);
		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
			*why = copy(clang_getDiagnosticSpelling(d));
			return NULL;
		}
	}
	source *s = memory_new(1, sizeof *s);
	s->text = text;
	clang_visitChildren(clang_getTranslationUnitCursor(unit), top, s);
	return s;
}

/* ---- the preprocessor */

static char *read_all(int fd, size_t *length)
{
	size_t room = 1 << 20, n = 0;
	char *p = memory_new(room, 1);
	for (ssize_t got; (got = read(fd, p + n, room - n - 1)) > 0;) {
		n += (size_t)got;
		if (room - n < 4096)
			p = memory_grow(p, room *= 2, 1);
	}
	p[n] = 0;
	*length = n;
	return p;
}

static _Noreturn void preprocessor(const char *text, const char *base, const char *include, int out)
{
	FILE *f = tmpfile();
	const char *cc = getenv("AUDIT_CPP");
	if (!f || fputs(text, f) < 0 || fflush(f))
		_exit(127);
	dup2(out, 1);
	rewind(f);
	dup2(fileno(f), 0);
	execlp(cc ? cc : "cc", "cc", "-E", "-P", "-std=gnu11", "-x", "c", "-iquote", base, "-iquote", include, "-", (char *)NULL);
	_exit(127);
}

char *source_preprocess(const char *text, const char *base, const char *include, size_t *length)
{
	int ends[2], status;
	if (pipe(ends))
		return NULL;
	pid_t pid = fork();
	if (pid == 0)
		preprocessor(text, base, include, ends[1]);
	close(ends[1]);
	char *p = pid > 0 ? read_all(ends[0], length) : NULL;
	close(ends[0]);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
		return p;
	free(p);
	return NULL;
}
