/**
 * Policies before a run: what of one does nothing, and the permissions of a coding agent as one.
 *
 * @packageDocumentation
 */
export { checkPolicy } from './check-policy.js';
export { readPermissions } from './read-permissions.js';
