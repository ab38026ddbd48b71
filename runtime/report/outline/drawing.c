#include "drawing.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"

/* A box is an input, a call, or a result of the model. */
typedef struct box {
	int32_t input, node, result; /* index in the outline; -1 for the other two kinds */
	int layer;
	double x, y, width; /* x of the middle, y of the top */
	double wish;	    /* preferred x: the mean of its inputs */
	const char *text;
} box;

typedef struct sheet {
	const outline *o;
	box *boxes;
	int nboxes;
	int *of_tensor; /* the box that produces a tensor */
	int layers;
	double width;
	arena *a;
	buf *out;
} sheet;

enum { ROW = 86, BOX = 30, MARGIN = 16, GAP = 26, LETTER = 8, SMALL = 7, LONGEST = 30, LABEL = 40 };

const char DRAWING_STYLE[] =
    ".model{max-width:100%;width:auto;height:auto}.model .call{fill:var(--card);stroke:var(--c0);stroke-width:1.5}"
    ".model .in{fill:var(--page);stroke:var(--axis)}.model .out{fill:none;stroke:none}"
    ".model path{fill:none;stroke:var(--axis);stroke-width:1.3}.model .tip{fill:var(--axis);stroke:none}"
    ".model text{text-anchor:middle;font:12.5px ui-monospace,'DejaVu Sans Mono',monospace}"
    ".model .shape{font-size:11px;fill:var(--soft);paint-order:stroke;stroke:var(--card);stroke-width:4px}\n";

/* ---- boxes */

static const char *tensor_text(sheet *s, int32_t tensor)
{
	return arena_printf(s->a, "t%" PRId64, s->o->tensors[tensor].id);
}

/* The width of a shape label, in columns. */
static int label_columns(const sheet *s, int32_t tensor)
{
	buf type = {0};
	outline_type(&s->o->tensors[tensor], &type);
	int columns = type.text ? escape_columns(type.text) : 0;
	buf_free(&type);
	return columns < LABEL ? columns : LABEL;
}

/* The width that a box needs so that the labels of its inputs fit side by side above it. */
static double room_for_labels(const sheet *s, const int32_t *tensors, int32_t n)
{
	int widest = 0;
	for (int32_t i = 0; i < n; i++)
		if (label_columns(s, tensors[i]) > widest)
			widest = label_columns(s, tensors[i]);
	return (n + 1.0) * (widest * SMALL + 8) * (n > 1);
}

static void add(sheet *s, int32_t input, int32_t node, int32_t result, int layer, const char *text)
{
	int columns = text ? escape_columns(text) : 0;
	if (columns > LONGEST)
		columns = LONGEST;
	s->boxes[s->nboxes++] = (box){.input = input,
	    .node = node,
	    .result = result,
	    .layer = layer,
	    .width = columns * LETTER + 22,
	    .text = text ? text : ""};
	box *b = &s->boxes[s->nboxes - 1];
	double labels = node >= 0	? room_for_labels(s, s->o->nodes[node].uses, s->o->nodes[node].nuses)
			: result >= 0 ? label_columns(s, result) * SMALL + 8
				      : 0;
	if (labels > b->width)
		b->width = labels;
	if (layer >= s->layers)
		s->layers = layer + 1;
}

/* Layers: a call below all its inputs, a model input right above its first use, a result below its producer. */
static bool add_boxes(sheet *s)
{
	const outline *o = s->o;
	int *layers = ARENA_ARRAY(s->a, int, o->ntensors + 1), *nodes = ARENA_ARRAY(s->a, int, o->nnodes + 1);
	if (!layers || !nodes)
		return false;
	for (int32_t i = 0; i < o->nnodes; i++) {
		const outline_node *n = &o->nodes[i];
		nodes[i] = 1;
		for (int32_t k = 0; k < n->nuses; k++)
			if (layers[n->uses[k]] >= nodes[i])
				nodes[i] = layers[n->uses[k]] + 1;
		for (int32_t k = 0; k < n->noutputs; k++)
			layers[n->first + k] = nodes[i];
	}
	for (int32_t i = 0; i < o->ninputs; i++) {
		int above = -1, turn = 0, first = 0;
		for (int32_t k = 0; k < o->nnodes; k++)
			for (int32_t u = 0; u < o->nodes[k].nuses; u++, turn++)
				if (o->nodes[k].uses[u] == i && (above < 0 || nodes[k] - 1 < above)) {
					above = nodes[k] - 1;
					first = turn;
				}
		s->of_tensor[i] = s->nboxes;
		add(s, i, -1, -1, above < 0 ? 0 : above, tensor_text(s, i));
		s->boxes[s->nboxes - 1].x = first; /* in the order of first use */
	}
	for (int32_t i = 0; i < o->nnodes; i++) {
		for (int32_t k = 0; k < o->nodes[i].noutputs; k++)
			s->of_tensor[o->nodes[i].first + k] = s->nboxes;
		add(s, -1, i, -1, nodes[i], o->nodes[i].api);
	}
	for (int32_t i = 0; i < o->ntensors; i++)
		if (o->tensors[i].result)
			add(s, -1, -1, i, s->boxes[s->of_tensor[i]].layer + 1, tensor_text(s, i));
	return true;
}

/* ---- places */

static double wish_of(const sheet *s, const box *b)
{
	double sum = 0;
	int n = 0;
	if (b->result >= 0)
		return s->boxes[s->of_tensor[b->result]].x;
	if (b->node < 0)
		return b->x;
	const outline_node *node = &s->o->nodes[b->node];
	for (int32_t k = 0; k < node->nuses; k++, n++)
		sum += s->boxes[s->of_tensor[node->uses[k]]].x;
	return n ? sum / n : b->x;
}

/* Sorts the boxes of a layer by preferred x into place[]; returns their number. */
static int sort_layer(sheet *s, int layer, int *place)
{
	int n = 0;
	for (int i = 0; i < s->nboxes; i++) {
		if (s->boxes[i].layer != layer)
			continue;
		s->boxes[i].wish = wish_of(s, &s->boxes[i]);
		int at = n++;
		for (; at > 0 && s->boxes[place[at - 1]].wish > s->boxes[i].wish; at--)
			place[at] = place[at - 1];
		place[at] = i;
	}
	return n;
}

/* Places the boxes of a layer side by side around the middle, so that most stand below their inputs. */
static void place_layer(sheet *s, int layer)
{
	int place[3 * DRAWING_MOST + 1];
	int n = sort_layer(s, layer, place);
	double width = -GAP;
	for (int i = 0; i < n; i++)
		width += s->boxes[place[i]].width + GAP;
	double x = -width / 2;
	for (int i = 0; i < n; i++) {
		box *b = &s->boxes[place[i]];
		b->x = x + b->width / 2;
		b->y = MARGIN + layer * ROW;
		x += b->width + GAP;
	}
	if (width > s->width)
		s->width = width;
}

/* ---- marks */

static void put_box(sheet *s, const box *b)
{
	const char *kind = b->node >= 0 ? "call" : b->input >= 0 ? "in" : "out";
	bool constant = b->input >= 0 && s->o->tensors[b->input].constant;
	buf_printf(s->out, "<g><rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"%d\"%s/>", kind,
	    b->x - b->width / 2, b->y, b->width, BOX, b->node >= 0 ? 6 : 15,
	    constant ? " stroke-dasharray=\"4 3\"" : "");
	buf_printf(s->out, "<text x=\"%.1f\" y=\"%.1f\">", b->x, b->y + 19.5);
	buf shown = {0};
	escape_fit(&shown, b->text, LONGEST, false);
	escape_markup(s->out, buf_text(&shown));
	buf_puts(s->out, "</text><title>");
	escape_markup_cut(s->out, b->text, 400);
	if (b->node >= 0) {
		buf_putc(s->out, '(');
		escape_markup_cut(s->out, s->o->nodes[b->node].arguments, 400);
		buf_putc(s->out, ')');
	} else if (constant) {
		buf_puts(s->out, ", a constant");
	}
	buf_puts(s->out, "</title></g>\n");
	buf_free(&shown);
}

/* From the producer of a tensor to port `port` of `ports` of a box that uses it. */
static void put_edge(sheet *s, int32_t tensor, const box *to, int port, int ports, buf *labels)
{
	const box *from = &s->boxes[s->of_tensor[tensor]];
	double x0 = from->x, y0 = from->y + BOX, y1 = to->y - 5;
	double x1 = to->x + to->width * ((port + 1.0) / (ports + 1.0) - 0.5), bend = (y1 - y0) * 0.5;
	int outputs = from->node >= 0 ? s->o->nodes[from->node].noutputs : 1;
	if (outputs > 1)
		x0 += from->width * ((tensor - s->o->nodes[from->node].first + 1.0) / (outputs + 1.0) - 0.5);
	buf_printf(s->out, "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>", x0, y0, x0, y0 + bend, x1, y1 - bend, x1, y1);
	buf_printf(s->out, "<path class=\"tip\" d=\"M%.1f %.1fl-4 -7h8z\"/>\n", x1, y1 + 4);
	buf type = {0};
	outline_type(&s->o->tensors[tensor], &type);
	buf_printf(labels, "<text class=\"shape\" x=\"%.1f\" y=\"%.1f\">", x1, y1 - 14);
	buf shown = {0};
	escape_fit(&shown, buf_text(&type), LABEL, false);
	escape_markup(labels, buf_text(&shown));
	buf_free(&shown);
	buf_puts(labels, "</text>\n");
	buf_free(&type);
}

static void put_edges(sheet *s, buf *labels)
{
	for (int i = 0; i < s->nboxes; i++) {
		const box *b = &s->boxes[i];
		if (b->result >= 0)
			put_edge(s, b->result, b, 0, 1, labels);
		for (int32_t k = 0; b->node >= 0 && k < s->o->nodes[b->node].nuses; k++)
			put_edge(s, s->o->nodes[b->node].uses[k], b, k, s->o->nodes[b->node].nuses, labels);
	}
}

bool drawing_print(const outline *o, arena *a, buf *out)
{
	buf labels = {0};
	sheet s = {.o = o, .a = a, .out = out, .width = 120};
	if (o->ninputs + o->nnodes > DRAWING_MOST || o->ntensors > 2 * DRAWING_MOST || o->nnodes == 0)
		return false;
	s.boxes = ARENA_ARRAY(a, box, o->ninputs + o->nnodes + o->ntensors + 1);
	s.of_tensor = ARENA_ARRAY(a, int, o->ntensors + 1);
	if (!s.boxes || !s.of_tensor || !add_boxes(&s))
		return false;
	for (int i = 0; i < s.layers; i++)
		place_layer(&s, i);
	double width = s.width + 2 * MARGIN + 60, height = MARGIN * 2 + (s.layers - 1) * ROW + BOX;
	buf_printf(out,
	    "<svg class=\"model\" role=\"img\" aria-label=\"the model\" width=\"%.0f\" height=\"%.0f\" viewBox=\"%.1f 0 %.1f "
	    "%.1f\">\n",
	    width, height, -width / 2, width, height);
	put_edges(&s, &labels);
	for (int i = 0; i < s.nboxes; i++)
		put_box(&s, &s.boxes[i]);
	buf_puts(out, buf_text(&labels));
	buf_puts(out, "</svg>\n");
	buf_free(&labels);
	return !out->failed;
}
