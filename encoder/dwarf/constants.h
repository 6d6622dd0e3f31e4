/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The DWARF 5 constants in use, and extensions by GNU and LLVM.  Section numbers refer
 * to the standard.
 */
#ifndef ABTF_DWARF_CONSTANTS_H
#define ABTF_DWARF_CONSTANTS_H

/* Types of units (7.5.1) */
enum {
	DW_UT_compile = 0x01, DW_UT_type = 0x02, DW_UT_partial = 0x03, DW_UT_skeleton = 0x04,
	DW_UT_split_compile = 0x05, DW_UT_split_type = 0x06,
};

/*
 * Tags (7.5.3).  btf_decl_tag and btf_type_tag: LLVM's annotations are children of the DIE
 * that they annotate.  gcc 16's are a chain: DW_AT_GNU_annotation refers to the next
 * (binutils, dwarf2.def).
 */
enum dw_tag {
	DW_TAG_array_type = 0x01, DW_TAG_class_type = 0x02, DW_TAG_enumeration_type = 0x04,
	DW_TAG_formal_parameter = 0x05, DW_TAG_member = 0x0d, DW_TAG_pointer_type = 0x0f,
	DW_TAG_reference_type = 0x10, DW_TAG_compile_unit = 0x11, DW_TAG_string_type = 0x12,
	DW_TAG_structure_type = 0x13, DW_TAG_subroutine_type = 0x15, DW_TAG_typedef = 0x16,
	DW_TAG_union_type = 0x17, DW_TAG_unspecified_parameters = 0x18,
	DW_TAG_inlined_subroutine = 0x1d, DW_TAG_ptr_to_member_type = 0x1f, DW_TAG_set_type = 0x20,
	DW_TAG_subrange_type = 0x21, DW_TAG_base_type = 0x24, DW_TAG_const_type = 0x26,
	DW_TAG_enumerator = 0x28, DW_TAG_file_type = 0x29, DW_TAG_packed_type = 0x2d,
	DW_TAG_subprogram = 0x2e, DW_TAG_variable = 0x34, DW_TAG_volatile_type = 0x35,
	DW_TAG_restrict_type = 0x37, DW_TAG_interface_type = 0x38, DW_TAG_unspecified_type = 0x3b,
	DW_TAG_partial_unit = 0x3c, DW_TAG_shared_type = 0x40, DW_TAG_rvalue_reference_type = 0x42,
	DW_TAG_template_alias = 0x43, DW_TAG_coarray_type = 0x44, DW_TAG_dynamic_type = 0x46,
	DW_TAG_atomic_type = 0x47, DW_TAG_call_site = 0x48, DW_TAG_skeleton_unit = 0x4a,
	DW_TAG_immutable_type = 0x4b, DW_TAG_GNU_call_site = 0x4109, DW_TAG_LLVM_annotation = 0x6000,
	DW_TAG_GNU_annotation = 0x6001,
};

/* Whether a DIE has children (7.5.3) */
enum {
	DW_CHILDREN_yes = 0x01,
};

/* Attributes (7.5.4), and older ones by GNU and MIPS */
enum {
	DW_AT_sibling = 0x01, DW_AT_location = 0x02, DW_AT_name = 0x03, DW_AT_byte_size = 0x0b,
	DW_AT_bit_offset = 0x0c, DW_AT_bit_size = 0x0d, DW_AT_stmt_list = 0x10, DW_AT_low_pc = 0x11,
	DW_AT_high_pc = 0x12, DW_AT_language = 0x13, DW_AT_comp_dir = 0x1b, DW_AT_const_value = 0x1c,
	DW_AT_inline = 0x20, DW_AT_lower_bound = 0x22, DW_AT_producer = 0x25,
	DW_AT_upper_bound = 0x2f, DW_AT_abstract_origin = 0x31, DW_AT_artificial = 0x34,
	DW_AT_calling_convention = 0x36, DW_AT_count = 0x37, DW_AT_data_member_location = 0x38,
	DW_AT_decl_file = 0x3a, DW_AT_decl_line = 0x3b, DW_AT_declaration = 0x3c,
	DW_AT_frame_base = 0x40,
	DW_AT_encoding = 0x3e, DW_AT_external = 0x3f, DW_AT_specification = 0x47,
	DW_AT_static_link = 0x48, DW_AT_type = 0x49, DW_AT_data_location = 0x50, DW_AT_entry_pc = 0x52, DW_AT_ranges = 0x55,
	DW_AT_call_file = 0x58, DW_AT_call_line = 0x59, DW_AT_data_bit_offset = 0x6b,
	DW_AT_linkage_name = 0x6e, DW_AT_str_offsets_base = 0x72, DW_AT_addr_base = 0x73,
	DW_AT_rnglists_base = 0x74, DW_AT_dwo_name = 0x76, DW_AT_call_all_calls = 0x7a,
	DW_AT_call_return_pc = 0x7d, DW_AT_call_origin = 0x7f, DW_AT_call_pc = 0x81,
	DW_AT_call_tail_call = 0x82, DW_AT_loclists_base = 0x8c, DW_AT_MIPS_linkage_name = 0x2007,
	DW_AT_GNU_tail_call = 0x2115, DW_AT_GNU_all_call_sites = 0x2117, DW_AT_GNU_dwo_name = 0x2130,
	DW_AT_GNU_locviews = 0x2137, DW_AT_GNU_entry_view = 0x2138, DW_AT_GNU_annotation = 0x2139,
	DW_AT_GNU_bias = 0x2305,
	DW_AT_bit_stride = 0x2e, DW_AT_byte_stride = 0x51,
};

/* Forms (7.5.6) */
enum {
	DW_FORM_addr = 0x01, DW_FORM_block2 = 0x03, DW_FORM_block4 = 0x04, DW_FORM_data2 = 0x05,
	DW_FORM_data4 = 0x06, DW_FORM_data8 = 0x07, DW_FORM_string = 0x08, DW_FORM_block = 0x09,
	DW_FORM_block1 = 0x0a, DW_FORM_data1 = 0x0b, DW_FORM_flag = 0x0c, DW_FORM_sdata = 0x0d,
	DW_FORM_strp = 0x0e, DW_FORM_udata = 0x0f, DW_FORM_ref_addr = 0x10, DW_FORM_ref1 = 0x11,
	DW_FORM_ref2 = 0x12, DW_FORM_ref4 = 0x13, DW_FORM_ref8 = 0x14, DW_FORM_ref_udata = 0x15,
	DW_FORM_indirect = 0x16, DW_FORM_sec_offset = 0x17, DW_FORM_exprloc = 0x18,
	DW_FORM_flag_present = 0x19, DW_FORM_strx = 0x1a, DW_FORM_addrx = 0x1b,
	DW_FORM_ref_sup4 = 0x1c, DW_FORM_strp_sup = 0x1d, DW_FORM_data16 = 0x1e,
	DW_FORM_line_strp = 0x1f, DW_FORM_ref_sig8 = 0x20, DW_FORM_implicit_const = 0x21,
	DW_FORM_loclistx = 0x22, DW_FORM_rnglistx = 0x23, DW_FORM_ref_sup8 = 0x24,
	DW_FORM_strx1 = 0x25, DW_FORM_strx2 = 0x26, DW_FORM_strx3 = 0x27, DW_FORM_strx4 = 0x28,
	DW_FORM_addrx1 = 0x29, DW_FORM_addrx2 = 0x2a, DW_FORM_addrx3 = 0x2b, DW_FORM_addrx4 = 0x2c,
	DW_FORM_GNU_ref_alt = 0x1f20, DW_FORM_GNU_strp_alt = 0x1f21,
};

/* Operations of expressions (7.7.1) */
enum {
	DW_OP_addr = 0x03, DW_OP_deref = 0x06, DW_OP_const1u = 0x08, DW_OP_const1s = 0x09, DW_OP_const2u = 0x0a,
	DW_OP_const2s = 0x0b, DW_OP_const4u = 0x0c, DW_OP_const4s = 0x0d, DW_OP_const8u = 0x0e,
	DW_OP_const8s = 0x0f, DW_OP_constu = 0x10, DW_OP_consts = 0x11, DW_OP_dup = 0x12,
	DW_OP_drop = 0x13, DW_OP_over = 0x14, DW_OP_pick = 0x15, DW_OP_swap = 0x16,
	DW_OP_and = 0x1a, DW_OP_minus = 0x1c, DW_OP_mul = 0x1e, DW_OP_neg = 0x1f, DW_OP_not = 0x20,
	DW_OP_or = 0x21, DW_OP_plus = 0x22, DW_OP_plus_uconst = 0x23, DW_OP_shl = 0x24,
	DW_OP_shr = 0x25, DW_OP_shra = 0x26, DW_OP_xor = 0x27, DW_OP_bra = 0x28, DW_OP_skip = 0x2f,
	DW_OP_lit0 = 0x30, DW_OP_lit31 = 0x4f, DW_OP_reg0 = 0x50, DW_OP_reg31 = 0x6f,
	DW_OP_breg0 = 0x70, DW_OP_breg31 = 0x8f, DW_OP_regx = 0x90, DW_OP_fbreg = 0x91,
	DW_OP_bregx = 0x92, DW_OP_piece = 0x93, DW_OP_deref_size = 0x94, DW_OP_xderef_size = 0x95,
	DW_OP_nop = 0x96, DW_OP_call2 = 0x98, DW_OP_call4 = 0x99, DW_OP_call_ref = 0x9a,
	DW_OP_call_frame_cfa = 0x9c, DW_OP_bit_piece = 0x9d, DW_OP_implicit_value = 0x9e,
	DW_OP_stack_value = 0x9f, DW_OP_implicit_pointer = 0xa0, DW_OP_addrx = 0xa1,
	DW_OP_constx = 0xa2, DW_OP_entry_value = 0xa3, DW_OP_const_type = 0xa4,
	DW_OP_regval_type = 0xa5, DW_OP_deref_type = 0xa6, DW_OP_xderef_type = 0xa7,
	DW_OP_convert = 0xa8, DW_OP_reinterpret = 0xa9, DW_OP_GNU_implicit_pointer = 0xf2,
	DW_OP_GNU_entry_value = 0xf3, DW_OP_GNU_const_type = 0xf4, DW_OP_GNU_regval_type = 0xf5,
	DW_OP_GNU_deref_type = 0xf6, DW_OP_GNU_convert = 0xf7, DW_OP_GNU_reinterpret = 0xf9,
	DW_OP_GNU_parameter_ref = 0xfa, DW_OP_GNU_addr_index = 0xfb, DW_OP_GNU_const_index = 0xfc,
	DW_OP_GNU_variable_value = 0xfd,
};

/* Entries of location lists (7.7.3) */
enum {
	DW_LLE_end_of_list = 0x00, DW_LLE_base_addressx = 0x01, DW_LLE_startx_endx = 0x02,
	DW_LLE_startx_length = 0x03, DW_LLE_offset_pair = 0x04, DW_LLE_default_location = 0x05,
	DW_LLE_base_address = 0x06, DW_LLE_start_end = 0x07, DW_LLE_start_length = 0x08,
	DW_LLE_GNU_view_pair = 0x09,
};

/* Encodings of base types (7.8) */
enum {
	DW_ATE_boolean = 0x02, DW_ATE_float = 0x04, DW_ATE_signed = 0x05, DW_ATE_signed_char = 0x06,
};

/* Languages (7.12), and later numbers */
enum {
	DW_LANG_C89 = 0x01, DW_LANG_C = 0x02, DW_LANG_Ada83 = 0x03, DW_LANG_C_plus_plus = 0x04,
	DW_LANG_Cobol74 = 0x05, DW_LANG_Cobol85 = 0x06, DW_LANG_Fortran77 = 0x07,
	DW_LANG_Fortran90 = 0x08, DW_LANG_Pascal83 = 0x09, DW_LANG_Modula2 = 0x0a,
	DW_LANG_Java = 0x0b, DW_LANG_C99 = 0x0c, DW_LANG_Ada95 = 0x0d, DW_LANG_Fortran95 = 0x0e,
	DW_LANG_PLI = 0x0f, DW_LANG_ObjC = 0x10, DW_LANG_ObjC_plus_plus = 0x11, DW_LANG_UPC = 0x12,
	DW_LANG_D = 0x13, DW_LANG_Python = 0x14, DW_LANG_OpenCL = 0x15, DW_LANG_Go = 0x16,
	DW_LANG_Modula3 = 0x17, DW_LANG_Haskell = 0x18, DW_LANG_C_plus_plus_03 = 0x19,
	DW_LANG_C_plus_plus_11 = 0x1a, DW_LANG_OCaml = 0x1b, DW_LANG_Rust = 0x1c, DW_LANG_C11 = 0x1d,
	DW_LANG_Swift = 0x1e, DW_LANG_Julia = 0x1f, DW_LANG_Dylan = 0x20,
	DW_LANG_C_plus_plus_14 = 0x21, DW_LANG_Fortran03 = 0x22, DW_LANG_Fortran08 = 0x23,
	DW_LANG_RenderScript = 0x24, DW_LANG_BLISS = 0x25, DW_LANG_C17 = 0x2c,
	DW_LANG_Fortran18_6 = 0x2d, DW_LANG_Ada2005_6 = 0x2e, DW_LANG_Ada2012_6 = 0x2f,
	DW_LANG_Assembly_6 = 0x31, DW_LANG_C23 = 0x3e, DW_LANG_Mips_Assembler = 0x8001,
};

/* Calling conventions (7.15), and LLVM's (llvm/BinaryFormat/Dwarf.def) */
enum {
	DW_CC_normal = 0x01, DW_CC_program = 0x02, DW_CC_nocall = 0x03, DW_CC_LLVM_X86_64SysV = 0xc2,
	DW_CC_LLVM_AAPCS = 0xc3, DW_CC_LLVM_AAPCS_VFP = 0xc4, DW_CC_LLVM_PreserveMost = 0xc9,
	DW_CC_LLVM_PreserveAll = 0xca,
};

/* Inlining (7.16) */
enum {
	DW_INL_inlined = 0x01, DW_INL_declared_inlined = 0x03,
};

/* Contents of line number headers (7.22) */
enum {
	DW_LNCT_path = 0x01, DW_LNCT_directory_index = 0x02,
};

/* Entries of range lists (7.25) */
enum {
	DW_RLE_end_of_list = 0x00, DW_RLE_base_addressx = 0x01, DW_RLE_startx_endx = 0x02,
	DW_RLE_startx_length = 0x03, DW_RLE_offset_pair = 0x04, DW_RLE_base_address = 0x05,
	DW_RLE_start_end = 0x06, DW_RLE_start_length = 0x07,
};

#endif /* ABTF_DWARF_CONSTANTS_H */
