/** Integrity and re-derivation apart, as two threads do them, come to what they come to together. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { replayable } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { tally } from '@assay/testing/tally';
import { RederiveStream, verify, VerifyStream } from '@assay/verifier';

const FOLDER = fileURLToPath(new URL('../../../golden-fixtures/forgeries', import.meta.url));
const LEDGERS = readdirSync(FOLDER)
  .map((name) => `${FOLDER}/${name}/ledger.jsonl`)
  .filter(existsSync);
const machines = [replayable(tally), replayable(intent)];

describe.each([700, 1_048_576])('in chunks of %i bytes', (size) => {
  test.each([{}, { limits: { records: 5 } }])('every forgery, and its twin: %j', (given) => {
    const found = LEDGERS.map((path) => {
      const bytes = readFileSync(path);
      const stream = new VerifyStream(path, { ...given, machines: [] });
      const beside = new RederiveStream({ ...given, machines });
      for (let from = 0; from < bytes.length && !stream.isDecided; from += size) {
        const chunk = bytes.subarray(from, from + size);
        stream.push(chunk);
        beside.push(chunk, stream.records);
      }
      const { document, facts } = stream.end();
      const { due, rederivation } = beside.end(facts.summary);
      return { ...document, due, checks: { ...document.checks, rederivation } };
    });
    expect(found).toEqual(
      LEDGERS.map((path) => verify(path, readFileSync(path), { ...given, machines }).document),
    );
  });
});
