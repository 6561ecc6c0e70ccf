/**
 * The tool `run_check`: one of the commands that the person who started the run has declared, word for word.
 * Source: dec-K82.
 *
 * @module
 */
import { err, ok } from '@assay/kernel';
import * as z from 'zod';
import { type CallContext, done, ended, type Ended, toolForm, type ToolForm } from '../calls/call.js';
import { plainInput } from '../calls/aim.js';
import { denied, failed } from '../refusal.js';
import { runProgram } from './program.js';
import { withSpot } from '../workspace/descend.js';
import { insidePath } from '../workspace/path.js';

/** A name of a check, as constraints name it. */
export const CHECK_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const Input = z.strictObject({ name: z.string() });

/**
 * Reads `"unit"` or `{name}`. Runs exactly the declared words in the workspace: no shell, an empty environment,
 * a network of its own where the system allows, within bounds of its own. Exit 0 is `ok`; another is `exit`,
 * and `why` says which. A name that was not declared is `not_allowed`.
 */
export const RUN_CHECK: ToolForm = toolForm(Input, 'name', ({ name }) =>
  CHECK_NAME.test(name)
    ? ok({
        input: plainInput('name', name),
        about: { sought: [], follow: false, say: () => name },
        act: (context) => act(context, name),
      })
    : err(denied('bad_input', 'at /name: no name of a check')),
);

async function act(context: CallContext, name: string): Promise<Ended> {
  const words = context.checks.get(name);
  if (words === undefined) return ended(denied('not_allowed', `${name} is not declared`));
  const { limits } = context;
  const bounds = [
    `--as=${limits.checkMemoryBytes}`,
    `--cpu=${limits.checkCpuSeconds}:${limits.checkCpuSeconds + 1}`,
    `--fsize=${limits.checkFileBytes}`,
  ];
  const ran = await withSpot(
    context.workspace,
    insidePath([]),
    { make: false, follow: true },
    async ({ folder }) => ok(await runProgram(context, folder.address, words, bounds)),
  );
  if (ran._tag === 'Left') return ended(ran.left);
  const { output, whole, stop, fault } = ran.right;
  if (typeof stop === 'string') return { ...done(output), status: 'truncated', code: 'output_limit', whole };
  if (stop !== null) return ended(stop, { before: output });
  if (fault === null) return { ...done(output), whole: whole.bytes > output.length ? whole : null };
  return { ...ended(failed('exit', fault.message), { before: output }), why: fault.how };
}
