/** The transcript: each answer with what was asked, what was decided on it, and what it names. */
import { field, isArray, isObject, ledgerRecord, type EvidenceRecord, type Json } from '@assay/kernel';
import type { Text } from '@assay/kernel/view';
import { KINDS, type Glance, type Turn, type TurnFilter, type Turns } from '../data/calls.js';
import type { Loaded } from './load.js';

type File = Pick<Loaded, 'lines' | 'rows'>;

/** Turns that a filter lets through. */
export function listTurns({ source, refused, most }: TurnFilter, file: File): Turns {
  const { rows, lines } = file;
  const positions: number[] = [];
  for (const [at, kind] of rows.kinds.entries()) {
    if (KINDS[kind] !== 'proposal' || !rows.isOf(at, null, source)) continue;
    if (!refused || rows.row(at + 1, () => lines.text(at + 1)).tone === 'bad') positions.push(at);
  }
  return { turns: positions.slice(0, most).map((at) => readTurn(at, file)), total: positions.length };
}

/** What a list says of a run that was checked. */
export function glanceAt({ checked, lines, rows }: Pick<Loaded, 'checked' | 'lines' | 'rows'>): Glance {
  const { integrity, rederivation } = checked.document.checks;
  const verdicts = [integrity.verdict, rederivation.verdict];
  const spent = new Map<string, number>();
  let time: number | null = null;
  for (const [at, kind] of rows.kinds.entries()) {
    if (KINDS[kind] !== 'proposal') continue;
    const typed = ledgerRecord(lines.json(at) as unknown as EvidenceRecord);
    if (typed?.kind !== 'proposal' || typed.payload === undefined) continue;
    time = typed.payload.at_us ?? time;
    for (const [unit, amount] of Object.entries(typed.payload.spent))
      spent.set(unit, (spent.get(unit) ?? 0) + amount);
  }
  return {
    t: 'glance',
    machine: checked.run?.machine ?? '',
    // Of a file that does not hold nothing is repeated.
    outcome: verdicts.includes('failed') ? '' : (checked.picture?.verdict ?? checked.document.outcome),
    time: verdicts.includes('failed') ? null : time,
    verdict: verdicts.includes('failed')
      ? 'failed'
      : verdicts.includes('not_checked')
        ? 'not_checked'
        : 'held',
    spent: renderAmounts([...spent]),
  };
}

function renderAmounts(amounts: readonly (readonly [unit: string, amount: number])[]): string {
  const spent = amounts.filter(([, amount]) => amount > 0);
  return spent.map(([unit, amount]) => renderSpent(unit, amount)).join(', ');
}

function readTurn(at: number, { rows, lines }: File): Turn {
  const typed = typedAt(at);
  const payload = typed?.kind === 'proposal' ? typed.payload : undefined;
  const asked = rows.askedBy(at);
  const decision = asked === null ? null : typedAt(asked);
  const request =
    decision?.kind === 'decision'
      ? decision.payload?.requests.find(({ id }) => id === payload?.request_id)
      : undefined;
  const isDecided = at + 1 < rows.count;
  const next = isDecided ? rows.row(at + 1, () => lines.text(at + 1)) : null;
  const { failure = null, value = null, spent = {}, at_us = null } = payload ?? {};
  return {
    at,
    asks: request?.kind ?? payload?.request_id ?? '',
    source: payload?.source ?? '',
    by: payload?.proposer ?? '',
    says: failure === null ? outline(value) : ['failed: ', { said: failure.code }],
    named: [...new Set([...listNamed(request?.body ?? null), ...listNamed(value)])],
    next: isDecided ? at + 1 : null,
    decided: next?.text ?? 'not decided yet',
    tone: next?.tone ?? 'faint',
    spent: renderAmounts(Object.entries(spent)),
    time: at_us,
  };

  function typedAt(position: number): ReturnType<typeof ledgerRecord> {
    return ledgerRecord(lines.json(position) as unknown as EvidenceRecord);
  }
}

const DEPTH_MAX = 5;
const UNITS_MAX = 160;
/** Fields that say which tool acts, and on what. */
const NAMING =
  /^(?:tool|(?:\w+_)?(?:path|file|folder|dir|url|uri)|filename|cwd|address|to|command|resource|target|destination)$/;
/** Fields that tell a reader nothing. */
const NAMES = /^(?:t|id|n|sequence|hash|key)$|_id$/;
const PART_UNITS = 60;
/** Digests, and JSON within JSON. */
const UNREADABLE = /^(?:[0-9a-f]{32,64}|\[.*\]|\{.*\}|\s*)$/s;

/** Tools, files and addresses that a value names. */
function listNamed(value: Json, depth = 0): readonly string[] {
  if (depth > DEPTH_MAX) return [];
  if (isArray(value)) return value.flatMap((each) => listNamed(each, depth + 1));
  if (!isObject(value)) return [];
  const entries = Object.entries(value).sort(([a], [b]) => Number(b === 'tool') - Number(a === 'tool'));
  return entries.flatMap(([key, each]) =>
    typeof each !== 'string'
      ? listNamed(each, depth + 1)
      : NAMING.test(key) && each !== ''
        ? [cut(each, UNITS_MAX)]
        : [],
  );
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}

/** A value in one line: its texts and numbers under their names, without digests. */
function outline(value: Json): Text {
  const parts: string[] = [];
  collect(value, '', parts);
  const text = parts.join(' · ');
  if (text === '') return '';
  return [{ said: cut(text, UNITS_MAX) }];
}

function collect(value: Json, name: string, parts: string[]): void {
  if (parts.length > 12 || value === null || (typeof value === 'string' && UNREADABLE.test(value))) return;
  if (isArray(value)) for (const each of value) collect(each, name, parts);
  else if (isObject(value))
    for (const key of Object.keys(value).filter((name) => !NAMING.test(name) && !NAMES.test(name)))
      collect(field(value, key) ?? null, key, parts);
  else {
    const text = String(value).trim();
    const short = cut(text, PART_UNITS);
    parts.push(name === '' || name === 'text' ? short : `${name.replaceAll('_', ' ')}: ${short}`);
  }
}

/** What was spent of a unit, in people's units where those are known. */
function renderSpent(unit: string, amount: number): string {
  const [, of = '', part = ''] = /^([a-z]{3})_(micros|cents)$/.exec(unit) ?? [];
  const money = amount / (part === 'micros' ? 1_000_000 : 100);
  if (part !== '')
    return `${money < 1 ? Number(money.toPrecision(2)) : money.toFixed(2)} ${of.toUpperCase()}`;
  return `${amount} ${unit.replaceAll('_', ' ')}`;
}
