/**
 * For tests of your own machines and ledgers.
 *
 * @packageDocumentation
 */
export * from './machines/tally.js';
