// SPDX-License-Identifier: GPL-2.0-only
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/document.h"
#include "util/grow.h"
#include "util/json.h"
#include "util/macros.h"
#include "util/memory.h"
#include "util/msg.h"
#include "util/text.h"

static bool used, begun, has_rows;
static json_t *subject;

/** struct message - a warning, or a line of the error */
struct message {
	enum msg_level	level;
	char		*text;
};

static VECTOR(struct message) messages;

static void add_message(enum msg_level level, const char *text)
{
	push(&messages, (struct message){ level, xstrdup(text) });
}

/* Print a document for lack of memory, without using any. Return: false if it cannot be printed. */
static bool print_lack(void)
{
	/* several threads may lack memory */
	static atomic_bool printed;

	if (!used || begun || atomic_exchange(&printed, true))
		return false;
	dprintf(STDOUT_FILENO, "{\"format\": \"error\",\n\"version\": %d,\n\"build_id\": null,\n\"module\": null,\n"
		"\"warnings\": [],\n\"error\": \"out of memory\"}\n", DOCUMENT_VERSION);
	return true;
}

void document__use(void)
{
	used = true;
	msg_collect(add_message);
	memory__on_lack(print_lack);
}

bool document__is_used(void)
{
	return used;
}

/* Errors are detected when the stream is closed. */
static void put_value(json_t *value)
{
	json_dumpf(value, stdout, TEXT_JSON | JSON_ENCODE_ANY);
	json_decref(value);
}

static void put_start(const char *format)
{
	printf("{\"format\": \"%s\",\n\"version\": %d", format, DOCUMENT_VERSION);
	begun = true;
}

/* @head: released */
static void put_members(json_t *head)
{
	const char *key;
	json_t *value;

	json_object_foreach(head, key, value) {
		printf(",\n\"%s\": ", key);
		put_value(json_incref(value));
	}
	json_decref(head);
}

void document__identify(json_t *head)
{
	json_decref(subject);
	subject = head;
}

void document__begin(const char *format, json_t *head)
{
	put_start(format);
	put_members(head);
	printf(",\n\"%s\": [", format);
	has_rows = true;
}

void document__add(json_t *row)
{
	static bool follows;

	fputs(follows ? ",\n" : "\n", stdout);
	follows = true;
	put_value(row);
}

static json_t *make_warnings(void)
{
	json_t *ret = json_array();

	for_each(msg, &messages)
		if (msg->level != MSG_QUIET)
			json_array_append_new(ret, text_json(msg->text));
	return ret;
}

/* All lines as one text */
static json_t *make_error(void)
{
	char *text __cleanup(free_pointer) = NULL;

	for_each(msg, &messages)
		if (msg->level == MSG_QUIET)
			xappend(&text, "%s%s", text ? "\n" : "", msg->text);
	return text_json(text);
}

void document__end(void)
{
	if (!used)
		return;
	if (!begun) {
		put_start("error");
		put_members(subject ?: json_pack("{s:n, s:n}", "build_id", "module"));
		subject = NULL;
	}
	fputs(has_rows ? "\n],\n\"warnings\": " : ",\n\"warnings\": ", stdout);
	put_value(make_warnings());
	fputs(",\n\"error\": ", stdout);
	put_value(make_error());
	fputs("}\n", stdout);
	used = false;
	/* it is an error if this does not reach stdout */
	msg_collect(NULL);
}
