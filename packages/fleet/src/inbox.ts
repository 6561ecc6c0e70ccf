/** The port of source `human`: what people answered a fleet, else later. */
import { Later, type Port } from '@assay/host';
import type { Json } from '@assay/kernel';
import type { Table } from './table/table.js';

/** After so long answers are looked for again where the table could not be read. */
const AWAY_MS = 1_000;

/**
 * Answers from the fleet's table, with `by` in their provenance, one for each attempt: where the machine rejects an
 * answer, the request is open for another. Raises `Later` if no answer came. `now`: the server's time.
 */
export function makeInbox(run: string, table: Pick<Table, 'findAnswer'>, now: () => number): Port {
  return {
    source: 'human',
    proposer: 'inbox',
    perform: async ({ id }, { key }) => {
      const attempt = Number(key.slice(key.lastIndexOf('/') + 1));
      const given = await table.findAnswer(run, id, attempt).catch(() => {
        // This is no failure of the person: no attempt is used.
        throw new Later({ until: now() + AWAY_MS * 1_000 });
      });
      if (given === null) throw new Later();
      return { value: JSON.parse(given.value) as Json, at_us: given.at, provenance: { by: given.by } };
    },
  };
}
