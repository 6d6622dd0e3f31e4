// SPDX-License-Identifier: GPL-2.0-only
//
// Shows the data of `abtf report` (page.c):
//
//	files, protos, callers: strings that others mean by number; 0 is "", and not known
//	reasons: [[name, words], ...]; 0 is "in BTF"
//	verdicts: ["notrace", ...], "" if the kernel accepts a kprobe
//	probes:  [[tool, line for a sample, the same for offset 0], ...], none for a module
//	counts:  two sentences
//	shared:  [[NAME, [[rest of the name, file, offset, prototype, verdict, reason, clone,
//		 declared in, line], ...]], ...], source functions with several bodies; the rest is
//		 0 for "@FILE", the offset null before _text; zeroes at the end are omitted
//	others:  the same, of source functions with one body
//	parts:   the same, of parts of functions
//	inlined: [[name, file, line, calls, bodies, [[offset, function that has the code, its file,
//		 calling function, file of the call, line], ...]], ...] that have a body, too
//	gone:    [[name, calls], ...] that have none
//
// Strings come from an untrusted image: use them only as text, never as HTML.
'use strict';

(async () => {
async function unpack(text)
{
	const bytes = atob(text), packed = new Uint8Array(bytes.length);

	// Uint8Array.from() takes 0.4 s longer for Debian's 6.12
	for (let i = 0; i < bytes.length; i++)
		packed[i] = bytes.charCodeAt(i);

	return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}

// several images: the data of each, and an array with their names
const packed = document.getElementById('data').textContent.split(' ');
const images = packed.length > 1 ? await unpack(packed.pop()) : [];
const imageInUrl = () => Math.max(0, images.indexOf(new URLSearchParams(location.hash.slice(1)).get('image')));
const shownImage = imageInUrl();
const data = await unpack(packed[shownImage]);
const ENCODED = 0;
const FEW = 60;			// rows that are shown before somebody asks for more
const MOST_OTHERS = 50;
const MOST_ROWS = 2000;

const $ = id => document.getElementById(id);
const number = n => n.toLocaleString('en');
const plural = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;

// el('td.number', {title: 'x'}, 'text', child, ...)
function el(what, attributes, ...children)
{
	const [tag, ...classes] = what.split('.');
	const e = document.createElement(tag);

	if (classes.length)
		e.className = classes.join(' ');
	for (const [key, value] of Object.entries(attributes || {})) {
		if (key.startsWith('on'))
			e.addEventListener(key.slice(2), value);
		else if (value !== false && value !== null)
			e.setAttribute(key, value === true ? '' : value);
	}
	e.append(...children.filter(c => c !== null && c !== undefined));
	return e;
}

// --- the data, as the views want them -----------------------------------------

const sum = (list, of) => list.reduce((n, x) => n + of(x), 0);

const funcOf = (name, [rest, file, offset, proto = 0, verdict = 0, reason = 0, clone = 0, declared = 0, line = 0, suffix = '']) => ({
	name, suffix, file: data.files[file], offset, proto, reason, clone, verdict: data.verdicts[verdict],
	full: name + (rest === 0 ? `@${data.files[file]}` : rest),
	decl: declared ? `${data.files[declared]}:${line}` : '',
});

const folderOf = file => {
	const parts = file.split('/');

	return file ? parts.length > 1 ? parts[0] : '(top)' : '(unknown)';
};

const names = data.shared.map(([name, list]) => {
	const funcs = list.map(f => funcOf(name, f));

	return {
		name, funcs,
		protos: new Set(funcs.filter(f => f.proto).map(f => f.proto)).size,
		missing: funcs.filter(f => f.reason !== ENCODED).length,
		folders: [...new Set(funcs.map(f => folderOf(f.file)))].sort(),
	};
});

const others = data.others.flatMap(([name, list]) => list.map(f => funcOf(name, f)));
const parts = data.parts.flatMap(([name, list]) => list.map(f => ({...funcOf(name, f), part: true})));
const missing = others.concat(names.flatMap(n => n.funcs)).filter(f => f.reason !== ENCODED)
	.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

// --- selectors, as on the command line (inspect/selector.c) ------------------------

const classes = {alpha: 'a-zA-Z', digit: '0-9', alnum: 'a-zA-Z0-9', upper: 'A-Z', lower: 'a-z', xdigit: '0-9a-fA-F',
	space: '\\s', punct: '!-/:-@\\[-`{-~'};
const isPattern = text => /[*?[]/.test(text);

// A pattern with *, ? and [...], as for fnmatch(3); "[" without an end is a character.
function patternOf(text)
{
	const source = text.replace(/\[([!^]?)(\](?:\[:\w+:\]|[^\]])*|(?:\[:\w+:\]|[^\]])+)\]|[^\w]/g, (part, not, set) => {
		if (set === undefined)
			return part === '*' ? '.*' : part === '?' ? '.' : '\\' + part;
		return `[${not ? '^' : ''}${set.replace(/\[:(\w+):\]|[\\\]^[]/g, (c, name) =>
			name ? classes[name] || '' : '\\' + c)}]`;
	});

	try {
		return new RegExp(`^(?:${source})$`, 's');
	} catch {
		return /^\b$/;		// a range like [z-a] matches nothing
	}
}

function parseSelector(text)
{
	const [, name, path, line] = text.match(/^([^@]*)(?:@(.*?)(?::([1-9]\d{0,8}))?)?$/s), whole = path !== undefined && path.startsWith('/');
	const file = whole ? path.slice(1) : path;

	return {name, file, line, whole, names: isPattern(name) && patternOf(name),
		files: file && isPattern(file) && patternOf(file), isValid: name && file !== ''};
}

// Does FILE of a selector match the path, or, unless it is exact, an end that starts after a '/'?
function fitsFile({file, files}, path, exact)
{
	const ends = exact ? [path] : [...path.matchAll(/(?:^|\/)/g)].map(m => path.slice(m.index + m[0].length));

	return path && ends.some(end => files ? files.test(end) : end === file);
}

function selectorOf(text)
{
	const s = parseSelector(text), {name, file, line, whole, names} = s, fits = (path, exact) => fitsFile(s, path, exact);
	// foo.llvm.123 is the symbol of foo
	const elfOf = f => f.suffix ? f.name + f.suffix : symbolOf(f);
	const isNamed = f => names ? names.test(f.name) || names.test(elfOf(f)) :
		name.includes('.', 1) ? elfOf(f) === name : f.name === name;
	const declOf = f => f.decl.replace(/:\d+$/, '');
	const isIn = (f, exact) => (line === undefined || (f.decl.endsWith(`:${line}`) && fits(declOf(f), exact))) &&
		(fits(f.file, exact) || fits(f.full.includes('@') ? f.full.slice(f.full.indexOf('@') + 1) : declOf(f), exact));

	if (!s.isValid)
		return [];
	// parts are only selected by a name with a suffix
	const found = (name.includes('.', 1) ? everything.concat(parts) : everything).filter(isNamed);

	if (file === undefined)
		return found;

	// FILE of a printed name has a '?' for each character that names must not contain
	const exact = found.some(f => f.file === file);

	if (exact)
		s.files = false;
	return found.filter(f => isIn(f, whole || exact));
}

// What a search finds: the functions that it selects; if there are none, names and files with the text in them.
function matcher()
{
	const q = state.q.trim();

	if (matcher.q !== q) {
		const selected = new Set(q ? selectorOf(q) : []);

		matcher.q = q;
		matcher.selects = selected.size > 0;
		matcher.matches = !q ? () => true : matcher.selects ? f => selected.has(f) :
			f => textOf(f).includes(q.toLowerCase());
	}
	return matcher.matches;
}

const everything = others.concat(names.flatMap(n => n.funcs));
const protoOf = f => data.protos[f.proto].replace('@', () => symbolOf(f));

function makeTree()
{
	const make = (name, path) => ({name, path, all: 0, shared: 0, missing: 0, children: new Map()});
	const root = make('', '');
	const add = (file, shared, missing) => {
		let node = root;

		for (const part of [null].concat((file || '(unknown)').split('/'))) {
			if (part !== null) {
				if (!node.children.has(part))
					node.children.set(part, make(part, node.path ? `${node.path}/${part}` : part));
				node = node.children.get(part);
			}
			node.all++;
			node.shared += shared;
			node.missing += missing;
		}
	};

	for (const f of others)
		add(f.file, 0, f.reason !== ENCODED);
	for (const n of names)
		for (const f of n.funcs)
			add(f.file, 1, f.reason !== ENCODED);
	return root;
}

const lineOf = (file, line) => data.files[file] ? `${data.files[file]}:${line}` : '';
const inlined = data.inlined.map(([name, file, line, calls, bodies, sites], index) =>
	({name, calls, bodies, sites, at: lineOf(file, line), id: 'inlined-' + index}));

let goneCache;
function gone()
{
	goneCache = goneCache || data.gone.map(([name, calls]) => ({name, calls, bodies: 0, at: ''}))
		.sort((a, b) => b.calls - a.calls);
	return goneCache;
}

// --- state: the fragment of the URL, so that a view can be linked to -----------

const state = {image: '', view: 'names', q: '', theme: 'auto', sort: '-count', differ: '', every: '', reason: '', folder: '', open: '',
	probe: '', tool: 'bpftrace', args: ''};
const defaults = {...state};
const shownAll = new Set();

function readHash()
{
	const given = new URLSearchParams(location.hash.slice(1));

	for (const key of Object.keys(state))
		state[key] = given.get(key) ?? defaults[key];
	if (!views[state.view])
		state.view = defaults.view;
}

function set(changes)
{
	const out = new URLSearchParams();

	Object.assign(state, changes);
	for (const key of Object.keys(state))
		if (state[key] !== defaults[key])
			out.set(key, state[key]);
	history.replaceState(null, '', '#' + out);
	show();
}

// --- parts ------------------------------------------------------------------------

function marked(text, parent)
{
	const q = state.q.trim().toLowerCase(), at = q ? text.toLowerCase().indexOf(q) : -1;

	if (at < 0)
		parent.append(text);
	else
		parent.append(text.slice(0, at), el('mark', null, text.slice(at, at + q.length)),
			      text.slice(at + q.length));
	return parent;
}

// --- probes -----------------------------------------------------------------------

const ACCEPTED = 'accepted';
const verdictOf = f => f.verdict || ACCEPTED;
const verdictWords = {
	[ACCEPTED]: 'The kernel accepts a kprobe here.',
	notrace: 'ftrace cannot patch it, so the kernel rejects a kprobe, except with CONFIG_KPROBE_EVENTS_ON_NOTRACE.',
	noprobe: 'It is on the blacklist of kprobes, or the kernel patches its first instruction, so the kernel rejects a kprobe.',
	init: 'The code is freed after boot, so the kernel rejects a kprobe.',
	unknown: 'The image does not show whether the kernel accepts a kprobe.',
};
const foundOf = n => n.funcs.filter(f => matcher()(f) && matchesProbe(f));
const matchesProbe = f => !state.probe || verdictOf(f) === state.probe;

// what a search finds
const textOf = f => `${f.name}@${f.file} ${f.full}`.toLowerCase();
// NAME, or NAME.isra.0 of a clone
const symbolOf = f => f.full.split('@')[0];

// The line of the sample (page.c), with the place of a function; an event has at most 63 characters.
function lineFor(f)
{
	const hex = f.offset.toString(16), sample = data.probes.find(([tool]) => tool === state.tool);
	const event = symbolOf(f).replace(/[^A-Za-z0-9]/g, '_').slice(0, 62 - hex.length);

	return !sample || readsArgs() ? commandFor(`--probe=${state.tool}${readsArgs() ? ' --args' : ''}`, f) :
		sample[f.offset ? 1 : 2].trim().replace(/PROBE_NAME@PROBE_FILE|PROBE_NAME_(?:ff5e7|0)\b|0xff5e7/g, what =>
			what[0] === '0' ? `0x${hex}` : what.includes('@') ? f.full : `${event}_${hex}`);
}

// abtf prints no program for aya
const readsArgs = () => state.args && state.tool !== 'aya';
const commandFor = (option, f) => `abtf list ${option} ${quoted(data.image)} ${quoted(f.full)}`;

const quoted = text => /^[\w.@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

async function copy(line)
{
	$('copied').textContent = line;
	$('copied').hidden = false;
	clearTimeout(copy.timer);
	copy.timer = setTimeout(() => { $('copied').hidden = true; }, 8000);
	try {
		await navigator.clipboard.writeText(line);
		$('copied').textContent = `Copied: ${line}`;
	} catch {
		// not permitted: it can be copied from where it is shown
	}
}

const copyButton = (line, what, title = 'Copy') => el('button.copy', {type: 'button', title: line, 'aria-label': what,
	onclick: () => copy(line)}, title);

// What the kernel does with a kprobe in a function, and the line for one.
function probeOf(f)
{
	const verdict = verdictOf(f), cell = el('span.probe', null,
		el(`span.badge.${verdict}`, {title: verdictWords[verdict]}, verdict === ACCEPTED ? 'kprobe' : verdict));

	if (f.offset !== null && (verdict === ACCEPTED || verdict === 'unknown'))
		cell.append(copyButton(lineFor(f), `Copy the line for ${state.tool}: ${f.full}`));
	cell.append(copyButton(commandFor('--callers', f), `Copy the command that lists the callers of ${f.full}`, 'Callers'));
	return cell;
}

const place = offset => `${data.linked ? '_text+' : ''}0x${offset.toString(16)}`;
const placeOf = f => el('code.place', null, f.verdict === 'init' || f.offset === null ? '-' : place(f.offset));

function chooser(id, title, options)
{
	return el('label', null, `${title} `, el('select', {id, onchange: e => {
		set({[id]: e.target.value});
		refocus('#' + id);
	}}, ...options.map(([value, text]) => el('option', {value, selected: state[id] === value}, text))));
}

function probeFilter(funcs)
{
	const counts = new Map();

	for (const f of funcs)
		counts.set(verdictOf(f), (counts.get(verdictOf(f)) || 0) + 1);
	return chooser('probe', 'Kprobes', [['', `any (${number(funcs.length)})`],
		...Object.keys(verdictWords).filter(v => counts.has(v) || state.probe === v).map(v =>
			[v, `${v} (${number(counts.get(v) || 0)})`])]);
}

// The program that reads arguments is printed by abtf, which has the types: the command for it is copied.
const toolChooser = () => el('span', null, chooser('tool', 'Copy for',
	['bpftrace', 'libbpf', 'cilium', 'bcc', 'aya', 'tracefs', 'perf', 'json'].map(t => [t, t])),
	el('label', null, el('input', {type: 'checkbox', id: 'args', checked: !!readsArgs(), disabled: state.tool === 'aya',
		onchange: e => { set({args: e.target.checked ? '1' : ''}); refocus('#args'); }}), ' with arguments'));

function say(text)
{
	$('status').textContent = text;
	return el('p.muted', {id: 'count'}, text);
}

// A table whose columns can be sorted. columns: [key, title, is a number, class]
function sortable(columns, rows, caption)
{
	const head = columns.map(([key, title, isNumber, more]) => {
		const by = state.sort.replace(/^-/, ''), down = state.sort.startsWith('-');
		const next = by === key ? (down ? key : '-' + key) : isNumber ? '-' + key : key;

		return el(`th${isNumber ? '.number' : ''}${more || ''}`, {scope: 'col',
			'aria-sort': key ? by === key ? down ? 'descending' : 'ascending' : 'none' : null},
			key ? el('button', {type: 'button', 'data-sort': key,
				onclick: () => { set({sort: next}); refocus(`[data-sort="${key}"]`); }}, title) : title);
	});

	return el('div.scroll', null, el('table', null, el('caption.hidden', null, caption),
		el('thead', null, el('tr', null, ...head)), el('tbody', null, ...rows)));
}

function refocus(selector)
{
	const e = document.querySelector(selector);

	if (e)
		e.focus();
}

// The first rows, and a button for the others. It is gone then, so the focus goes to the next row.
function few(rows, key, render)
{
	const all = shownAll.has(key) || rows.length <= FEW * 1.2;
	const shown = (all ? rows : rows.slice(0, FEW)).map(row => [render(row)].flat());

	if (few.next === key)
		few.next = shown[FEW][0];
	return [shown.flat(), all ? null : el('button.plain.more', {type: 'button', onclick: () => {
		shownAll.add(key);
		few.next = key;
		show();
		few.next.tabIndex = -1;
		few.next.focus();
		few.next = null;
	}}, `Show all ${number(rows.length)}`)];
}

// --- names that several functions share ---------------------------------------------

const words = text => text.match(/\w+|[^\w\s]|\s+/g) || [];

// Mark words that are not in the first prototype (longest common subsequence).
function differing(first, other)
{
	const a = words(first), b = words(other), code = el('p.code');
	const len = a.map(() => new Array(b.length + 1).fill(0)).concat([new Array(b.length + 1).fill(0)]);

	for (let i = a.length - 1; i >= 0; i--)
		for (let k = b.length - 1; k >= 0; k--)
			len[i][k] = a[i] === b[k] ? len[i + 1][k + 1] + 1 : Math.max(len[i + 1][k], len[i][k + 1]);
	for (let i = 0, k = 0; k < b.length;) {
		if (i < a.length && a[i] === b[k]) {
			code.append(b[k]);
			i++;
			k++;
		} else if (i < a.length && len[i + 1][k] >= len[i][k + 1]) {
			i++;
		} else {
			code.append(b[k].trim() ? el('mark.differs', null, b[k]) : b[k]);
			k++;
		}
	}
	return code;
}

const cloneNote = f => f.clone ? el('span.warn', {title:
	'A clone: the compiler may have changed its arguments. The prototype is taken from the source, and not proven for this code.'},
	' clone ') : null;

const missingNote = f => f.reason !== ENCODED ? el('span.warn', {title: data.reasons[f.reason][1]},
	` not in BTF: ${data.reasons[f.reason][0]} `) : null;

function functionItem(n, f)
{
	const file = f.file && !f.full.includes(`@${f.file}`) ? el('span.muted', null, ` in ${f.file}`) : null;

	return el('li', null, el('div', null, marked(f.full, el('code')), file),
		el('span', null, missingNote(f), cloneNote(f), placeOf(f), probeOf(f)));
}

function prototypeCard(n, proto, funcs, first)
{
	const declared = new Set(funcs.map(f => f.decl).filter(Boolean));
	const heading = !proto ? el('p.code.muted', null, 'unknown prototype') :
		first === funcs[0] ? el('p.code', null, protoOf(first)) :
		differing(protoOf(first), protoOf(funcs[0]));

	return el('section.proto', null, heading,
		declared.size === 1 && funcs.length > 1 ?
			el('p.muted', null, 'all declared at ', el('code', null, [...declared][0])) : null,
		el('ul', null, ...funcs.map(f => functionItem(n, f))));
}

function nameDetails(n)
{
	const by = new Map();

	for (const f of foundOf(n))
		by.set(f.proto, (by.get(f.proto) || []).concat([f]));
	const protos = [...by.keys()].sort((a, b) => by.get(b).length - by.get(a).length);
	const first = by.get(protos.find(p => p));

	return el('div.protos', null, ...protos.map(p => prototypeCard(n, p, by.get(p), first && first[0])));
}

const nameSorts = {
	name: n => n.name, count: n => n.funcs.length, protos: n => n.protos, missing: n => n.missing,
};

function sortNames(rows)
{
	const by = nameSorts[state.sort.replace(/^-/, '')] || nameSorts.count;
	const sign = state.sort.startsWith('-') ? -1 : 1;
	const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;

	const exact = n => n.name === state.q.trim();

	return rows.sort((a, b) => exact(b) - exact(a) || sign * order(by(a), by(b)) || order(a.name, b.name));
}

function nameRows(n, only)
{
	const open = only || state.open === n.name, id = 'of-' + names.indexOf(n);
	const row = el('tr', null,
		el('th', {scope: 'row'}, marked(n.name, el('button.open', {type: 'button', id: 'open-' + id,
			'aria-expanded': String(open), 'aria-controls': id, onclick: () => {
				set({open: open ? '' : n.name});
				refocus('#open-' + id);
			}}))),
		el('td.number', null, number(n.funcs.length)),
		el('td.number', null, n.protos > 1 ? el('strong', null, String(n.protos)) : String(n.protos)),
		el('td.number.wide', null, n.missing ? String(n.missing) : ''),
		el('td.wide.muted', null, n.folders.join(', ')));

	return open ? [row, el('tr.details', {id}, el('td', {colspan: 5}, nameDetails(n)))] : [row];
}

// What does not share its name; parts are only found by selectors.
const matchingOthers = () => (matcher() && matcher.selects ? others.concat(parts) : others).filter(matcher());

// What is called so, but does not share the name, or is not in BTF.
function otherMatches(q)
{
	const rank = o => o.name === q ? 0 : o.name.startsWith(q) ? 1 : 2;
	const found = matchingOthers().filter(matchesProbe)
		.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
	const rows = found.slice(0, MOST_OTHERS).map(o => el('tr', null,
		el('th', {scope: 'row'}, marked(o.full, el('code')), missingNote(o), cloneNote(o)), el('td', null, probeOf(o)),
		el('td.number', null, placeOf(o)), el('td.wide', null, el('code', null, protoOf(o))),
		el('td.muted.wide', null, marked(o.file || '', el('code')))));
	const out = missing.filter(matcher());
	const everywhere = gone().filter(g => g.name.toLowerCase().includes(q));

	return [
		el('h2', null, `The only function of its name${found.some(o => o.part) ? ', or a part of a function' : ''}: ` +
			number(found.length)),
		found.length ? el('p.muted', null, found.some(o => o.part) ? '' : 'A bare name is enough for these.',
			found.length > MOST_OTHERS ? ` The first ${MOST_OTHERS}:` : '') : null,
		el('div.scroll', null, el('table.lines', {id: 'others'},
			rows.length ? el('thead', null, el('tr', null, el('th', {scope: 'col'}, 'Name'), el('th', {scope: 'col'}, 'Kprobe'),
				el('th.number', {scope: 'col'}, 'Offset'), el('th.wide', {scope: 'col'}, 'Prototype'),
				el('th.wide', {scope: 'col'}, 'File'))) : null,
			el('tbody', null, ...rows))),
		el('h2', null, `Not in BTF: ${number(out.length)}`),
		out.length ? el('p', null, el('button.plain', {type: 'button',
			onclick: () => set({view: 'missing'})}, 'Show them, with reasons')) : null,
		el('h2', null, `Inlined everywhere, without code of their own: ${number(everywhere.length)}`),
		everywhere.length ? el('p', null, el('button.plain', {type: 'button',
			onclick: () => set({view: 'inlined', every: '1'})}, 'Show them')) : null,
	];
}

function viewNames()
{
	const q = state.q.trim().toLowerCase();
	const found = names.filter(n => (!state.differ || n.protos > 1) && n.funcs.some(matcher()));
	const rows = sortNames(found.filter(n => foundOf(n).length));
	const alone = q ? matchingOthers() : [];
	const [shown, more] = few(rows, 'names', n => nameRows(n, q && (rows.length === 1 || n.name === state.q.trim())));
	const single = alone.filter(matchesProbe), count = sum(rows, n => foundOf(n).length) + single.length;
	const all = new Set(rows.concat(single).map(n => n.name)).size;

	return [
		el('div.filter', null,
			say(`${plural(all, 'name', 'names')}, ${plural(count, 'function', 'functions')}`),
			el('label', null, el('input', {type: 'checkbox', id: 'differ', checked: !!state.differ,
				onchange: e => { set({differ: e.target.checked ? '1' : ''}); refocus('#differ'); }}),
			   ' Only names whose prototypes differ'),
			probeFilter(found.flatMap(n => n.funcs.filter(matcher())).concat(alone)), toolChooser()),
		matcher.selects && !/[@*?[]/.test(q) ? el('p.muted', null, el('button.plain', {type: 'button', id: 'contain',
			onclick: () => { set({q: `*${state.q.trim()}*`}); refocus('#query'); }}, `Also names with ${q} in them`)) : null,
		q && all && !matcher.selects ? el('p.muted', null,
			`${state.q.trim()} selects no function. It is in these names or files:`) : null,
		q && !all && images.length > 1 ? el('p.muted', null,
			`Only ${data.image} was searched. The other images of this page are in the list at the top.`) : null,
		rows.length ? sortable([['name', 'Name'], ['count', 'Functions', true], ['protos', 'Prototypes', true],
			['missing', 'Not in BTF', true, '.wide'], ['', 'Folders', false, '.wide']], shown,
			'Names that several functions share') : null,
		more,
		...(q ? otherMatches(q) : []),
	];
}

// --- functions that are not in BTF ----------------------------------------------------

function reasonBars(rows)
{
	const counts = data.reasons.map((r, i) => [i, rows.filter(s => s.reason === i).length])
		.filter(([, n]) => n).sort((a, b) => b[1] - a[1]);
	const most = counts.length ? counts[0][1] : 1;

	return el('ul.bars', null, ...counts.map(([i, n]) => {
		const on = state.reason === data.reasons[i][0];

		return el('li', null, el('button', {type: 'button', 'aria-pressed': String(on), 'data-reason': data.reasons[i][0],
			onclick: () => {
				set({reason: on ? '' : data.reasons[i][0]});
				refocus(`[data-reason="${data.reasons[i][0]}"]`);
			}},
			el('span', null, el('code', null, data.reasons[i][0]), el('small', null, data.reasons[i][1])),
			el('span.track', null, el('i', {style: `width: ${100 * n / most}%`})),
			el('span.number', null, number(n))));
	}));
}

function subsystemTable(rows)
{
	const by = new Map();

	for (const s of rows) {
		const folder = folderOf(s.file);

		by.set(folder, by.get(folder) || new Map());
		by.get(folder).set(s.reason, (by.get(folder).get(s.reason) || 0) + 1);
	}
	const reasons = [...new Set(rows.map(s => s.reason))].sort((a, b) => a - b);
	const all = f => sum([...by.get(f).values()], n => n);
	const folders = [...by.keys()].sort((a, b) => all(b) - all(a) || (a < b ? -1 : 1));

	return el('div.scroll', null, el('table', {id: 'subsystems'},
		el('caption.hidden', null, 'Functions that are not in BTF, by folder and reason'),
		el('thead', null, el('tr', null, el('th', {scope: 'col'}, 'Folder'),
			...reasons.map(r => el('th.number', {scope: 'col'}, el('code', null, data.reasons[r][0]))),
			el('th.number', {scope: 'col'}, 'all'))),
		el('tbody', null, ...folders.map(f => el('tr', null, el('th', {scope: 'row'}, el('code', null, f)),
			...reasons.map(r => el('td.number', null, number(by.get(f).get(r) || 0))),
			el('td.number', null, number(all(f))))))));
}

function viewMissing()
{
	const q = state.q.trim().toLowerCase();
	const found = missing.filter(matcher());
	const rows = found.filter(s => matchesProbe(s) && (!state.reason || data.reasons[s.reason][0] === state.reason));
	const [shown, more] = few(rows, 'missing', s => el('tr', null,
		el('th', {scope: 'row'}, marked(s.full, el('code')), cloneNote(s)),
		el('td', null, el('code', {title: data.reasons[s.reason][1]}, data.reasons[s.reason][0])), el('td', null, probeOf(s)),
		el('td.number.wide', null, placeOf(s)),
		el('td.muted.wide', null, marked(s.file || '', el('code')))));

	return [
		el('div.filter', null, say(`${plural(rows.length, 'function is', 'functions are')} not in BTF`), probeFilter(found)),
		el('p.muted', null, 'abtf encode only writes functions whose prototype is proven, and whose shared name a program could attach to. ' +
			'A kprobe only needs an offset, which the button copies. A clone (NAME.isra.0) is shown with the prototype of its source.'),
		el('h2', null, 'By reason'), reasonBars(found),
		el('h2', null, 'By folder'), subsystemTable(rows),
		el('h2', null, 'Functions'),
		el('div.scroll', null, el('table.lines', {id: 'missing'},
			el('thead', null, el('tr', null, el('th', {scope: 'col'}, 'Symbol'), el('th', {scope: 'col'}, 'Reason'),
				el('th', {scope: 'col'}, 'Kprobe'), el('th.number.wide', {scope: 'col'}, 'Offset'),
				el('th.wide', {scope: 'col'}, 'File'))),
			el('tbody', null, ...shown))),
		more,
	];
}

// --- inlined calls ------------------------------------------------------------------

function siteTable(i)
{
	const [shown, more] = few(i.sites, i.id, ([offset, inside, unit, caller, file, line]) => el('tr', null,
		el('td', null, el('code.place', null, place(offset))),
		el('td', null, el('code', {title: data.files[unit]}, data.callers[inside])),
		el('td.wide', null, el('code', null, data.callers[caller])),
		el('td', null, el('code', null, lineOf(file, line)))));

	return el('div', null, el('table', null, el('caption.hidden', null, `Inlined calls of ${i.name}`),
		el('thead', null, el('tr', null, el('th', {scope: 'col'}, 'Offset'), el('th', {scope: 'col'}, 'In'),
			el('th.wide', {scope: 'col'}, 'Caller'), el('th', {scope: 'col'}, 'Call'))),
		el('tbody', null, ...shown)), more);
}

function inlinedRows(i)
{
	const open = i.sites && state.open === i.id;
	const name = i.sites ? el('button.open', {type: 'button', id: 'open-' + i.id, 'aria-expanded': String(open),
		'aria-controls': i.id, onclick: () => {
			set({open: open ? '' : i.id});
			refocus('#open-' + i.id);
		}}) : el('code');
	const row = el('tr', null,
		el('th', {scope: 'row'}, marked(i.name, name)), el('td.number', null, number(i.calls)),
		el('td.number.wide', null, i.bodies ? number(i.bodies) : 'none'),
		el('td.muted.wide', null, marked(i.at, el('code'))),
		el('td', null, copyButton(`abtf list --inlined ${quoted(data.image)} ${quoted(i.name)}`,
			`Copy the command that lists the calls of ${i.name}`)));

	return open ? [row, el('tr.details', {id: i.id}, el('td', {colspan: 5}, siteTable(i)))] : [row];
}

// What "abtf list --inlined" lists: FILE is the unit that has the code, which is unknown for functions without a body.
function inlinedOf(text, list)
{
	const s = parseSelector(text);

	return !s.isValid ? [] : list.filter(i => s.names ? s.names.test(i.name) : i.name === s.name).map(i => {
		const sites = s.file === undefined ? i.sites :
			(i.sites || []).filter(([, , unit]) => fitsFile(s, data.files[unit], s.whole));

		return sites === i.sites ? i : {...i, sites, calls: sites.length};
	}).filter(i => i.calls);
}

const inlinedSorts = {name: i => i.name, count: i => i.calls, bodies: i => i.bodies};

function viewInlined()
{
	const q = state.q.trim().toLowerCase();
	const by = inlinedSorts[state.sort.replace(/^-/, '')] || inlinedSorts.count;
	const sign = state.sort.startsWith('-') ? -1 : 1;
	const order = (a, b) => a < b ? -1 : a > b ? 1 : 0;
	const all = state.every ? inlined.concat(gone()) : inlined, selected = inlinedOf(state.q.trim(), all);
	const rows = (selected.length ? selected : all.filter(i => !q || `${i.name} ${i.at}`.toLowerCase().includes(q)))
		.sort((a, b) => sign * order(by(a), by(b)) || order(a.name, b.name) || order(a.at, b.at));
	const [shown, more] = few(rows.slice(0, MOST_ROWS), 'inlined', inlinedRows);

	return [
		el('div.filter', null,
			say(`${plural(rows.length, 'function', 'functions')}, ${plural(sum(rows, i => i.calls),
				'inlined call', 'inlined calls')}`),
			el('label', null, el('input', {type: 'checkbox', id: 'every', checked: !!state.every,
				onchange: e => { set({every: e.target.checked ? '1' : ''}); refocus('#every'); }}),
			   ' Also functions without a body')),
		el('p.muted', null, 'A probe on a function sees the calls of its body. Inlined calls run a copy of its code in ' +
			'the caller, and no probe on the function sees them. Open a name to see where they are. The button copies ' +
			'the command that lists them, also for functions without a body.'),
		rows.length ? sortable([['name', 'Name'], ['count', 'Inlined calls', true], ['bodies', 'Bodies', true, '.wide'],
			['', 'Declared', false, '.wide'], ['', 'Calls']], shown, 'Functions that were inlined') : null,
		more,
		rows.length > MOST_ROWS ? el('p.muted', null, `These are the first ${number(MOST_ROWS)}: search for others.`) : null,
	];
}

// --- folders -----------------------------------------------------------------------

// Squarified treemap (Bruls, Huizing, van Wijk): [[node, x, y, w, h], ...], in percent.
function squarify(nodes, total, width, height)
{
	const out = [], scale = width * height / total;
	let x = 0, y = 0, w = width, h = height, row = [], at = 0;
	const worst = (list, side) => {
		const all = sum(list, n => n.all * scale);

		return Math.max(...list.map(n => Math.max(side * side * n.all * scale / (all * all),
							  all * all / (side * side * n.all * scale))));
	};
	const place = () => {
		const thick = sum(row, n => n.all * scale) / Math.min(w, h);
		let along = 0;

		for (const n of row) {
			const part = n.all * scale / thick;

			out.push(w >= h ? [n, x, y + along, thick, part] : [n, x + along, y, part, thick]);
			along += part;
		}
		[x, y, w, h] = w >= h ? [x + thick, y, w - thick, h] : [x, y + thick, w, h - thick];
		row = [];
	};

	while (at < nodes.length) {
		const side = Math.min(w, h);

		if (row.length && worst(row.concat([nodes[at]]), side) > worst(row, side))
			place();
		else
			row.push(nodes[at++]);
	}
	if (row.length)
		place();
	return out.map(([n, a, b, c, d]) => [n, 100 * a / width, 100 * b / height, 100 * c / width, 100 * d / height]);
}

let treeCache;
function findFolder(path)
{
	treeCache = treeCache || makeTree();
	let node = treeCache;

	for (const part of path ? path.split('/') : [])
		node = node.children.get(part) || node;
	return node;
}

function treemap(node)
{
	const nodes = [...node.children.values()].filter(n => n.all).sort((a, b) => b.all - a.all).slice(0, 80);
	const total = sum(nodes, n => n.all);
	const cells = total ? squarify(nodes, total, 1200, 416) : [];

	return el('div.map', {role: 'group', 'aria-label': 'Folders, as large as they have functions'},
		...cells.map(([n, x, y, w, h]) => {
			const share = n.shared / n.all, roomy = w > 5 && h > 9;
			const label = `${n.name}: ${number(n.all)} functions, ${number(n.shared)} share a name`;

			return el('button', {type: 'button', title: label, 'aria-label': label,
				style: `left:${x}%;top:${y}%;width:${w}%;height:${h}%;--share:${Math.min(.5, share * 10).toFixed(2)}`,
				onclick: () => n.children.size ? set({folder: n.path}) :
					set({view: 'names', q: n.path, folder: ''})},
				roomy ? el('b', null, n.name) : null,
				roomy && h > 15 ? el('span', null, number(n.all)) : null);
		}));
}

function crumbs(node)
{
	const parts = node.path ? node.path.split('/') : [];

	return el('nav.crumbs', {'aria-label': 'Folder'},
		el('button', {type: 'button', onclick: () => set({folder: ''})}, 'all'),
		...parts.flatMap((p, i) => ['/', el('button', {type: 'button',
			onclick: () => set({folder: parts.slice(0, i + 1).join('/')})}, p)]));
}

function viewFolders()
{
	const node = findFolder(state.folder), q = state.q.trim().toLowerCase();
	const list = [...node.children.values()].filter(n => !q || n.path.toLowerCase().includes(q))
		.sort((a, b) => b.all - a.all || (a.name < b.name ? -1 : 1));
	const most = list.length ? list[0].all : 1;
	const [shown, more] = few(list, 'folders', n => el('tr', null,
		el('th', {scope: 'row'}, n.children.size ? el('button.open', {type: 'button', 'aria-expanded': 'false',
			onclick: () => set({folder: n.path})}, n.name) : el('code', null, n.name)),
		el('td.number', null, number(n.all)),
		el('td.wide', null, el('span.meter', null, el('i', {style: `width: ${100 * n.all / most}%`}))),
		el('td.number', null, number(n.shared)), el('td.number', null, number(n.missing))));

	return [
		el('div.filter', null, say(`${plural(node.all, 'function', 'functions')} in ${node.path || 'all folders'}`)),
		crumbs(node),
		el('p.legend.muted', null, 'Share a name: none', el('i'), '5 % and more'),
		treemap(node),
		el('div.scroll', null, el('table', {id: 'folders'},
			el('thead', null, el('tr', null, el('th', {scope: 'col'}, 'Folder'),
				el('th.number', {scope: 'col'}, 'Functions'), el('th.wide', {scope: 'col'}, ''),
				el('th.number', {scope: 'col'}, 'Share a name'), el('th.number', {scope: 'col'}, 'Not in BTF'))),
			el('tbody', null, ...shown))),
		more,
	];
}

// --- the page ------------------------------------------------------------------------

const views = {
	names: ['Shared names', viewNames],
	missing: ['Not in BTF', viewMissing],
	inlined: ['Inlined', viewInlined],
	folders: ['Folders', viewFolders],
};

function showHeader()
{
	const functions = sum(names, n => n.funcs.length), all = others.concat(names.flatMap(n => n.funcs));
	const figures = [
		['Functions', all.length, ''],
		['Accept a kprobe', all.filter(f => !f.verdict).length, 'functions'],
		['Shared names', names.length, plural(functions, 'function', 'functions')],
		['Of these, prototypes differ', names.filter(n => n.protos > 1).length, 'names'],
		['Not in BTF', missing.length, 'functions'],
		['With a body, and inlined', inlined.length, 'functions'],
	];
	const example = names.slice().sort((a, b) => b.funcs.length - a.funcs.length)[0], one = (example || {funcs: others}).funcs[0];

	document.title = `${data.image}${data.release ? ' ' + data.release : ''}` +
		`${data.build_id ? ', build id ' + data.build_id.slice(0, 12) : ''}: functions`;
	if (images.length) {
		$('image').replaceWith(el('select', {id: 'image', 'aria-label': 'Image', onchange: e => {
			location.hash = new URLSearchParams({image: e.target.value});
		}}, ...images.map((name, i) => el('option', {value: name, selected: i === shownImage}, name))));
	} else {
		$('image').textContent = data.image;
	}
	$('release').textContent = data.release ? `Linux ${data.release}` : '';
	$('identity').append(data.build_id ? 'Build id ' : '', data.build_id ? el('code', null, data.build_id) : '',
		`${data.build_id ? ', written' : 'Written'} by abtf ${data.version}`);
	$('counts').textContent = data.counts;
	$('query').placeholder = one ? `${one.name}, ${one.file.replace(/\/[^/]*$/, '')}, ${one.full}` : '';
	$('figures').append(...figures.map(([title, n, more]) => el('div', null, el('dt', null, title),
		el('dd', null, number(n), more ? el('small', null, ' ' + more) : ''))));
	document.querySelector('.tabs').append(...Object.keys(views).map(key => el('button', {type: 'button',
		role: 'tab', id: 'tab-' + key, 'aria-controls': 'main', onclick: () => set({view: key})}, views[key][0])));
}

function show()
{
	if (state.theme === 'auto')
		delete document.documentElement.dataset.theme;
	else
		document.documentElement.dataset.theme = state.theme;
	for (const input of document.querySelectorAll('[name=theme]'))
		input.checked = input.value === state.theme;
	for (const key of Object.keys(views)) {
		$('tab-' + key).setAttribute('aria-selected', String(key === state.view));
		$('tab-' + key).tabIndex = key === state.view ? 0 : -1;
	}
	if ($('query').value !== state.q)
		$('query').value = state.q;
	$('main').setAttribute('role', 'tabpanel');
	$('main').setAttribute('aria-labelledby', 'tab-' + state.view);
	const inside = $('main').contains(document.activeElement);

	$('main').replaceChildren(...views[state.view][1]().filter(Boolean));
	// what had the focus is gone: go on from here, and not from the page's start
	if (inside)
		$('main').focus({preventScroll: true});
}

function onKey(e)
{
	const keys = Object.keys(views), at = keys.indexOf(state.view);
	const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1}[e.key];

	if (e.key === '/' && !/^(INPUT|SELECT)$/.test(e.target.tagName)) {
		e.preventDefault();
		$('query').focus();
	} else if (to !== undefined && e.target.getAttribute('role') === 'tab') {
		e.preventDefault();
		set({view: keys[(to + keys.length) % keys.length]});
		$('tab-' + state.view).focus();
	}
}

let timer;
showHeader();
readHash();
show();
$('query').addEventListener('input', () => {
	clearTimeout(timer);
	timer = setTimeout(() => set({q: $('query').value}), 120);
});
$('skip').addEventListener('click', e => { e.preventDefault(); $('main').focus(); });
for (const input of document.querySelectorAll('[name=theme]'))
	input.addEventListener('change', () => set({theme: input.value}));
document.addEventListener('keydown', onKey);
addEventListener('hashchange', () => {
	if (imageInUrl() !== shownImage)
		location.reload();
	readHash();
	show();
});
})().catch(e => {
	document.getElementById('main').textContent = `This page cannot be shown: ${e}. It needs a browser of 2023 or later.`;
});
