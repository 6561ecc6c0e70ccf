/**
 * `assay record`: the answers of a run as a recording, to be given again without asking anybody.
 *
 * @module
 */
import { canonicalize, orThrow } from '@assay/kernel';
import { recordingOf, type RecordError } from '@assay/proposers';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit.js';
import { derivedRun } from '../explaining/derived.js';
import { requireApart, requireTarget, writeAll } from '../files/write.js';
import { textIn } from '../inputs/fields.js';
import { show } from '../output/shown.js';
import { misuse, type Stop } from '../problem.js';
import { commandLine } from '../whatif/quote.js';

type RecordOptions = { readonly output: string; readonly slot: readonly string[] };

/**
 * Writes the answers of a run's language models, or of the slots named, as a recording. Opens no connection. Raises `Stop`:
 * `no_such_slot`, `nothing_to_record`, `recording`, and those of {@link derivedRun}.
 */
export async function record({ output }: Context, ledger: string, { output: path, slot: wanted }: RecordOptions): Promise<ExitCode> {
  requireTarget(path);
  requireApart([path], [ledger]);
  const run = await derivedRun(ledger);
  const slots = run.grounds.policy.proposers;
  const unknown = wanted.find((slot) => !slots.includes(slot));
  if (unknown !== undefined) throw misuse('no_such_slot', 'the run has no such slot', `--slot ${unknown}`, `its slots are ${slots.join(', ')}`);
  const made = recordingOf(run.records, (proposal, { body }) => (wanted.length > 0 ? wanted.includes(textIn(body, 'slot')) : MODELS.has(textIn(proposal, 'source'))));
  if (made._tag === 'Left') throw unrecorded(made.left, ledger, slots);
  const { document, slots: recorded } = made.right;
  await writeAll([{ path, bytes: orThrow(canonicalize(document)) }]);
  output.document({ file: path, run_id: run.head.run_id, slots: recorded });
  output.line(show`${run.head.run_id}   recorded   ${recorded.join(', ')}`);
  output.line(show`written     ${path}`);
  output.line(show`next        ${commandLine(['assay', 'run', 'REQUEST', '--proposer', `recorded:${path}`])}`);
  return EXIT.done;
}

const MODELS: ReadonlySet<string> = new Set(['live_model', 'recorded_model']);

function unrecorded(error: RecordError, ledger: string, slots: readonly string[]): Stop {
  if (error.code === 'none') return misuse('nothing_to_record', 'no language model answered in this run', ledger, `name slots with --slot; this run has ${slots.join(', ')}`);
  return misuse('recording', `an answer of this run cannot be recorded: ${error.code} at ${error.path}`, ledger, 'name the slots to record with --slot');
}
