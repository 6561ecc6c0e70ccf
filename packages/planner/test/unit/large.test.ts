/** Plans far above the sizes of the laws: proven where one leaf does it, and nothing nested too deep. */
import { orThrow, type Json } from '@assay/kernel';
import { describe, expect, it } from 'vitest';
import {
  checkCertificate,
  parsePlan,
  questionOf,
  repair,
  type Certificate,
} from '../../src/schedule/index.js';

/** So many tasks, each with one cheaper and slower alternative. */
function plan(count: number, cap: number): Json {
  const tasks = Array.from({ length: count }, (_, index) => ({
    id: `t${String(index).padStart(3, '0')}`,
    minutes: 10,
    confidence: 500_000,
    amounts: { cost: 100 + index },
    alternatives: [
      { id: 'a', minutes: 20, confidence: 400_000, amounts: { cost: 40 + ((index * 37) % 41) } },
    ],
  }));
  return { plan: 1, rows: [{ id: 'cost', op: '<=', cap }], tasks };
}

function depth(node: Certificate): number {
  return 'parts' in node ? 1 + Math.max(0, ...node.parts.map(([, inner]) => depth(inner))) : 0;
}

describe('large plans', () => {
  it('the fewest substitutions among 300 tasks are proven, as the greatest savings add up', () => {
    const read = orThrow(parsePlan(plan(300, 50_000)));
    const savings = read.tasks.map(
      ({ approaches: [own, other] }) => (own?.amounts[0]?.[1] ?? 0) - (other?.amounts[0]?.[1] ?? 0),
    );
    let left = savings.reduce(
      (sum, _, task) => sum + (read.tasks[task]?.approaches[0]?.amounts[0]?.[1] ?? 0),
      -50_000,
    );
    let fewest = 0;
    for (const saving of savings.toSorted((a, b) => b - a)) {
      if (left <= 0) break;
      left -= saving;
      fewest += 1;
    }
    const found = repair(read);
    expect('key' in found ? found.key.changes.length : null).toBe(fewest);
    expect(found.proofs.map(({ criterion }) => criterion)).toContain('substitutions');
    for (const { objective, bounds, claim, certificate } of found.proofs) {
      expect(depth(certificate)).toBeLessThanOrEqual(80);
      expect(checkCertificate(questionOf(read, objective, bounds), claim, certificate)).toBe(true);
    }
  });

  it('certificates nested deeper than 80 branches are refused', () => {
    const read = orThrow(parsePlan(plan(1, 10)));
    const question = questionOf(read, null);
    const leaf: Certificate = { weights: [['cost', 1]], unit: 0 };
    const nested = (levels: number): Certificate =>
      levels === 0 ? leaf : { task: 't000', parts: [[['base', 'a'], nested(levels - 1)]] };
    expect(checkCertificate(question, { kind: 'unsat' }, nested(80))).toBe(true);
    expect(checkCertificate(question, { kind: 'unsat' }, nested(81))).toBe(false);
  });
});
