/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets of the fields of perl's structures that lead from the interpreter to the
 * statement it executes and to its active subs. The tables are made from the
 * headers (CORE) of each version, of builds with threads as in Debian;
 * test-perl-layout.c checks them.
 */
#ifndef VIGIL_COLLECTORS_PERL_LAYOUT_H
#define VIGIL_COLLECTORS_PERL_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Field, structure and member. */
#define PERL_FIELDS(FIELD) \
	FIELD(current, struct interpreter, Icurcop) \
	FIELD(stack, struct interpreter, Icurstackinfo) \
	FIELD(compiling, struct interpreter, Icompiling) \
	FIELD(compiled, struct interpreter, Icop_seqmax) \
	FIELD(packages, struct interpreter, Istashpad) \
	FIELD(packages_max, struct interpreter, Istashpadmax) \
	FIELD(stack_contexts, PERL_SI, si_cxstack) \
	FIELD(stack_previous, PERL_SI, si_prev) \
	FIELD(stack_top, PERL_SI, si_cxix) \
	FIELD(stack_max, PERL_SI, si_cxmax) \
	FIELD(context_type, PERL_CONTEXT, cx_u.cx_blk.blku_type) \
	FIELD(context_statement, PERL_CONTEXT, cx_u.cx_blk.blku_oldcop) \
	FIELD(context_return, PERL_CONTEXT, cx_u.cx_blk.blk_u.blku_sub.retop) \
	FIELD(context_sub, PERL_CONTEXT, cx_u.cx_blk.blk_u.blku_sub.cv) \
	FIELD(context_required, PERL_CONTEXT, cx_u.cx_blk.blk_u.blku_eval.old_namesv) \
	FIELD(statement_line, COP, cop_line) \
	FIELD(statement_package, COP, cop_stashoff) \
	FIELD(statement_file, COP, cop_file) \
	FIELD(sub_package, XPVCV, xcv_stash) \
	FIELD(sub_name, XPVCV, xcv_gv_u) \
	FIELD(sub_flags, XPVCV, xcv_flags) \
	FIELD(sub_root, XPVCV, xcv_root_u) \
	FIELD(slot_operation, struct opslot, opslot_op) \
	FIELD(slot_offset, struct opslot, opslot_offset) \
	FIELD(slab_head, struct opslab, opslab_head) \
	FIELD(slab_slots, struct opslab, opslab_slots) \
	FIELD(glob_name, XPVGV, xiv_u.xivu_namehek) \
	FIELD(glob_package, XPVGV, xnv_u.xgv_stash) \
	FIELD(package_name, struct xpvhv_with_aux, xhv_aux.xhv_name_u) \
	FIELD(package_names, struct xpvhv_with_aux, xhv_aux.xhv_name_count) \
	FIELD(value_flags, SV, sv_flags) \
	FIELD(name_length, HEK, hek_len) \
	FIELD(name_text, HEK, hek_key)

/* Field and constant. */
#define PERL_CONSTANTS(CONSTANT) \
	CONSTANT(context_size, sizeof(PERL_CONTEXT)) \
	CONSTANT(context_types, CXTYPEMASK) \
	CONSTANT(is_sub, CXt_SUB) \
	CONSTANT(is_format, CXt_FORMAT) \
	CONSTANT(is_eval, CXt_EVAL) \
	CONSTANT(sub_in_pattern, CXp_SUB_RE_FAKE) \
	CONSTANT(eval_block, CXp_EVALBLOCK | CXp_TRY) \
	CONSTANT(value_types, SVTYPEMASK) \
	CONSTANT(is_code, SVt_PVCV) \
	CONSTANT(is_glob, SVt_PVGV) \
	CONSTANT(is_hash, SVt_PVHV) \
	CONSTANT(has_name, SVf_OOK) \
	CONSTANT(sub_named, CVf_NAMED) \
	CONSTANT(next_statement, OP_NEXTSTATE) \
	CONSTANT(debugged_statement, OP_DBSTATE)

struct perl_layout {
	unsigned version; /* the middle number of the version */
#define PERL_FIELD(name, structure, member) uint32_t name;
#define PERL_CONSTANT(name, value) uint32_t name;
	PERL_FIELDS(PERL_FIELD)
	PERL_CONSTANTS(PERL_CONSTANT)
#undef PERL_FIELD
#undef PERL_CONSTANT
};

/* Sizes of structure heads that are read as a whole. */
enum { PERL_STACK_HEAD = 48, PERL_CONTEXT_MAX = 256, PERL_STATEMENT_HEAD = 56 };
/*
 * Position and bits of an operation's type, after its next, sibling, function and
 * target; flag of an operation allocated in a slab.
 */
enum { PERL_OPERATION_TYPE = 32, PERL_OPERATION_TYPES = 0x1ff, PERL_OPERATION_SLABBED = 0x400 };

/* Returns the layout of version 5.version, NULL if it is unknown. */
const struct perl_layout *perl_layout(unsigned version);

#endif
