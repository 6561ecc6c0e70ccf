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
          'the tables of this store were changed and cannot be trusted',
          place,
          'remove added triggers, rules, checks, columns, unique indexes and row-level security, ' +
            'and restore the keys; or give another store; nothing was changed',
        );
      return misuse(
        'store_schema',
        'this is not a store of Assay',
        place,
        'give another store; nothing was changed',
      );
    case 'newer':
      return misuse(
        'store_schema',
        `the store has schema version ${found}; this version of Assay supports up to ${expected}`,
        place,
        'use a newer version of Assay; nothing was changed',
      );
  }
}
