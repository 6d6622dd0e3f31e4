/* SPDX-License-Identifier: GPL-2.0-only */
/* Included by the units of a random program. */
struct one { long a; };
struct two { long a, b; };
struct three { long a, b, c; };
struct pair { long first, second; };

void entered(int func);
void argument(int param, int word, long value);
void result(int func, int size, long value);
