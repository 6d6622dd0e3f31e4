/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef ABTF_VERSION_H
#define ABTF_VERSION_H

#define ABTF_VERSION	"0.1.0"

#endif /* ABTF_VERSION_H */
