/** docs/formats/controller.md says what the code says: every table of it is compared with the data or with the codes in the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ACCEPTS, ACCOUNTABILITY, ASK_KINDS, controller, defaultPolicy, EVIDENCE_RULES, GGS_REASONS, GUARD_CODES, MESSAGE_KINDS, ROLE_OF, ROLE_NAMES, ROUTES, parsePolicy } from '@assay/controller';
import { controllerAnswerSchemas, controllerAskSchemas, finalResultSchema } from '@assay/controller/schemas';
import type { Json } from '@assay/kernel';
import { attemptsFor } from '../packages/controller/src/loop/asking.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = 'packages/controller/src';
const page = readFileSync(join(ROOT, 'docs/formats/controller.md'), 'utf8');
const source = (path: string): string => readFileSync(join(ROOT, SRC, path), 'utf8');

/** Rows of a table by its head, each cell as it is written. */
function table(head: string): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const at = lines.indexOf(head);
  if (at === -1 || lines.indexOf(head, at + 1) !== -1) throw new Error(`not once: ${head}`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  return lines.slice(at + 2, end === -1 ? undefined : end).map((line) => line.slice(2, -2).split(' | '));
}
const codes = (cell: string | undefined): readonly string[] => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const column = (head: string, at = 0): readonly string[] => table(head).flatMap((row) => codes(row[at]));
const literals = (text: string, pattern: RegExp): readonly string[] => [...new Set([...text.matchAll(pattern)].map(([, code = '']) => code))];
/** The names of the keys in `{a, b: {…}}`, outermost only. */
const keysIn = (shown: string): readonly string[] => {
  let depth = 0;
  const outer = [...shown.slice(1, -1)].filter((letter) => {
    if (letter === '{' || letter === '[') depth += 1;
    const isOuter = depth === 0;
    if (letter === '}' || letter === ']') depth -= 1;
    return isOuter;
  }).join('');
  return outer.split(',').map((part) => part.split(':')[0]?.trim() ?? '');
};
/** A value of a rule, as its items stand in the table: what is given by command, with the command. */
const itemsOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && !Array.isArray(value) ? Object.entries(value as object).flatMap(([name, items]) => [items as unknown].flat().map((item) => `${name} ${String(item)}`)) : [value].flat();
const keysOf = (schema: unknown): readonly string[] => Object.keys((schema as { readonly shape: object }).shape);

describe('what a run is given', () => {
  const HEAD = '| key | default | limits | unit and meaning |';

  it('every field of the policy, in order, with its default', () => {
    const leaves = Object.entries(defaultPolicy).flatMap(([key, value]): readonly (readonly [string, Json])[] => (typeof value === 'object' && !Array.isArray(value) ? Object.entries(value as object).map(([name, item]) => [`${key}.${name}`, item as Json] as const) : [[key, value as Json] as const]));
    expect(table(HEAD).flatMap(([names, value]) => codes(names).map((name) => [name, JSON.parse(codes(value)[0] ?? '')]))).toEqual(leaves);
  });

  it.each(table(HEAD).flatMap(([names = '', , limits = '']) => codes(names).filter((name) => /^(?:from )?[\d,]+(?: to [\d,]+)?$/.test(limits) && name !== 'ggs.w1' && name !== 'ggs.w2').map((name) => [name, limits] as const)))('%s is taken from %s and not beyond', (name, limits) => {
    const [min = 0, max = Number.MAX_SAFE_INTEGER] = literals(limits, /([\d,]+)/g).map((text) => Number(text.replaceAll(',', '')));
    const [outer = '', inner = ''] = name.split('.');
    const taken = (value: number): boolean => parsePolicy({ ...defaultPolicy, [outer]: { ...(defaultPolicy as unknown as Record<string, object>)[outer], [inner]: value } } as unknown as Json)._tag === 'Right';
    expect([min - 1, min, max, max + 1].map(taken)).toEqual([false, true, true, false]);
  });
});

describe('who speaks', () => {
  it('the routing table, row by row', () => {
    expect(table('| from | to | kind |').map((row) => row.flatMap(codes))).toEqual(ROUTES.map(({ from, kind, to }) => [from, to, kind]));
    for (const [role, name] of Object.entries(ROLE_NAMES)) expect(page.replaceAll('\n', ' ')).toContain(`\`${role}\` ${name}`);
  });

  it('each kind of request with its role, its sources, its attempts and its body', () => {
    const policy = { ...defaultPolicy, limits: { ...defaultPolicy.limits, attempts: 11, plans: 12 } };
    const shown = table('| kind | role | takes values of | attempts | body |').map(([kind, role, sources, attempts = '', body = '']) => ({ kind: codes(kind)[0], role: codes(role)[0] ?? null, sources: codes(sources), attempts: Number(attempts.replace('`limits.attempts`', '11').replace('`limits.plans`', '12')), body: keysIn(codes(body)[0] ?? '') }));
    expect(shown).toEqual(ASK_KINDS.map((kind) => ({ kind, role: ROLE_OF[kind], sources: ACCEPTS[kind], attempts: attemptsFor(kind, policy), body: keysOf(controllerAskSchemas[kind]) })));
  });

  it('each answer with its keys, and the code of one that is not read', () => {
    const rows = table('| kind | value | not read: |').map(([kind, value, code]) => [codes(kind)[0], keysIn(codes(value)[0] ?? ''), codes(code)[0]]);
    const parsers = [...source('protocol/answers.ts').matchAll(/^ {2}(\w+): \{ shape: \w+, code: '(\w+)' \},$/gm)];
    expect(rows).toEqual(ASK_KINDS.map((kind) => [kind, keysOf(controllerAnswerSchemas[kind]), parsers.find(([, name]) => name === kind)?.[2]]));
  });
});

describe('codes', () => {
  const ERR = /err\(\{ code: '([a-z_]+)'/g;
  const FAULT = /(?:return|\?) \{ code: '([a-z_]+)', detail/g;

  it('of rejections are those that the sources give, and no other', () => {
    const given = ['decide.ts', 'planning.ts', 'fast.ts'].flatMap((name) => [...literals(source(`loop/${name}`), ERR), ...literals(source(`loop/${name}`), FAULT)]);
    expect([...column('| code | kinds | when |')].toSorted()).toEqual([...new Set([...given, ...literals(source('protocol/answers.ts'), ERR)])].toSorted());
  });

  it('of contradictions and breaches, with the class that the sources give', () => {
    const given = [...literals(source('protocol/evidence.ts'), /readonly code: ((?:'[a-z_]+'(?: \| )?)+)/g), ...literals(source('loop/fast.ts'), /readonly code: ((?:'[a-z_]+'(?: \| )?)+)/g)].flatMap((union) => literals(union, /'([a-z_]+)'/g));
    expect([...column('| code | class | what the calls show |')].toSorted()).toEqual([...given].toSorted());
    const environmental = literals(source('loop/fast.ts'), /code === '([a-z_]+)' \? 'environmental'/g);
    expect(table('| code | class | what the calls show |').filter(([, of]) => of === '`environmental`').flatMap(([code]) => codes(code))).toEqual(environmental);
  });

  it('of outcomes, of reasons and of next moves', () => {
    const reasons = [...literals(source('loop/fast.ts'), /reason: '([a-z_]+)'/g), ...literals(source('loop/dispatch.ts'), /reason: '([a-z_]+)'/g)].filter((reason) => reason !== 'unconfirmed_action');
    expect([...column('| reason | when |')].toSorted()).toEqual([...reasons, 'executor_CODE', 'validator_CODE', 'tool_timeout', 'tool_interrupted'].toSorted());
    expect([...column('| reason | directive | when, in the order of the cascade |')].toSorted()).toEqual([...GGS_REASONS, ...GUARD_CODES, ...literals(source('loop/accountability.ts'), /GAVE_UP = '([a-z_]+)'/g)].toSorted());
    expect([...column('| code | after |')].toSorted()).toEqual([...literals(source('loop/final.ts'), /\{ code: '([a-z_]+)', text/g)].toSorted());
  });

  it('of refusals', () => {
    for (const rule of literals(source('policy/policy.ts') + source('ggs/policy.ts'), /bad\((?:[a-z.'/A-Z0-9]+), '([a-z_]+)'/g)) expect(page).toContain(`\`${rule}\``);
  });
});

describe('what is recorded', () => {
  it('every event and every message, with the fields that the types give', () => {
    const events = [...source('loop/events.ts').matchAll(/^ {2}\| \{ readonly t: '([a-z_]+)'; (.*) \}$/gm)].map(([, name = '', fields = '']) => [name, literals(fields, /readonly ([a-z_]+):/g)]);
    const rows = table('| event | fields |').map(([event, fields]) => [codes(event)[0] ?? '', codes(fields).map((field) => field.split(':')[0] ?? '')] as const);
    expect(rows.toSorted().map(([name]) => name)).toEqual(events.toSorted().map(([name]) => name));
    for (const [name, fields] of rows) expect(fields).toEqual(events.find(([event]) => event === name)?.[1]);
    const types = new Map([...source('loop/events.ts').matchAll(/^ {2}readonly (\w+): \{ (.*) \};$/gm)].map(([, name = '', fields = '']) => [name, fields] as const));
    const messages = table('| message | body |');
    expect(messages.flatMap(([kind]) => codes(kind))).toEqual(MESSAGE_KINDS.filter((kind) => source('loop/events.ts').includes(`  readonly ${kind}: `)).toSorted((a, b) => messages.findIndex(([kind]) => kind === `\`${a}\``) - messages.findIndex(([kind]) => kind === `\`${b}\``)));
    for (const [kind = '', body = ''] of messages) {
      const fields = types.get(codes(kind)[0] ?? '');
      if (fields !== undefined) for (const name of keysIn(codes(body)[0] ?? '')) expect({ kind, name, found: fields.includes(`readonly ${name}:`) }).toEqual({ kind, name, found: true });
    }
  });

  it('the evidence rules and who answers for what', () => {
    expect(Object.fromEntries(table('| rule | value |').map(([rule, value]) => [codes(rule)[0], codes(value).map((item) => (/^\d+$/.test(item) ? Number(item) : item))]))).toEqual(Object.fromEntries(Object.entries(EVIDENCE_RULES).map(([rule, value]) => [rule, itemsOf(value)])));
    expect(table('| failure | role |').map((row) => row.flatMap(codes))).toEqual([...ACCOUNTABILITY]);
  });

  it('the keys of a FinalResult', () => {
    const shown = /`final_result`: `(\{[^`]*\})`/.exec(page)?.[1]?.replaceAll('\n', ' ') ?? '';
    expect(keysIn(shown)).toEqual(keysOf(finalResultSchema));
  });

  it('is of this version of the machine, whose sources are these', () => {
    expect(page).toContain(`the machine \`${controller.name}\`, version ${controller.version},`);
    expect(readdirSync(join(ROOT, SRC, 'loop'))).toEqual(expect.arrayContaining(['accountability.ts', 'dispatch.ts', 'final.ts']));
  });
});
