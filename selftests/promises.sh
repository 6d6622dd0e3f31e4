# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Scripts that compare the functions of abtf with those of pahole source this. An extended regular
# expression: the reasons (see abtf(1)) to omit a function because its prototype is not proven to
# match its code.
# shellcheck disable=SC2034 # used by those that source this
promises='unproven_signature|late_parameter|no_prototype|unexpected_register|uncertain_location'
promises+='|removed_parameter|reordered_parameter|unnamed_parameter|inconsistent_prototype'
