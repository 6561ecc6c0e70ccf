/**
 * `expectSameDecisions`: recorded runs must be decided by a machine as they were, in anyone's tests.
 *
 * @module
 */
import { AssertionError } from 'node:assert';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest, Json, Machine, Sha256 } from '@assay/kernel';
import { endText, impact, impactRow, NO_CHANGE, redecider } from '@assay/verifier/impact';

/** How many runs were decided again, and how many decisions that were. */
export type SameDecisions = { readonly runs: number; readonly decisions: number };

const native: Sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex') as Digest;
const SHOWN = 5;

/**
 * Decides every run below a folder again (files `ledger.jsonl` and `*.ledger.jsonl`) from its recorded answers,
 * with your machine in the place of the recorded one of its name, whatever its version. Throws an
 * `AssertionError` that names each run whose decisions differ, cannot be known or cannot be used; and one where
 * there is no decision at all. A folder `forgeries` is left out.
 *
 * @example
 * ```ts
 * import { it } from 'vitest'; // or node:test
 * it('decides as recorded', () => void expectSameDecisions('golden', refundMachine));
 * ```
 */
export function expectSameDecisions<S, I, E extends Json, A extends Json>(
  folder: string,
  machine: Machine<S, I, E, A>,
): SameDecisions {
  const options = {
    machines: [],
    instead: [redecider(machine, { sha256: native })],
    change: NO_CHANGE,
    sha256: native,
  };
  const rows = ledgersIn(folder).map((path) => impactRow(path, impact([readFileSync(path)], options)));
  const decisions = rows.reduce((sum, row) => sum + row.decisions, 0);
  const odd = rows.filter((row) => row.class !== 'same');
  if (odd.length === 0 && decisions > 0) return { runs: rows.length, decisions };
  const lines = odd
    .slice(0, SHOWN)
    .map(
      ({ file, class: name, code, decision, was, would_be }) =>
        `\n  ${file}: ${name} ${code ?? `from decision ${decision ?? 0}`}: ${endText(was)} → ${endText(would_be)}`,
    );
  throw new AssertionError({
    message:
      odd.length === 0
        ? `${folder}: no decision to check in ${rows.length} ledgers`
        : `${odd.length} of ${rows.length} runs are not decided as recorded${lines.join('')}`,
    expected: 'every decision the same',
    actual: odd.map(({ file, class: name }) => `${file}: ${name}`),
    operator: 'expectSameDecisions',
  });
}

function ledgersIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return entry.name === 'node_modules' || entry.name === 'forgeries' ? [] : ledgersIn(path);
      return entry.name === 'ledger.jsonl' || entry.name.endsWith('.ledger.jsonl') ? [path] : [];
    });
}
