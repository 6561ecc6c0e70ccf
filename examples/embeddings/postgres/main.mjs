/**
 * `node main.mjs postgres://… yes|no`: each refund is a row of the table `refunds`, committed with the
 * decision it follows from.
 */
import pg from 'pg';
import { drive, portsByKind } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { openUrl } from '@assay/store-postgres';
import { refunds } from '../refunds/machine.mjs';
import { genesis, ports } from '../refunds/scenario.mjs';
import { withRows } from './rows.mjs';

const [, , url, word = 'no', runId = genesis.run_id] = process.argv;
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query(
  'CREATE TABLE IF NOT EXISTS refunds (run text, order_id text, cents integer, receipt text, PRIMARY ' +
    'KEY (run, order_id))',
);

/** What was decided, as rows: an event of the machine is what happened. */
async function rows(within, records) {
  const events = records.flatMap(({ kind, payload }) => (kind === 'decision' ? payload.events : []));
  for (const { t, order, cents, receipt } of events)
    if (t === 'refunded')
      await within.query('INSERT INTO refunds VALUES ($1, $2, $3, $4)', [runId, order, cents, receipt]);
}

const store = withRows(orThrow(openUrl(url)), client, rows);
const { end } = orThrow(
  await drive(refunds, { ...genesis, run_id: runId }, { store, ports: portsByKind(ports(word)) }),
);
console.log(
  end,
  (await client.query('SELECT order_id, cents, receipt FROM refunds WHERE run = $1 ORDER BY 1', [runId]))
    .rows,
);
await Promise.all([client.end(), store.close()]);
