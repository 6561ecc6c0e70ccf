/** The eleven tables: what they hold of the golden runs, and that no key comes twice. */
import { readFileSync, readdirSync } from 'node:fs';
import { orThrow, replayable, replayWith, type DerivedRecord } from '@assay/kernel';
import { planTables, type SqlTable } from '@assay/planner/tables';
import { describe, expect, it } from 'vitest';
import { planner } from '../../src/index.js';

const FOLDER = new URL('../../../../golden-fixtures/', import.meta.url);
const RUNS = readdirSync(FOLDER).filter((name) => name.startsWith('planner-e'));

function tables(name: string): ReadonlyMap<string, SqlTable> {
  const records = readFileSync(new URL(`${name}/ledger.jsonl`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DerivedRecord);
  orThrow(replayWith([replayable(planner)], records as never));
  return new Map(planTables(records).map((table) => [table.name, table]));
}

/** Rows of a table as objects. */
function rows(table: SqlTable | undefined): readonly Readonly<Record<string, unknown>>[] {
  return (table?.rows ?? []).map((row) =>
    Object.fromEntries((table?.columns ?? []).map((column, at) => [column, row[at]])),
  );
}

describe('tables of a run', () => {
  it.each(RUNS)('%s: eleven tables, whose keys tell rows apart', (name) => {
    const all = tables(name);
    expect([...all.keys()].toSorted()).toEqual([
      ...['artifacts', 'budget_ledger', 'capability_requests', 'constraints', 'kg_edges', 'kg_nodes'],
      ...['logs', 'node_dependencies', 'nodes', 'resolution_attempts', 'resolvers'],
    ]);
    for (const table of all.values()) {
      const keys = rows(table).map((row) => JSON.stringify(table.key.map((column) => row[column])));
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('E7: what is spent is what the report says, attempts name their nodes, edges their ends', () => {
    const all = tables('planner-e7-actuals');
    const spent = rows(all.get('budget_ledger'))
      .filter(({ event_type }) => event_type === 'spend')
      .reduce((sum, { amount }) => sum + Number(amount), 0);
    expect(spent).toBe(48_500);
    const nodes = new Set(rows(all.get('nodes')).map(({ id }) => id));
    for (const { node_id } of rows(all.get('resolution_attempts'))) expect(nodes).toContain(node_id);
    const known = new Set(rows(all.get('kg_nodes')).map(({ id }) => id));
    for (const { source_id, target_id } of rows(all.get('kg_edges'))) {
      expect(known).toContain(source_id);
      expect(known).toContain(target_id);
    }
    expect(rows(all.get('node_dependencies'))).toHaveLength(10);
  });
});
