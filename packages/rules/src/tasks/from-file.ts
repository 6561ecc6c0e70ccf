/**
 * Families that read one file, or none. Source: 003 §R2.
 *
 * @module
 */
import { err, ok } from '@assay/kernel';
import type { Goal } from './goal.js';
import { inQuotes } from './tokens.js';
import type { Operation } from '@assay/controller/steps';
import { criterion, subTask } from './drafts.js';
import { thenWritten } from './from-search.js';
import { HANDED_ON, writing, writtenCriteria, type Planned } from './writing.js';
import { readWays, sizeWays, step, type LookWay, type Means } from './ways.js';

/**
 * How long a file is. Bytes are told by its size, so that a file need be no text; where that way is blocked,
 * counted in its text.
 */
export function measuredPlan({ unit, of, to }: Extract<Goal, { family: 'measure' }>, means: Means): Planned {
  const intent = `count the ${unit} of ${inQuotes(of)}`;
  const counted = read(of, intent, [['measure', unit], ['text']]);
  const told =
    unit === 'bytes'
      ? sizeWays(of).map(
          (way): Reading => ({
            way,
            operations: [['json_lines'], ['only', of], ['first'], ['pluck', 'size'], ['text']],
            says: ['the search ran to its end', 'what is handed on is what the search gives'],
          }),
        )
      : [];
  return readThenWritten(means, {
    intent,
    of,
    to,
    readings: [...told, ...counted],
  });
}

/** The sum of the numbers of a file. */
export function summed({ of, column, to }: Extract<Goal, { family: 'sum' }>, means: Means): Planned {
  const intent = `add up the numbers in ${inQuotes(of)}`;
  return readThenWritten(means, {
    intent,
    of,
    to,
    readings: read(of, intent, [['total', column], ['text']]),
  });
}

/**
 * A way to look at a file, what to make of what it shows, and what its two criteria say. A search shows no
 * file, so its criteria name none.
 */
type Reading = {
  readonly way: LookWay;
  readonly operations: readonly Operation[];
  readonly says: readonly [ran: string, gives: string];
};

function read(of: string, intent: string, operations: readonly Operation[]): readonly Reading[] {
  const says = [`${inQuotes(of)} was read`, `what is handed on is what the file gives: ${intent}`] as const;
  return readWays(of).map((way) => ({ way, operations, says }));
}

function readThenWritten(
  means: Means,
  {
    intent,
    of,
    to,
    readings,
  }: {
    readonly intent: string;
    readonly of: string;
    readonly to: string;
    readonly readings: readonly Reading[];
  },
): Planned {
  const reading = means.free(readings, ({ way }) => [way.use])[0];
  if (reading === undefined)
    return err({
      code: 'no_way_left',
      detail: `no other way to read ${of}${means.lacking(readings.map(({ way }) => way.use))}`,
    });
  const {
    way,
    operations,
    says: [ran, gives],
  } = reading;
  const found = subTask(1, {
    label: 'read',
    intent,
    tries: [[step('read', way.call)]],
    output: { from: 'read', do: operations },
    criteria: [
      criterion(ran, { is: 'ran', look: way.look }),
      criterion(gives, {
        is: 'claim',
        look: way.look,
        do: operations,
      }),
    ],
  });
  return thenWritten(means, found, to);
}

/** A second file with the same text. */
export function copied({ of, to }: Extract<Goal, { family: 'copy' }>, means: Means): Planned {
  const way = means.free(readWays(of), ({ use }) => [use])[0];
  if (way === undefined)
    return err({
      code: 'no_way_left',
      detail: `no other way to read ${of}${means.lacking(readWays(of).map(({ use }) => use))}`,
    });
  const write = writing(means, to, { from: 'read', do: [] });
  if (write._tag === 'Left') return write;
  const { steps, look } = write.right;
  const want = { text: null, looks: [{ id: 'read', look: way.look }], value: { from: 'read', do: [] } };
  const copy = subTask(1, {
    label: 'copy',
    intent: `copy ${inQuotes(of)} to ${inQuotes(to)}`,
    tries: [[step('read', way.call), ...steps]],
    output: HANDED_ON,
    criteria: [
      criterion(`${inQuotes(of)} was read`, { is: 'ran', look: way.look }),
      ...writtenCriteria(to, look, want),
    ],
  });
  return ok({
    subtasks: [copy],
    together: [criterion(`${inQuotes(to)} is handed on`, { is: 'present', at: 0 })],
  });
}

/** A file with a text that was given. */
export function created({ text, to }: Extract<Goal, { family: 'create' }>, means: Means): Planned {
  const write = writing(means, to, text);
  if (write._tag === 'Left') return write;
  const { steps, look } = write.right;
  const want = { text, looks: [], value: { from: 'none', do: [] } };
  const made = subTask(1, {
    label: 'create',
    intent: `create ${inQuotes(to)}`,
    tries: [steps],
    output: HANDED_ON,
    criteria: writtenCriteria(to, look, want),
  });
  return ok({
    subtasks: [made],
    together: [criterion(`${inQuotes(to)} is handed on`, { is: 'present', at: 0 })],
  });
}
