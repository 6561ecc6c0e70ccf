/**
 * Requests that cannot be decided: a refusal with its reason and what would settle it, or exit 2; never a
 * blueprint that pretends.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, document, resultsIn, ROOT, temporaryFolder } from './lib/assay.ts';
import { requestFile } from './lib/requests.ts';

const folder = temporaryFolder();
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const BRACKET = requestFile(folder, 'bracket-drawing-note');
const policy = (name: string, content: object): string => file(name, JSON.stringify(content));

const REFUSED: readonly (readonly [what: string, args: readonly string[], reasons: readonly string[]])[] = [
  ['Japanese', [requestFile(folder, 'tosho-yoyaku')], ['nothing_actionable']],
  [
    'source code',
    [join(ROOT, 'packages', 'kernel', 'src', 'intent', 'score.ts')],
    ['no_valid_interpretation'],
  ],
  ['JSON', [join(ROOT, 'package.json')], ['nothing_actionable']],
  [
    '100 sentences that contradict each other',
    [
      file(
        'conflicts.txt',
        Array.from({ length: 100 }, (_, index) => `Logs must be kept for ${index + 1} days.`).join(' '),
      ),
    ],
    ['contradiction_budget'],
  ],
  [
    'no room in the graph',
    [BRACKET, '--set', `policy=@${policy('nodes.json', { max_nodes: 1 })}`],
    ['max_nodes'],
  ],
  [
    'a score nobody reaches',
    [
      requestFile(folder, 'clinic-reminders'),
      '--set',
      `policy=@${policy('score.json', { min_score: 1_000_000 })}`,
    ],
    ['below_min_score'],
  ],
];

describe('a request that cannot be decided', () => {
  test.each(REFUSED)(
    '%s is refused with its reason and what would settle it: exit 1',
    async (what, args, reasons) => {
      const out = join(folder, `out-${what}`);
      const { code, json } = await document(['run', ...args, '-o', out]);
      expect([code, json['status']]).toEqual([1, 'refused']);
      const report = JSON.parse(readFileSync(join(out, 'refusal.json'), 'utf8')) as {
        readonly reason_codes: readonly string[];
        readonly policy_suggestions: readonly string[];
      };
      expect(report.reason_codes).toEqual(reasons);
      expect(report.policy_suggestions.every((sentence) => sentence.length > 20)).toBe(true);
      expect(resultsIn(out)).toEqual(['refusal.json', 'refusal.md', 'run.ledger.jsonl']);
      expect((await assay(['verify', join(out, 'run.ledger.jsonl')])).code).toBe(0);
    },
  );

  test('10 MiB are wrong use: exit 2 with code and remedy, nothing written', async () => {
    const out = join(folder, 'out-large');
    const large = file('large.txt', 'Uploads must finish within 2 s. '.repeat(330_000));
    const { code, stderr } = await assay(['run', large, '-o', out]);
    expect([code, existsSync(out)]).toEqual([2, false]);
    expect(stderr).toMatch(/^assay: too_large: .+\n(?: {2}place {3}.+\n)? {2}remedy {2}.+/);
  });

  test('a text too long for the rules is refused, and told the limit and what it has', async () => {
    const long = Array.from({ length: 801 }, (_, index) => `Bar ${index} must hold ${index + 1} kg.`);
    const out = join(folder, 'out-long');
    const { code, stdout } = await assay(['run', file('claims.txt', long.join(' ')), '-o', out]);
    expect(code).toBe(1);
    expect(stdout).toContain('the text is too long: "claims 801, at most 800"');
    expect(JSON.parse(readFileSync(join(out, 'refusal.json'), 'utf8'))).toMatchObject({
      reason_codes: ['insufficient_proposals', 'proposer_gave_up'],
    });
  });

  test('a request that quotes code stays a request', async () => {
    const asked = file(
      'asked.txt',
      'Rewrite this so that it handles an empty list. It must return within 5 ms.\n\ndef ' +
        'first(items):\n    return items[0]\n',
    );
    const { code, json } = await document(['run', asked]);
    expect([code, json['status']]).toEqual([0, 'success']);
  });
});
