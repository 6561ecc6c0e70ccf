/**
 * A store whose tables are not of this version, and what to type about it.
 *
 * @module
 */
import type { StoreError } from '@assay/host';
import { misuse, type Stop } from './problem.js';

type SchemaError = Extract<StoreError, { code: 'schema' }>;

/** The problem, exit 2. `place`: the store's address, without its password. */
export function schemaProblem({ detail, found, expected }: SchemaError, place: string): Stop {
  switch (detail) {
    case 'foreign':
      // It says that it is of this version, and its tables are not as this version makes them.
      if (found === expected)
        return misuse(
          'store_schema',
          'the tables of the store are not as Assay makes them, and would not keep what is written',
          place,
          'take away what was added to them (triggers, rules, checks, columns, unique indexes, ' +
            'row-level security), put back their keys, or give another place; nothing was changed',
        );
      return misuse(
        'store_schema',
        'what is there is no store of Assay',
        place,
        'give another place; nothing there was changed',
      );
    case 'newer':
      return misuse(
        'store_schema',
        `the store has schema version ${found}, newer than ${expected}, the newest this version knows`,
        place,
        'use the version of Assay that wrote it, or a later one; nothing was changed',
      );
  }
}
