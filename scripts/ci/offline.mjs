/**
 * Runs a command with the network cut (a network namespace of its own); where that is not possible, says so
 * and runs nothing.
 */
import { capture, run } from '../lib/run.mjs';

const [...command] = process.argv.slice(2);
if (process.platform !== 'linux' || !isPossible()) {
  console.log('offline: no network namespace can be made here; not run');
  process.exit(process.env['CI'] === 'true' && process.platform === 'linux' ? 1 : 0);
}
process.exit(run('unshare', ['-rn', ...command]));

function isPossible() {
  try {
    return capture('unshare', ['-rn', 'true']).code === 0;
  } catch {
    return false;
  }
}
