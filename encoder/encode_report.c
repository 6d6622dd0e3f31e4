// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf/output.h"
#include "encode_report.h"
#include "image/identity.h"
#include "util/document.h"
#include "util/json.h"

/* From _text; in a relocatable file, from the start of the section.  NULL: there is no _text */
static json_t *make_offset(const struct encoding *e, const struct symbol *sym)
{
	if (!sym || (e->img->type != ET_REL && !e->syms->has_text))
		return json_null();
	return json_integer((json_int_t)(sym->address - e->syms->text_start));
}

static json_t *make_function(const struct encoding *e, const struct instance *in)
{
	const char *reason = in->reason != FUNC_ENCODED ? func_reasons[in->reason].name : NULL;
	const char *section = in->sym ? e->img->sections[in->sym->section].name : NULL;
	char address[32] = "";

	if (in->sym)
		snprintf(address, sizeof(address), "0x%" PRIx64, in->sym->address);
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:s?}",
			 "name", text_json(in->out.name),
			 "symbol", text_json(in->sym ? in->sym->name : NULL),
			 "section", text_json(e->img->type == ET_REL ? section : NULL),
			 "offset", make_offset(e, in->sym),
			 "code_section", text_json(section),
			 "address", in->sym ? json_string(address) : json_null(),
			 "file", text_json(encoding__file(e, in->facts.unit)),
			 "encoded", in->reason == FUNC_ENCODED, "reason", reason);
}

/* The results for FUNCs, if BTF was read. */
static void add_outcomes(const struct encoding *e, json_t *report)
{
	const struct funcs_read *funcs = &e->input.funcs;
	json_t *outcomes = json_object();

	for (enum read_outcome outcome = 0; outcome < NR_READ_OUTCOMES; outcome++)
		json_object_set_new(outcomes, read_outcomes[outcome].name,
				    json_integer(funcs->by_outcome[outcome]));
	json_object_set_new(report, "funcs_read", json_integer(funcs->nr));
	json_object_set_new(report, "funcs_moved", json_integer(funcs->moved));
	json_object_set_new(report, "funcs", outcomes);
}

static json_t *make_variable(const struct encoding *e, const struct decided_var *var)
{
	const char *reason = var->reason ? var_reasons[var->reason].name : NULL;
	char address[32];

	snprintf(address, sizeof(address), "0x%" PRIx64, var->address);
	return json_pack("{s:o, s:s?, s:o, s:o, s:b, s:s?}", "name", text_json(var->out.name),
			 "address", var->reason == VAR_LOCATION ? NULL : address, "data_section", text_json(var->out.section_name),
			 "file", text_json(encoding__file(e, var->unit)),
			 "encoded", !var->reason, "reason", reason);
}

static void add_variables(const struct encoding *e, json_t *report)
{
	json_t *skipped = json_object(), *variables = json_array();

	for (enum var_reason r = VAR_ENCODED + 1; r < NR_VAR_REASONS; r++)
		json_object_set_new(skipped, var_reasons[r].name,
				    json_integer(e->variables.by_reason[r]));
	for_each(var, &e->variables)
		json_array_append_new(variables, make_variable(e, var));
	json_object_set_new(report, "variables_encoded",
			    json_integer(e->variables.by_reason[VAR_ENCODED]));
	json_object_set_new(report, "variables_skipped", skipped);
	json_object_set_new(report, "variables", variables);
}

static json_t *make_report(const struct encoding *e)
{
	const struct instances *in = &e->instances;
	json_t *skipped = json_object(), *functions = json_array(), *report;

	for (enum func_reason r = FUNC_ENCODED + 1; r < NR_FUNC_REASONS; r++)
		json_object_set_new(skipped, func_reasons[r].name, json_integer(in->by_reason[r]));
	for_each(inst, in)
		json_array_append_new(functions, make_function(e, inst));
	report = json_pack("{s:s, s:i}", "format", "report", "version", DOCUMENT_VERSION);
	json_object_update_missing_new(report, image__head(e->img));
	json_object_update_missing_new(report, json_pack("{s:i, s:i, s:o, s:i, s:n, s:n, s:n, s:o}",
		"instances", in->nr, "encoded", in->order.nr, "skipped", skipped,
		"bodies_without_symbol", in->bodies_without_symbol,
		"funcs_read", "funcs_moved", "funcs", "functions", functions));
	add_variables(e, report);
	if (e->opts.from_btf)
		add_outcomes(e, report);
	return report;
}

int report__write(const struct encoding *e, const char *path)
{
	json_t *report = make_report(e);
	char *text = json_dumps(report, TEXT_JSON | JSON_INDENT(1));
	size_t len = strlen(text);
	int err;

	json_decref(report);
	/* replace the NUL by a newline */
	text[len] = '\n';
	err = output__file(path, text, len + 1);
	free(text);
	return err;
}
