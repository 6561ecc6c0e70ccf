/** What every golden run replays to, each of its states, and each of its records by the published schemas. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator, type Schema } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { canonicalize, follow, ledgerRecord, orThrow, type EvidenceRecord, type Json } from '@assay/kernel';
import { nativeSha256 } from '@assay/host';
import { tally } from '@assay/testing/tally';
import { compareFixture } from '@assay/verifier';
import { findRow, type MachineName, type Use } from '@assay/views/machines';

const GOLDENS = fileURLToPath(new URL('../golden-fixtures/', import.meta.url));
const SCHEMAS = fileURLToPath(new URL('../schemas/', import.meta.url));
const STATES = fileURLToPath(new URL('../vectors/golden-states.json', import.meta.url));

const goldens = readdirSync(GOLDENS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'forgeries')
  .map(({ name }) => name);

function recordsOf(golden: string): readonly EvidenceRecord[] {
  const lines = readFileSync(`${GOLDENS}${golden}/ledger.jsonl`, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as EvidenceRecord);
}

function machineOf([genesis]: readonly EvidenceRecord[]): MachineName {
  return (genesis as unknown as { readonly payload: { readonly machine: MachineName } }).payload.machine;
}

/** One digest over the canonical text of the state after each group. */
async function digestStates(records: readonly EvidenceRecord[]): Promise<string> {
  const use: Use<string> = (machine) => {
    const hash = createHash('sha256');
    const [genesis, ...rest] = records;
    let seen = orThrow(follow(machine, genesis as EvidenceRecord, { sha256: nativeSha256, checked: true }));
    for (const record of rest) {
      seen = orThrow(seen.feed(record));
      if (record.kind === 'decision') hash.update(orThrow(canonicalize(machine.encode(seen.run.state))));
    }
    expect(seen.due).toEqual([]);
    return hash.digest('hex');
  };
  const row = findRow(machineOf(records));
  return row === undefined ? use(tally) : row.machine(use);
}

describe('the states of goldens', () => {
  it.each(goldens)('%s holds what it locks', (golden) => {
    const lock = JSON.parse(readFileSync(`${GOLDENS}${golden}/expected.json`, 'utf8')) as Json;
    expect(compareFixture(recordsOf(golden), lock, nativeSha256)).toEqual({ _tag: 'Right', right: null });
  });

  const kept = JSON.parse(readFileSync(STATES, 'utf8')) as { [golden: string]: string };

  it.each(goldens)('%s is derived again, and each state encodes to the bytes it had', async (golden) => {
    const digest = await digestStates(recordsOf(golden));
    if (process.env['ASSAY_DOCS'] === 'write') {
      kept[golden] = digest;
      writeFileSync(STATES, `${JSON.stringify(kept, null, 2)}\n`);
    }
    expect(digest).toBe(kept[golden]);
  });
});

/** Schemas by name, each read once. */
const published = new Map(
  readdirSync(SCHEMAS)
    .filter((file) => file.endsWith('.schema.json'))
    .map((file) => [
      file.replace('.schema.json', ''),
      new Validator(JSON.parse(readFileSync(`${SCHEMAS}${file}`, 'utf8')) as Schema, '2020-12'),
    ]),
);

/** What a golden holds, each with the names its schema may have; what has no schema is left out. */
function described(golden: string): readonly (readonly [schema: string, value: Json])[] {
  const records = recordsOf(golden);
  const { name } = machineOf(records);
  const kinds = new Map<string, string>();
  const found = records.flatMap((record): readonly (readonly [readonly string[], Json])[] => {
    const read = ledgerRecord(record);
    const whole: readonly [readonly string[], Json] = [['record'], record as unknown as Json];
    if (read?.payload === undefined) return [whole];
    const payload: readonly [readonly string[], Json] = [
      [`payload-${read.kind}`],
      read.payload as unknown as Json,
    ];
    switch (read.kind) {
      case 'genesis': {
        const { policy, input } = read.payload;
        return [
          whole,
          payload,
          [[`${name}-policy`, ...(name === 'intent' ? ['policy'] : [])], policy],
          [[`${name}-input`], input],
        ];
      }
      case 'decision':
        for (const { id, kind } of read.payload.requests) kinds.set(id, kind);
        return [
          whole,
          payload,
          ...read.payload.requests.map(({ kind, body }): readonly [readonly string[], Json] => [
            [`${name}-ask-${kind}`],
            body,
          ]),
        ];
      case 'artifact': {
        const file = read.payload.name.replaceAll('_', '-');
        return [
          whole,
          payload,
          [[`${name}-${file}`, ...(name === 'intent' ? [file] : [])], read.payload.content],
        ];
      }
      default:
        return [whole, payload];
    }
  });
  return found.flatMap(([names, value]) => {
    const schema = names.find((one) => published.has(one));
    return schema === undefined ? [] : [[schema, value] as const];
  });
}

describe('the records of goldens', () => {
  it.each(goldens)(
    '%s: records, payloads, requests, policy, input and artifacts fit their schemas',
    (golden) => {
      const faults = described(golden).flatMap(([name, value]) => {
        const { valid, errors } = published.get(name)?.validate(value) ?? { valid: false, errors: [] };
        return valid
          ? []
          : [
              `${name}: ${errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('; ')}`,
            ];
      });
      expect(faults).toEqual([]);
    },
  );
});
