/**
 * `assay record`: the answers of a run as a recording, to be given again without asking anybody.
 *
 * @module
 */
import { canonicalize, follow, orThrow, runView, type EvidenceRecord, type Request } from '@assay/kernel';
import { intent } from '@assay/kernel/intent';
import { nativeSha256 } from '@assay/host';
import { makeRecording, type RecordError } from '@assay/proposers';
import type { Context } from '../call/output.js';
import { EXIT, misuse, type ExitCode, type Stop } from '../problems/problem.js';
import { shortenName } from '../files/read.js';
import { requireTarget, writeNew } from '../files/write.js';
import { objectIn, textIn, show } from '../terminal/shown.js';
import { soundLedger, underivable } from '../files/ledger.js';

import { commandLine } from '../terminal/shown.js';

type RecordOptions = { readonly output: string; readonly slot: readonly string[] };

/**
 * Who was asked in a run: the slots of a request, or the roles of a controller. `again`: the command that
 * gives a recording again.
 */
type Asked = {
  readonly what: string;
  readonly slots: readonly string[];
  readonly slotOf: (request: Request) => string | null;
  readonly again: (recording: string) => readonly string[];
};

/**
 * Writes the answers of a run's language models, or of the slots or roles named, as a recording. Opens no
 * connection. Raises `Stop`: `bad_value`, `nothing_to_record`, `recording`, `exists`, and those of
 * deriving a run again.
 */
export async function record(
  { output }: Context,
  ledger: string,
  { output: path, slot: wanted }: RecordOptions,
): Promise<ExitCode> {
  requireTarget(path);
  const { records, summary } = await soundLedger(ledger);
  const { what, slots, slotOf, again } = await askedIn(records, ledger);
  const unknown = wanted.find((slot) => !slots.includes(slot));
  if (unknown !== undefined)
    throw misuse(
      'bad_value',
      `this run has no such ${what}`,
      `--slot ${unknown}`,
      `its ${what}s are ${slots.join(', ')}`,
    );
  const made = makeRecording(
    records,
    (proposal, request) =>
      wanted.length > 0 ? wanted.includes(slotOf(request) ?? '') : MODELS.has(textIn(proposal, 'source')),
    slotOf,
  );
  if (made._tag === 'Left') throw unrecorded(made.left, ledger, { what, slots });
  const { document, slots: recorded } = made.right;
  await writeNew([{ path, bytes: orThrow(canonicalize(document)) }]);
  const { run_id } = summary;
  output.document({ file: path, run_id, slots: recorded });
  output.line(show`${run_id ?? ''}   recorded   ${recorded.join(', ')}`);
  output.line(show`written     ${path}`);
  output.line(show`next        ${commandLine(again(path))}`);
  return EXIT.done;
}

/**
 * Derives the run again, and says who was asked in it. What speaks of a controller is loaded only for one.
 */
async function askedIn(records: readonly EvidenceRecord[], ledger: string): Promise<Asked> {
  if (textIn(objectIn(records[0]?.payload, 'machine'), 'name') === 'controller') {
    const [{ requireTask }, { CAST, findCast }] = await Promise.all([
      import('../kits/controller/after.js'),
      import('@assay/controller'),
    ]);
    requireTask(records, shortenName(ledger));
    return {
      what: 'role',
      slots: CAST,
      slotOf: ({ kind }) => findCast(kind),
      again: (recording) => [
        'assay',
        'task',
        'TASK',
        '--workspace',
        'DIR',
        '--proposer',
        `recorded:${recording}`,
      ],
    };
  }
  if (textIn(objectIn(records[0]?.payload, 'machine'), 'name') === 'planner') {
    const [{ ASK_KINDS }, { requirePlan }] = await Promise.all([
      import('@assay/planner'),
      import('./export.js'),
    ]);
    requirePlan(records, shortenName(ledger));
    return {
      what: 'kind',
      slots: ASK_KINDS,
      slotOf: ({ kind }) => kind,
      again: (recording) => ['assay', 'plan', 'GOAL', '--proposer', `recorded:${recording}`],
    };
  }
  return {
    what: 'slot',
    slots: slotsDerived(records, shortenName(ledger)),
    slotOf: ({ body }) => textIn(body, 'slot'),
    again: (recording) => ['assay', 'run', 'REQUEST', '--proposer', `recorded:${recording}`],
  };
}

const MODELS: ReadonlySet<string> = new Set(['live_model', 'recorded_model']);

function unrecorded(
  error: RecordError,
  ledger: string,
  { what, slots }: Pick<Asked, 'what' | 'slots'>,
): Stop {
  if (error.code === 'none')
    return misuse(
      'nothing_to_record',
      'no language model answered in this run',
      ledger,
      `name ${what}s with --slot; this run has ${slots.join(', ')}`,
    );
  return misuse(
    'recording',
    `one answer of this run is not recordable: ${error.code} at ${error.path}`,
    ledger,
    `name the ${what}s to record with --slot`,
  );
}

/**
 * The slots of a closed run of the intent machine, each decision derived again. Raises `Stop`: exit 3 where
 * re-derivation does not hold, 4 where it cannot be done, 2 for another machine's ledger (`other_machine`),
 * an open one (`run_open`) and one without its request (`continued`).
 */
function slotsDerived(records: readonly EvidenceRecord[], file: string): readonly string[] {
  const [genesis, ...rest] = records;
  const by = runView(records);
  const machine = by._tag === 'Right' ? by.right.genesis.machine.name : 'no known machine';
  if (genesis === undefined || machine !== intent.name)
    throw misuse(
      'other_machine',
      `this is a run of ${machine}, and not of intent`,
      file,
      'name a ledger that assay run or assay task wrote',
    );
  let followed = follow(intent, genesis, { checked: true, sha256: nativeSha256 });
  for (const record of rest) {
    if (followed._tag === 'Left') break;
    followed = followed.right.feed(record);
  }
  if (followed._tag === 'Left') throw underivable(followed.left.code, followed.left.record, file);
  const { run, outcome } = followed.right;
  if (outcome === null || run.state.setup === null)
    throw misuse(
      'run_open',
      'this run is not over: nothing is decided yet',
      file,
      'record it when it has ended; assay show prints what there is',
    );
  if (followed.right.genesis.base !== null)
    throw misuse(
      'continued',
      'this run continues another one, which holds the request',
      file,
      'name the ledger it began in',
    );
  return run.state.setup.policy.proposers;
}
