/**
 * One task in a generated workspace, done by `driveTask` and judged by the files.
 *
 * @module
 */
import { driveTask, openTaskTools } from '@assay/controller/shell';
import { defaultPolicy } from '@assay/controller';
import { drive, memoryOutputs, memoryStore } from '@assay/host';
import { orThrow } from '@assay/kernel';
import { makeWorkspace, outcomeOf } from './tasks.mjs';

/** Tools that may lose a file at a path. */
const LOSING = ['write_file', 'append_file', 'move_file', 'remove_file'];

/**
 * Does a task in a folder that is not there yet. `ports`: who answers for the roles, made for a run; `options`:
 * of the drive beside those of the task. Gives the outcome, the calls that were made, the tokens that were
 * spent, and why the run ended.
 */
export async function runTask(task, root, ports, options = {}) {
  makeWorkspace(root, task);
  const { tools, listed } = orThrow(await openTaskTools(root, {}));
  const genesis = {
    run_id: task.name,
    ts_base: 'T',
    policy: { ...defaultPolicy, tools: listed },
    input: { text: task.text, session: [], deadline_us: null },
  };
  const store = memoryStore();
  const records = [];
  const { ended } = orThrow(
    await driveTask({
      start: genesis,
      runId: task.name,
      store,
      tools,
      portsOf: () => ports,
      person: null,
      confirmed: (task.confirm ?? []).flatMap((target) => LOSING.map((tool) => ({ tool, target }))),
      recall: null,
      outputs: memoryOutputs(),
      done: null,
      onAppend: (added) => records.push(...added),
      drive: async (machine, driving) =>
        orThrow(await drive(machine, genesis, { ...driving, ...options, store })),
    }),
  );
  const proposals = records.filter(({ kind }) => kind === 'proposal').map(({ payload }) => payload);
  const result = records.find(({ payload }) => payload.name === 'final_result')?.payload.content ?? null;
  const outcome = outcomeOf(root, task, {
    accepted: ended.end === 'success',
    asked: ended.end === 'waiting',
    output: result?.output ?? '',
  });
  return {
    outcome,
    calls: proposals.filter(({ source }) => source === 'tool').length,
    tokens: proposals.reduce((sum, { spent }) => sum + tokensIn(spent), 0),
    why: result?.summary ?? ended.end,
    records,
  };
}

function tokensIn(spent) {
  return (spent.input_tokens ?? 0) + (spent.output_tokens ?? 0);
}
