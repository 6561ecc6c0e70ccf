/**
 * Tests with a server of their own need this machine's loopback address, which a network namespace without
 * any interface lacks (`unshare -rn npm test`). There they are left out, with one line; never under CI.
 */
import { networkInterfaces } from 'node:os';

/** Whether 127.0.0.1 can be reached; always true under CI, where nothing may be left out. */
export const hasLoopback: boolean =
  process.env['CI'] === 'true' ||
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => internal));

if (!hasLoopback)
  console.log('not run: tests with a server on 127.0.0.1, since there is no loopback interface here');
