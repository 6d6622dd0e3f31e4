// SPDX-License-Identifier: GPL-2.0-only
#include "dwarf/lines.h"
#include "util/macros.h"

/* Opcodes (DWARF 5, 7.22) */
enum {
	DW_LNS_copy = 1, DW_LNS_advance_pc, DW_LNS_advance_line, DW_LNS_set_file,
	DW_LNS_const_add_pc = 8, DW_LNS_fixed_advance_pc,
	DW_LNE_end_sequence = 1, DW_LNE_set_address,
};

/**
 * struct line_row - the registers (6.2.2) that are used
 * @valid:	a row was appended, and the sequence has not ended
 */
struct line_row {
	uint64_t	address;
	uint64_t	file;
	uint32_t	line;
	bool		valid;
};

/* Limit for finding the same place repeatedly, because sequences overlap. */
#define MAX_TIMES	16

/**
 * struct line_run - a program that is run
 * @left:	number of places that may still be found
 * @last:	the last row that was appended
 */
struct line_run {
	const struct line_program *program;
	struct line_place	*places;
	uint32_t		nr;
	uint64_t		left;
	struct line_row		row, last;
};

static void start_sequence(struct line_run *run)
{
	run->row = (struct line_row){ .file = 1, .line = 1 };
	run->last.valid = false;
}

/* Append a row: the last one has the instructions up to it. */
static void append_row(struct line_run *run)
{
	const struct line_row *last = &run->last;
	uint32_t i = !last->valid ? run->nr :
		     first_not_before(at, run->nr, run->places[at].address < last->address);

	for (; i < run->nr && run->places[i].address < run->row.address && run->left; i++) {
		run->places[i].file = last->file;
		run->places[i].line = last->line;
		run->left--;
	}
	run->last = run->row;
	run->last.valid = true;
}

static void advance_address(struct line_run *run, uint64_t operations)
{
	run->row.address += operations * run->program->min_length;
}

/* A special opcode, without 'opcode_base' */
static void run_special(struct line_run *run, uint8_t opcode)
{
	advance_address(run, opcode / run->program->line_range);
	run->row.line += run->program->line_base + opcode % run->program->line_range;
}

static void run_extended(struct line_run *run, struct cursor *c)
{
	uint64_t len = cursor__uleb(c);
	struct cursor operands = cursor__sub(c, len);

	switch (cursor__u8(&operands)) {
	case DW_LNE_end_sequence:
		append_row(run);
		start_sequence(run);
		break;
	case DW_LNE_set_address:
		run->row.address = cursor__uint(&operands, cursor__left(&operands));
		break;
	}
}

static void run_standard(struct line_run *run, struct cursor *c, uint8_t opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		append_row(run);
		break;
	case DW_LNS_advance_pc:
		advance_address(run, cursor__uleb(c));
		break;
	case DW_LNS_advance_line:
		run->row.line += cursor__sleb(c);
		break;
	case DW_LNS_set_file:
		run->row.file = cursor__uleb(c);
		break;
	case DW_LNS_const_add_pc:
		advance_address(run, (255 - run->program->opcode_base) / run->program->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		run->row.address += cursor__u16(c);
		break;
	default:
		for (uint8_t i = 0; i < run->program->nr_operands[opcode - 1]; i++)
			cursor__uleb(c);
	}
}

void lines__find(const struct files *files, struct line_place *places, uint32_t nr)
{
	const struct line_program *p = &files->program;
	struct line_run run = { .program = p, .places = places, .nr = nr,
				.left = (uint64_t)nr * MAX_TIMES };
	struct cursor c = p->opcodes;

	start_sequence(&run);
	while (p->line_range && cursor__left(&c)) {
		uint8_t opcode = cursor__u8(&c);

		if (opcode >= p->opcode_base) {
			run_special(&run, opcode - p->opcode_base);
			append_row(&run);
		} else if (opcode) {
			run_standard(&run, &c, opcode);
		} else {
			run_extended(&run, &c);
		}
	}
}
