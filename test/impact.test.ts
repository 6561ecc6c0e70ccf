/** The impact of a change over every golden run, held against runs made anew by another driver. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  isObject,
  ok,
  openRun,
  orThrow,
  type EvidenceRecord,
  type Genesis,
  type Json,
  type Machine,
} from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { controller } from '@assay/controller';
import { memory } from '@assay/controller/memory';
import { planner } from '@assay/planner';
import { tally } from '@assay/testing';
import { encodeFile } from '@assay/verifier/attacks';
import { MACHINES } from '@assay/views/machines';
import {
  impact,
  impactReport,
  impactRow,
  impactVerdict,
  NO_CHANGE,
  redecider,
  type Change,
  type ImpactOptions,
} from '@assay/verifier/impact';
import { nativeSha256 as sha256 } from '@assay/host';
import { classAnew, madeAnew, recordsIn } from '../scripts/impact/anew.mjs';

const FOLDER = fileURLToPath(new URL('../golden-fixtures', import.meta.url));
const isLong = process.env['ASSAY_LANE'] === 'long';
/** Those that take seconds to decide are left to the long lane. */
const SLOW: readonly string[] = isLong ? [] : ['intent-limit-bytes', 'intent-large'];
const NAMES = readdirSync(FOLDER).filter(
  (name) => existsSync(`${FOLDER}/${name}/ledger.jsonl`) && !SLOW.includes(name),
);
/** The runs of a machine, all in the long lane, else each third. */
const runsOf = (machine: string): readonly string[] =>
  NAMES.filter((name) => name.startsWith(`${machine}-`)).filter((_, index) => isLong || index % 3 === 0);
const machines = [
  ...(await Promise.all(MACHINES.map((row) => row.machine((machine) => redecider(machine, { sha256 }))))),
  redecider(tally, { sha256 }),
];
const judge = (
  bytes: Uint8Array,
  change: Change = NO_CHANGE,
  more: Partial<ImpactOptions> = {},
): ReturnType<typeof impact> => impact([bytes], { machines, sha256, change, ...more });

test.each(NAMES)('without a change every run is the same: %s', (name) => {
  const judged = judge(readFileSync(`${FOLDER}/${name}/ledger.jsonl`));
  expect(judged).toMatchObject({ right: { class: 'same', decision: null, flip: null } });
});

/** The same change twice: as options, and as the policy it makes. */
type Case = readonly [machine: string, path: string, value: Json];
const CASES: readonly Case[] = [
  ['intent', 'weights.pin', 160_000],
  ['intent', 'min_score', 900_000],
  ['intent', 'max_interpretations', 1],
  ['tally', 'quorum', 1],
  ['tally', 'voters', 2],
  ['tally', 'attempts', 1],
  ['controller', 'ggs.epsilon', 900_000],
  ['controller', 'ggs.theta', 990_000],
  ['controller', 'limits.steps', 1],
  ['planner', 'tau.local', 990_000],
  ['planner', 'limits.surveys', 1],
  ['planner', 'survey', false],
  ['memory', 'recall_tags_max', 1],
  ['memory', 'promote_decision_ppm', 1],
];
const seen = new Set<string>();

test.each(CASES)('%s under %s=%j: classes are those of runs made anew', (machine, path, value) => {
  for (const name of runsOf(machine)) {
    const bytes = readFileSync(`${FOLDER}/${name}/ledger.jsonl`);
    const records = recordsIn(bytes.toString());
    const { policy } = genesisOf(records);
    const got = judge(bytes, { ...NO_CHANGE, overrides: [{ path: `policy.${path}`, value }] });
    if (got._tag === 'Left') {
      // A run that goes on from a snapshot has its limits in there; a quorum may need more voters.
      if (policy === null) expect([name, got.left.code]).toEqual([name, 'continued']);
      else expect(() => again(records, changed(policy, path.split('.'), value)), name).toThrow(got.left.code);
      continue;
    }
    const made = again(records, changed(policy, path.split('.'), value));
    expect([name, got.right.class]).toEqual([name, classAnew(records, made, own(name, records))]);
    seen.add(`${machine} ${got.right.class}`);
  }
});

test('those changes meet every class but one, and flip runs of each machine', () => {
  const classes = [...seen].map((one) => one.split(' ')[1]);
  expect([...new Set(classes)].sort()).toEqual(['cannot_be_known', 'flipped', 'same', 'same_end']);
  for (const machine of ['intent', 'controller', 'planner', 'tally'])
    expect([...seen]).toContain(`${machine} flipped`);
});

/** A source of answers, or a kind of request, that is taken out. */
test.each<readonly [machine: string, out: string]>([
  ['intent', 'rule'],
  ['tally', 'human'],
  ['controller', 'human'],
  ['planner', 'human'],
  ['planner', 'survey'],
])('%s without %s: classes are those of runs made anew', (machine, out) => {
  const all = NAMES.filter((one) => one.startsWith(`${machine}-`));
  // Where nothing of it stands, nothing is left out: one such run is enough here.
  const [without = '', ...others] = all.filter((name) => !isAnswered(name, out));
  const names = [...all.filter((name) => isAnswered(name, out)), without, ...(isLong ? others : [])];
  const classes = names
    .filter((name) => name !== '')
    .map((name) => {
      const bytes = readFileSync(`${FOLDER}/${name}/ledger.jsonl`);
      const records = recordsIn(bytes.toString());
      const got = judge(bytes, { ...NO_CHANGE, without: [out] });
      const made = again(records, genesisOf(records).policy, out);
      const found = got._tag === 'Right' ? got.right.class : got.left.code;
      expect([name, found]).toEqual([name, classAnew(records, made, own(name, records))]);
      return found;
    });
  expect(classes).toContain('flipped');
});

test('forgeries and erased ledgers are not usable, never the same', () => {
  const folder = `${FOLDER}/forgeries`;
  const codes = readdirSync(folder).flatMap((name) => {
    const path = `${folder}/${name}/ledger.jsonl`;
    const expected = `${folder}/${name}/expected.json`;
    if (!existsSync(path) || !existsSync(expected)) return [];
    const {
      check,
      verdict,
      with: given,
    } = JSON.parse(readFileSync(expected, 'utf8')) as {
      readonly check: string;
      readonly verdict: string;
      readonly with: object;
    };
    const isSeen = verdict !== 'held' && (check === 'integrity' || check === 'rederivation');
    if (!isSeen || Object.keys(given).length > 0) return [];
    const judged = judge(readFileSync(path));
    expect([name, judged._tag]).toEqual([name, 'Left']);
    return judged._tag === 'Left' ? [judged.left.code] : [];
  });
  expect(codes).toEqual(expect.arrayContaining(['differs', 'payload_erased', 'unknown_machine']));
});

test('an accepted flip is expected to the same value alone', () => {
  const change = { ...NO_CHANGE, overrides: [{ path: 'policy.quorum', value: 2 }] };
  const row = impactRow('run', judge(readFileSync(`${FOLDER}/tally-refused/ledger.jsonl`), change));
  expect(row.flip).toMatchObject({ kind: 'figures', name: 'refusal', would_be: 2 });
  const accepted = impactReport([row], null);
  const judged = (other: typeof row): readonly unknown[] => {
    const { runs } = impactReport([other], accepted);
    return [runs[0]?.expected, impactVerdict({ runs })];
  };
  expect(judged(row)).toEqual([true, 'done']);
  expect(judged({ ...row, flip: row.flip && { ...row.flip, would_be: 7 } })).toEqual([false, 'no']);
  expect(judged({ ...row, class: 'same' })).toEqual([false, 'no']);
});

test('of an accepted run each call is expected to change as it did, not the first alone', () => {
  const change = { ...NO_CHANGE, overrides: [{ path: 'policy.quorum', value: 2 }] };
  const row = impactRow('run', judge(readFileSync(`${FOLDER}/tally-refused/ledger.jsonl`), change));
  const told = (counts: Readonly<Record<string, number>>): Parameters<typeof impactReport>[2] => {
    const groups = Object.entries(counts).map(([kind, count]) => ({
      ...{ kind, what: 'Bash', why: 'a rule', count, example: { at: 1, text: 'rm -r x' } },
    }));
    const compared = { unit: 'call', run: 'session', note: '', total: 4, counts: [], groups };
    return [{ file: 'run', machine: 'tally@1', compared }];
  };
  const accepted = impactReport([row], null, told({ refused: 2 }));
  const isExpected = (counts: Readonly<Record<string, number>>): boolean | undefined =>
    impactReport([row], accepted, told(counts)).runs[0]?.expected;
  expect([
    isExpected({ refused: 2 }),
    isExpected({ refused: 1 }),
    isExpected({ refused: 2, asked: 1 }),
  ]).toEqual([...[true, false, false]]);
});

test('other code in the place of a machine is judged by what it decides', () => {
  const bytes = readFileSync(`${FOLDER}/tally-success/ledger.jsonl`);
  const strict: typeof tally = {
    ...tally,
    version: 2,
    parse: (value, request) =>
      request.kind === 'ballot'
        ? { _tag: 'Left', left: { code: 'no_ballot', detail: null } }
        : tally.parse(value, request),
  };
  const same = judge(bytes, NO_CHANGE, { instead: [redecider({ ...tally, version: 2 }, { sha256 })] });
  expect(same).toMatchObject({ right: { class: 'same' } });
  const flipped = judge(bytes, NO_CHANGE, { instead: [redecider(strict, { sha256 })] });
  expect(flipped).not.toMatchObject({ right: { class: 'same' } });
  const nobody = judge(bytes, NO_CHANGE, { instead: [redecider(intent, { sha256 })] });
  expect(nobody).toMatchObject({ left: { code: 'unknown_machine' } });
});

test('what is decided before anybody answered flips too', () => {
  const gate: Machine<null, Json> = {
    name: 'gate',
    version: 1,
    open: ({ policy }) => ok({ state: null, decision: { events: [], artifacts: { verdict: policy } } }),
    parse: (value) => ok(value),
    decide: () => ok({ events: [] }),
    evolve: (state) => state,
    encode: (state) => state,
    decode: () => ok(null),
  };
  const given = { run_id: 'gate', ts_base: 't', policy: { allow: false }, input: null };
  const { records } = orThrow(openRun(gate, given, { sha256 }));
  const change = { ...NO_CHANGE, overrides: [{ path: 'policy.allow', value: true }] };
  expect(judge(encodeFile(records), change, { machines: [redecider(gate, { sha256 })] })).toMatchObject({
    right: { class: 'flipped', flip: { turn: { kind: 'artifact', name: 'verdict' } } },
  });
});

/** True where a source answered, or a kind of request was answered. */
function isAnswered(name: string, out: string): boolean {
  const records: readonly EvidenceRecord[] = recordsIn(
    readFileSync(`${FOLDER}/${name}/ledger.jsonl`, 'utf8'),
  );
  const kinds = new Map<string, string>();
  return records.some(({ kind, payload }) => {
    const {
      requests = [],
      source,
      request_id,
    } = payload as unknown as {
      readonly requests?: readonly { readonly id: string; readonly kind: string }[];
      readonly source?: string;
      readonly request_id?: string;
    };
    if (kind === 'decision') for (const request of requests) kinds.set(request.id, request.kind);
    return kind === 'proposal' && (source === out || kinds.get(request_id ?? '') === out);
  });
}

function genesisOf(records: readonly EvidenceRecord[]): Genesis {
  return records[0]?.payload as unknown as Genesis;
}

function again(records: readonly EvidenceRecord[], policy: Json, out?: string): ReturnType<typeof madeAnew> {
  const { name } = genesisOf(records).machine;
  const all: readonly unknown[] = [intent, controller, planner, memory, tally];
  const machine = (all as readonly Machine<unknown, unknown>[]).find((one) => one.name === name);
  if (machine === undefined) throw new Error(`no ${name}`);
  return madeAnew(machine, records, policy, ({ source }, { kind }) => source === out || kind === out);
}

const known = new Map<string, ReturnType<typeof madeAnew>>();
/** A run made anew under its own policy: what it waits for is not unknown. */
function own(name: string, records: readonly EvidenceRecord[]): ReturnType<typeof madeAnew> {
  const made = known.get(name) ?? again(records, genesisOf(records).policy);
  known.set(name, made);
  return made;
}

function changed(value: Json, [key, ...rest]: readonly string[], to: Json): Json {
  if (key === undefined) return to;
  if (!isObject(value)) throw new Error(key);
  return { ...value, [key]: changed(value[key] ?? null, rest, to) };
}
