/**
 * A golden report. The ledger is a run in which much goes wrong, played through the machine; the report is
 * what the auditor says of it. `ASSAY_AUDIT_GOLDEN=write` writes both anew: look at each difference.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeLine, validateRunFile, type EvidenceRecord } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import { defaultPolicy, type JudgeBody } from '../../src/index.js';
import { audited, codesOf } from '../lib/auditing.js';
import { called, criterion, did, judging, planOf, play, policyWith, willing } from '../lib/playing.js';

const FOLDER = fileURLToPath(new URL('golden/', import.meta.url));
const LEDGER = `${FOLDER}troubled.ledger.jsonl`;
const REPORT = `${FOLDER}troubled.report.json`;
const tools = ['write_file', 'shell'];

const add = called('write_file', 'flag.txt', 'written');
const remove = called('shell', 'mv flag.txt bin/', 'moved');

/**
 * First an executor that adds and removes the same file; then a planner that drops what was not met, and an
 * executor that removes another file unasked.
 */
function troubled(): readonly EvidenceRecord[] {
  const policy = policyWith({
    guard: { triples: 0, oscillation: 0, same_rounds: 0 },
    limits: { ...defaultPolicy.limits, retries: 5 },
    roles: { ...defaultPolicy.roles, R2: 'played' },
  });
  const plans = [
    planOf(
      [{ criteria: [criterion('the flag is set', { hard: true }), criterion('the folder is clean')], tools }],
      [criterion('the report says so')],
    ),
    planOf(
      [{ criteria: [criterion('the folder is clean')], tools }],
      [criterion('the report says so', { mode: 'plausible' })],
    ),
  ];
  const { records } = play(
    policy,
    {
      ...willing,
      plan: (_, turn) => ({ value: turn === 1 ? null : (plans[Math.min(turn, 1)] ?? null) }),
      execute: (_, turn) =>
        turn > 5
          ? did(called('shell', 'rm precious.txt', 'removed', { irreversible: true }))
          : did(add, remove, add, remove, add, remove),
      judge: (body: JudgeBody, turn: number) =>
        judging((index) => (index === turn % 2 ? 'pass' : 'environmental'))(body),
    },
    { stamp: (turn) => turn * 250_000 },
  );
  return records;
}

describe('the golden report', () => {
  if (process.env['ASSAY_AUDIT_GOLDEN'] === 'write') {
    const records = troubled();
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(LEDGER, records.map((record) => `${encodeLine(record)}\n`).join(''));
    writeFileSync(REPORT, `${JSON.stringify(audited(records), null, 2)}\n`);
  }
  const text = readFileSync(LEDGER, 'utf8');
  const records = text
    .trimEnd()
    .split('\n')
    .map((line): EvidenceRecord => JSON.parse(line) as EvidenceRecord);

  it('is of a ledger that the machine still makes, byte for byte', () => {
    expect(
      troubled()
        .map((record) => `${encodeLine(record)}\n`)
        .join(''),
    ).toBe(text);
  });

  it('is what the auditor says of the ledger', () => {
    expect(validateRunFile([new TextEncoder().encode(text)])._tag).toBe('Right');
    expect(audited(records)).toEqual(JSON.parse(readFileSync(REPORT, 'utf8')));
  });

  it('names every kind of trouble that was played', () => {
    expect([...new Set(codesOf(audited(records)))].sort()).toEqual([
      'criterion_weakened',
      'oscillation',
      'repeated_triple',
      'unconfirmed_action',
      'unmet_criterion_dropped',
    ]);
  });
});
