// SPDX-License-Identifier: GPL-2.0-only
#include "util/dwarf.h"

#include "load/form.h"

/* DWARF 5, 7.5.6 */
static const struct form forms[] = {
	[DW_FORM_addr]		= { OP_ADDRESS, VALUE_ADDR },
	[DW_FORM_block2]	= { OP_BLOCK16, VALUE_BLOCK },
	[DW_FORM_block4]	= { OP_BLOCK32, VALUE_BLOCK },
	[DW_FORM_data2]		= { OP_U16, VALUE_UINT },
	[DW_FORM_data4]		= { OP_U32, VALUE_UINT },
	[DW_FORM_data8]		= { OP_U64, VALUE_UINT },
	[DW_FORM_string]	= { OP_STRING, VALUE_STRING },
	[DW_FORM_block]		= { OP_BLOCK_ULEB, VALUE_BLOCK },
	[DW_FORM_block1]	= { OP_BLOCK8, VALUE_BLOCK },
	[DW_FORM_data1]		= { OP_U8, VALUE_UINT },
	[DW_FORM_flag]		= { OP_U8, VALUE_UINT },
	[DW_FORM_sdata]		= { OP_SLEB, VALUE_SINT },
	[DW_FORM_strp]		= { OP_OFFSET, VALUE_STRP },
	[DW_FORM_udata]		= { OP_ULEB, VALUE_UINT },
	[DW_FORM_ref_addr]	= { OP_OFFSET, VALUE_REF_ADDR },
	[DW_FORM_ref1]		= { OP_U8, VALUE_REF },
	[DW_FORM_ref2]		= { OP_U16, VALUE_REF },
	[DW_FORM_ref4]		= { OP_U32, VALUE_REF },
	[DW_FORM_ref8]		= { OP_U64, VALUE_REF },
	[DW_FORM_ref_udata]	= { OP_ULEB, VALUE_REF },
	[DW_FORM_indirect]	= { OP_INDIRECT, VALUE_NONE },
	[DW_FORM_sec_offset]	= { OP_OFFSET, VALUE_SEC_OFFSET },
	[DW_FORM_exprloc]	= { OP_BLOCK_ULEB, VALUE_BLOCK },
	[DW_FORM_flag_present]	= { OP_CONSTANT, VALUE_UINT },
	[DW_FORM_strx]		= { OP_ULEB, VALUE_STRX },
	[DW_FORM_addrx]		= { OP_ULEB, VALUE_ADDRX },
	[DW_FORM_ref_sup4]	= { OP_U32, VALUE_SUPPLEMENT },
	[DW_FORM_strp_sup]	= { OP_OFFSET, VALUE_SUPPLEMENT },
	[DW_FORM_data16]	= { OP_DATA16, VALUE_BLOCK },
	[DW_FORM_line_strp]	= { OP_OFFSET, VALUE_LINE_STRP },
	[DW_FORM_ref_sig8]	= { OP_U64, VALUE_SIGNATURE },
	[DW_FORM_implicit_const] = { OP_CONSTANT, VALUE_SINT },
	[DW_FORM_loclistx]	= { OP_ULEB, VALUE_LISTX },
	[DW_FORM_rnglistx]	= { OP_ULEB, VALUE_LISTX },
	[DW_FORM_ref_sup8]	= { OP_U64, VALUE_SUPPLEMENT },
	[DW_FORM_strx1]		= { OP_U8, VALUE_STRX },
	[DW_FORM_strx2]		= { OP_U16, VALUE_STRX },
	[DW_FORM_strx3]		= { OP_U24, VALUE_STRX },
	[DW_FORM_strx4]		= { OP_U32, VALUE_STRX },
	[DW_FORM_addrx1]	= { OP_U8, VALUE_ADDRX },
	[DW_FORM_addrx2]	= { OP_U16, VALUE_ADDRX },
	[DW_FORM_addrx3]	= { OP_U24, VALUE_ADDRX },
	[DW_FORM_addrx4]	= { OP_U32, VALUE_ADDRX },
};

static const uint8_t fixed_size[] = {
	[OP_U8] = 1, [OP_U16] = 2, [OP_U24] = 3, [OP_U32] = 4, [OP_U64] = 8, [OP_DATA16] = 16,
};

static uint8_t op_of_size(uint8_t size)
{
	return size == 8 ? OP_U64 : size == 4 ? OP_U32 : size == 2 ? OP_U16 : OP_U8;
}

bool form__find(uint64_t code, uint8_t version, uint8_t address_size, uint8_t offset_size,
		struct form *ret)
{
	if (code == DW_FORM_GNU_ref_alt || code == DW_FORM_GNU_strp_alt)
		code = DW_FORM_strp_sup;
	if (code >= ARRAY_SIZE(forms) || forms[code].op == OP_END)
		return false;
	*ret = forms[code];
	/* DWARF 2 had references across units as wide as an address */
	if (ret->op == OP_ADDRESS || (code == DW_FORM_ref_addr && version == 2))
		ret->op = op_of_size(address_size);
	else if (ret->op == OP_OFFSET)
		ret->op = op_of_size(offset_size);
	ret->size = ret->op < ARRAY_SIZE(fixed_size) ? fixed_size[ret->op] : 0;
	return true;
}
