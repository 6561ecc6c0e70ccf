/** `assay record`: the answers of a run as a recording, to be given again without asking anybody. */
import { nativeSha256 } from '@assay/host';
import { canonicalize, orThrow, replayable, type EvidenceRecord, type JsonObject } from '@assay/kernel';
import { makeRecording, type RecordError } from '@assay/proposers';
import { derivedAgain } from '@assay/verifier/impact';
import type { Context } from '../call/output.js';
import { soundLedger, underivable } from '../files/ledger.js';
import { shortenName } from '../files/read.js';
import { requireTarget, writeNew } from '../files/write.js';
import { findKit } from '../kits/kits.js';
import { chooseMachine } from '../options/machines.js';
import { EXIT, misuse, type ExitCode, type Stop, badValue } from '../problems/problem.js';
import type { Recorded } from '../start/kit.js';
import { commandLine, show, textIn } from '../terminal/shown.js';
import { requireGenesis } from './whatif/fork.js';

type RecordOptions = { readonly output: string; readonly slot: readonly string[] };

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
  const { what, named: slots, slotOf, again } = await askedIn(records, shortenName(ledger));
  const unknown = wanted.find((slot) => !slots.includes(slot));
  if (unknown !== undefined)
    throw badValue(
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
  output.line(show`next        ${commandLine([...again, '--proposer', `recorded:${path}`])}`);
  return EXIT.done;
}

const MODELS: ReadonlySet<string> = new Set(['live_model', 'recorded_model']);

function unrecorded(
  error: RecordError,
  ledger: string,
  { what, slots }: { readonly what: string; readonly slots: readonly string[] },
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
 * What the kit says of a run that is over and whose decisions were derived again, and its slots. Raises `Stop`: exit 3
 * where re-derivation does not hold, `other_machine`, `run_open`, `continued`.
 */
async function askedIn(
  records: readonly EvidenceRecord[],
  file: string,
): Promise<Recorded & { readonly named: readonly string[] }> {
  const { genesis } = requireGenesis(records, file);
  const recorded = (await findKit(genesis.machine.name))?.recorded;
  const replays = await chooseMachine([], genesis, (one) => replayable(one, { sha256: nativeSha256 }));
  if (recorded === undefined || replays === null)
    throw misuse(
      'other_machine',
      `this is a run of ${genesis.machine.name}`,
      file,
      'name a ledger that assay run, assay task or assay plan wrote',
    );
  const derived = derivedAgain(replays, { genesis, records });
  if (derived._tag === 'Left') throw underivable(derived.left.code, derived.left.record, file);
  if (records.at(-1)?.kind !== 'close')
    throw misuse(
      'run_open',
      'this run is not over: nothing is decided yet',
      file,
      'record it when it has ended; assay show prints what there is',
    );
  return { ...recorded, named: recorded.slots(genesis.policy as JsonObject) };
}
