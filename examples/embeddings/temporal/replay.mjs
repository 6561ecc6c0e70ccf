/**
 * `node replay.mjs history.json`: the SDK's own replay of a history, without a service. Ends with 0 where the
 * workflow asks for what the history has.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

Runtime.install({ logger: new DefaultLogger('ERROR') });

/** Replays; raises `DeterminismViolationError` where another activity is asked for than the history has. */
export async function replay(history, options = {}) {
  await Worker.runReplayHistory(
    { workflowsPath: fileURLToPath(new URL('workflow.mjs', import.meta.url)), ...options },
    history,
  );
}

if (process.argv[1] === import.meta.filename) {
  await replay(JSON.parse(readFileSync(process.argv[2], 'utf8')));
  console.log('replayed');
}
