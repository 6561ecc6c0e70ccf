/** Records and the rows they are about in one transaction of PostgreSQL: both are there, or neither is. */
import { encodeLine, err, ok } from '@assay/kernel';
import { headAfter } from '@assay/host';

/**
 * `store` of `@assay/store-postgres`, with `rows(client, records)` called within the transaction that stores
 * a group. What it raises takes the records back. `client`: a connection of its own. The first group, which
 * only asks, has no rows.
 */
export function withRows(store, client, rows, schema = 'assay') {
  const append = async (runId, expected, records) => {
    if (expected === null || records.length === 0) return store.append(runId, expected, records);
    const next = headAfter(runId, expected, records);
    await client.query('BEGIN');
    try {
      // One row of `runs` is what two writers queue for.
      const moved = await client.query(
        `UPDATE ${schema}.runs SET count = $2, hash = $3 WHERE run = $1 AND count = $4 AND hash = $5`,
        [runId, next.count, next.hash, expected.count, expected.hash],
      );
      if (moved.rowCount === 1) {
        for (const [index, record] of records.entries())
          await client.query(`INSERT INTO ${schema}.records VALUES ($1, $2, $3)`, [
            runId,
            expected.count + index,
            encodeLine(record),
          ]);
        await rows(client, records);
      }
      await client.query(moved.rowCount === 1 ? 'COMMIT' : 'ROLLBACK');
      return moved.rowCount === 1
        ? ok(next)
        : err({ code: 'stale_head', run_id: runId, expected, actual: null });
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined); // the connection may be gone
      throw error;
    }
  };
  return {
    append,
    read: (runId, from) => store.read(runId, from),
    head: (runId) => store.head(runId),
    list: () => store.list(),
    close: () => store.close(),
  };
}
