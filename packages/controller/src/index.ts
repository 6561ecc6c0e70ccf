/**
 * The controller of Assay: roles as a protocol, the goal gradient, and the loops around them, as one pure machine.
 *
 * @packageDocumentation
 */
export * from './protocol/roles.js';
