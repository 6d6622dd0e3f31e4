/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_VERSION_H
#define ABTF_VERSION_H

#define ABTF_VERSION	"0.1.0"

/* whose habits abtf-pahole keeps */
#define PAHOLE_VERSION	"1.32"

#endif /* ABTF_VERSION_H */
