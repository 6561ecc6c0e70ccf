/**
 * What is listed: the names of runs, and a name for rows that belong to none.
 *
 * @module
 */
import { compareText } from '@assay/kernel';
import type { Connection } from './driver.js';

/**
 * Names by UTF-16 code units. Of records whose run is not there, the first row of each such run:
 * `records(RUN,SEQ)`, which is no run id. Linear in the runs, not in their records.
 */
export function namesIn(db: Connection): readonly string[] {
  const names = [
    ...db.rows('SELECT run_id FROM runs').map((row) => row['run_id']),
    ...db.rows(STRAYS).map((row) => row['name']),
  ];
  return names.map(String).sort(compareText);
}

/** True for the name of a row that belongs to no run. */
export function isStray(name: string): boolean {
  return /^records\(-?[0-9]+,-?[0-9]+\)$/.test(name);
}

/** Steps from run to run by the key, past the records of each. */
const STRAYS =
  `WITH RECURSIVE each(run) AS (
    SELECT min(run) FROM records UNION ALL SELECT (SELECT min(run) FROM records WHERE run > each.run) ` +
  `FROM each WHERE run IS NOT NULL
  ) SELECT 'records(' || run || ',' || (SELECT min(seq) FROM records WHERE records.run = each.run) || ')' AS name
  FROM each WHERE run IS NOT NULL AND run NOT IN (SELECT id FROM runs)`;
