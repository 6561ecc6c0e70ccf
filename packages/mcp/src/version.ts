/**
 * The version of this package, and of all of Assay's: they are released together.
 *
 * @module
 */

/** Version that servers and clients of this package state. */
export const VERSION = '0.1.0';
