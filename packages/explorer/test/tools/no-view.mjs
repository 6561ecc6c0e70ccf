/** A machine of a user who wrote no view. */
export { machines } from './own-machine.mjs';
