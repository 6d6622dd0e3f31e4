# SPDX-License-Identifier: GPL-2.0-only
"""
Print assembly (x86-64) with one unit for each reference to a DIE with each tag.

In each unit, the DIE OWNER refers with ATTRIBUTE to a DIE that TARGET names: in this unit, or in the
unit "other" or "partial".  Names end with "__" and the unit's label, such as
type_member_enumerator_here.  The function "good" and what it needs do not depend on that
reference, and nor does the function "odd", except for its parameters.
"""
TAGS = dict(array_type=1, enumeration_type=4, formal_parameter=5, label=0xa, lexical_block=0xb,
	    member=0xd, pointer_type=0xf, compile_unit=0x11, structure_type=0x13,
	    subroutine_type=0x15, typedef=0x16, unspecified_parameters=0x18, inheritance=0x1c,
	    inlined_subroutine=0x1d, subrange_type=0x21, base_type=0x24, const_type=0x26,
	    enumerator=0x28, subprogram=0x2e, template_type=0x2f, variable=0x34, volatile_type=0x35,
	    namespace=0x39, partial_unit=0x3c, imported_unit=0x3d, atomic_type=0x47, call_site=0x48,
	    call_parameter=0x49, annotation=0x6001)
# number and form
ATTRS = dict(location=(2, 0x18), name=(3, 8), byte_size=(0xb, 0xb), low_pc=(0x11, 1),
	     high_pc=(0x12, 0xb), language=(0x13, 0xb), const_value=(0x1c, 0xb), upper_bound=(0x2f, 0xb),
	     place=(0x38, 0xb), encoding=(0x3e, 0xb), external=(0x3f, 0x19), type=(0x49, 0x13),
	     value=(0x1c, 8), return_pc=(0x7d, 1))
REFERENCES = dict(type=0x49, origin=0x31, specification=0x47, annotation=0x2139, call=0x7f,
		  bound=0x2f, count=0x37)
OWNERS = dict(
	type=['pointer_type', 'typedef', 'const_type', 'volatile_type', 'atomic_type', 'array_type',
	      'member', 'subroutine_type', 'callback', 'enumeration_type', 'subrange_type', 'index',
	      'formal_parameter', 'subprogram', 'variable'],
	origin=['subprogram', 'formal_parameter', 'variable', 'inlined_subroutine'],
	specification=['subprogram', 'variable'],
	annotation=['pointer_type', 'structure_type', 'subprogram'],
	call=['call_site'], bound=['index'], count=['index'])
TARGETS = ['unit', 'dimension', 'enum_dimension', 'enumerator', 'member', 'formal_parameter',
	   'unspecified_parameters', 'subprogram', 'declared', 'variable', 'lexical_block', 'label',
	   'inlined_subroutine', 'call_site', 'call_parameter', 'namespace', 'imported_unit',
	   'template_type', 'inheritance', 'annotation', 'end', 'middle', 'header', 'struct', 'odd',
	   'base_type']
# form and value of references to nothing
NOWHERE = dict(past=(0x13, '.4byte 0x7fffffff'), past_section=(0x10, '.4byte 0x7fffffff'),
	       signature=(0x20, '.8byte 1'), number=(6, '.4byte 1'))
FAR = ['other', 'partial']
FAR_TARGETS = ['dimension', 'member', 'subprogram', 'middle', 'header', 'struct']


class Unit:
	def __init__(self, label, tag='compile_unit', reference=(), owner='', target=''):
		self.label, self.reference, self.owner, self.target = label, reference, owner, target
		self.lines, self.code = [], 0
		print(f'.section .debug_abbrev,"",@progbits\n{label}_table:')
		self.die(tag, 'unit', True, name=f'{label}.c', language=0xc)

	def form_and_value(self):
		u, target = self.label, self.target
		return NOWHERE.get(target) or ((0x13, f'.4byte {target} - {u}_header') if target.startswith(u) else
					       (0x10, f'.4byte {target}'))

	def die(self, tag, mark='', children=False, odd=False, **attrs):
		"""@odd: this DIE has the wrong reference instead of its own attribute."""
		u, self.code = self.label, self.code + 1
		if odd:
			attrs.pop(self.reference, None)
		print(f'.uleb128 {self.code}, {TAGS[tag]}\n.byte {int(children)}')
		for name in attrs:
			print('.uleb128 %d, %d' % ATTRS[name])
		if odd:
			print(f'.uleb128 {REFERENCES[self.reference]}, {self.form_and_value()[0]}')
		print('.uleb128 0, 0')
		if mark:
			self.lines.append(f'{u}_{mark}:')
		self.lines.append(f'.uleb128 {self.code}')
		for name, value in attrs.items():
			form = ATTRS[name][1]
			self.lines.append(
				f'.4byte {u}_{value} - {u}_header' if form == 0x13 else
				f'.asciz "{value}"' if form == 8 else
				f'.8byte {value}' if form == 1 else
				f'.byte 1, {value}' if form == 0x18 and isinstance(value, int) else
				f'.byte 9, 3\n.8byte {value}' if form == 0x18 else
				f'.byte {value}' if form == 0xb else '')
		if odd:
			self.lines.append(self.form_and_value()[1])

	def end(self, mark=''):
		self.lines += [f'{self.label}_{mark}:'] * bool(mark) + ['.uleb128 0']

	def function(self, kind, odd=False, **attrs):
		symbol = f"{kind}__{self.label}"
		print(f'.text\n.globl {symbol}\n.type {symbol}, %function\n{symbol}: xorl %eax, %eax\nret\n'
		      f'.size {symbol}, 3\n.section .debug_abbrev,"",@progbits')
		self.die('subprogram', 'subprogram' if kind == "good" else '', True, odd, external=1,
			 low_pc=symbol, high_pc=3, **attrs)

	def write(self, kind=1):
		u, lines = self.label, '\n'.join(self.lines)
		print(f'.uleb128 0\n.section .debug_info,"",@progbits\n{u}_header: .4byte {u}_past - {u}_begin\n'
		      f'{u}_begin: .2byte 5\n.byte {kind}, 8\n.4byte {u}_table\n{lines}\n.uleb128 0\n{u}_past:')

	def body(self):
		u, odd = self.label, self.owner
		self.die('base_type', 'base_type', name='int', encoding=5, byte_size=4)
		# targets
		self.die('array_type', 'array', True, type='base_type')
		self.die('subrange_type', 'dimension', type='base_type', upper_bound=2)
		self.die('enumeration_type', 'enum_dimension', True, byte_size=4)
		self.die('enumerator', 'enumerator', name=f'value__{u}', const_value=0)
		self.end('end')
		self.end()
		self.die('structure_type', 'struct', True, name=f'good__{u}', byte_size=4)
		self.lines.append(f'.set {u}_middle, {u}_struct + 2')
		self.die('inheritance', 'inheritance', type='base_type', place=0)
		self.die('template_type', 'template_type', name='T', type='base_type')
		self.die('member', 'member', name='a', type='base_type', place=0)
		self.die('annotation', 'annotation', name='btf_decl_tag', value='tag')
		self.end()
		self.die('pointer_type', 'pointer', type='struct')
		self.die('namespace', 'namespace', True, name='space')
		self.end()
		self.die('subprogram', 'declared', name=f'declared__{u}', type='base_type', external=1)
		self.die('imported_unit', 'imported_unit', type='base_type')
		self.die('subroutine_type', 'callback', True, type='base_type')
		self.die('unspecified_parameters', 'unspecified_parameters')
		self.end()
		self.function('good', name=f'good__{u}', type='base_type')
		self.die('formal_parameter', 'formal_parameter', name='p', type='pointer', location=0x55)
		self.die('lexical_block', 'lexical_block', True, low_pc=f'good__{u}', high_pc=3)
		self.die('variable', 'variable', name='local', type='base_type')
		self.die('label', 'label', name='out', low_pc=f'good__{u}')
		self.end()
		self.die('inlined_subroutine', 'inlined_subroutine', True, odd == 'inlined_subroutine',
			 low_pc=f'good__{u}', high_pc=3)
		self.end()
		self.die('call_site', 'call_site', True, odd == 'call_site', return_pc=f'good__{u}')
		self.die('call_parameter', 'call_parameter', location=0x55)
		self.end()
		self.end()
		# types that depend on the reference
		self.die('pointer_type', 'a_pointer_type', False, odd == 'pointer_type', type='base_type')
		self.die('typedef', 'a_typedef', False, odd == 'typedef', name=f'odd_t__{u}', type='base_type')
		for tag in 'const_type', 'volatile_type', 'atomic_type':
			self.die(tag, f'a_{tag}', False, odd == tag, type='base_type')
		self.die('array_type', 'a_array_type', True, odd == 'array_type', type='base_type')
		self.die('subrange_type', '', False, odd == 'index', type='base_type', **{} if odd == 'index' else dict(upper_bound=1))
		self.end()
		self.die('subroutine_type', 'call', True, odd == 'subroutine_type', type='base_type')
		self.die('formal_parameter', '', False, odd == 'callback', type='base_type')
		self.end()
		self.die('pointer_type', 'a_callback', type='call')
		self.die('enumeration_type', 'a_enumeration_type', True, odd == 'enumeration_type', name=f'odd_e__{u}',
			 byte_size=4, type='base_type')
		self.die('enumerator', name=f'odd_value__{u}', const_value=1)
		self.end()
		self.die('subrange_type', 'a_subrange_type', False, odd == 'subrange_type', type='base_type', upper_bound=5)
		self.die('structure_type', 'odd', True, odd == 'structure_type', name=f'odd__{u}', byte_size=80)
		for at, type in enumerate(['pointer_type', 'typedef', 'const_type', 'volatile_type', 'atomic_type',
					   'array_type', 'callback', 'enumeration_type', 'subrange_type']):
			self.die('member', name=type, type=f'a_{type}', place=at * 8)
		self.die('member', '', False, odd == 'member', name='member', type='base_type', place=72)
		self.end()
		self.die('pointer_type', 'odd_pointer', type='odd')
		self.function('odd', odd == 'subprogram',
			      **{} if odd == 'subprogram' and self.reference in ('origin', 'specification') else
			      dict(name=f'odd__{u}'), type='base_type')
		self.die('formal_parameter', name='p', type='odd_pointer', location=0x55)
		self.die('formal_parameter', '', False, odd == 'formal_parameter', name='q', type='base_type',
			 location=0x54)
		self.end()
		print(f'.data\n.globl v__{u}\n.type v__{u}, %object\nv__{u}: .4byte 1\n.size v__{u}, 4\n'
		      '.section .debug_abbrev,"",@progbits')
		self.die('variable', '', False, odd == 'variable', external=1, location=f'v__{u}',
			 **{} if odd == 'variable' and self.reference != 'type' else dict(name=f'v__{u}'),
			 type='base_type')
		return self


Unit('other').body().write()
Unit('partial', 'partial_unit').body().write(3)
for attribute, owners in OWNERS.items():
	for owner in owners:
		for target in TARGETS:
			# an offset of 0 refers to nothing
			for where in ['here'] * (target != 'header') + FAR * (target in FAR_TARGETS):
				label = f'{attribute}_{owner}_{target}_{where}'
				at = f'{label if where == "here" else where}_{target}'
				Unit(label, 'compile_unit', attribute, owner, at).body().write()
		for target in NOWHERE:
			# a number is a valid bound
			if target != 'number' or owner != 'index' or attribute == 'type':
				Unit(f'{attribute}_{owner}_{target}_here', 'compile_unit', attribute, owner, target).body().write()
