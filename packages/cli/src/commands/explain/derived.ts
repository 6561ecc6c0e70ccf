/**
 * A recorded run of the intent machine, derived again: only what re-derives is explained or built on.
 *
 * @module
 */
import {
  follow,
  hashCanonical,
  orThrow,
  type Context,
  type Digest,
  type EvidenceRecord,
  type Head,
  type Json,
  type JsonObject,
  type Status,
} from '@assay/kernel';
import { intent, type Grounds, type SlotAnswer } from '@assay/kernel/intent';
import { nativeSha256 } from '@assay/host';
import { EXIT } from '../../problems/exit.js';
import { objectIn, textIn, valueIn } from '../../terminal/fields.js';
import { misuse, Stop } from '../../problems/problem.js';

/**
 * A closed run whose every decision was derived again. `policy` and `input` as recorded; `answers` by slot,
 * as the machine holds them.
 */
type DerivedRun = {
  readonly file: string;
  readonly records: readonly EvidenceRecord[];
  readonly head: Head;
  readonly policy: JsonObject;
  readonly input: JsonObject;
  readonly grounds: Grounds;
  readonly context: Pick<Context, 'run_id' | 'hash'>;
  readonly status: Status;
  readonly artifacts: { readonly [name: string]: Json };
};

/** The digest of a value, as the machine takes it. */
function hashOf(value: Json): Digest {
  return orThrow(hashCanonical(value, nativeSha256));
}

/**
 * Derives every decision of records whose integrity holds again. `file`: how messages name them. Raises
 * `Stop`: exit 3 where re-derivation does not hold, 4 where it cannot be done, 2 for another machine's ledger
 * (`other_machine`), an open one (`run_open`) and one without its request (`continued`).
 */
export function deriveRecords(records: readonly EvidenceRecord[], file: string): DerivedRun {
  const [genesis, ...rest] = records;
  const by = objectIn(genesis?.payload, 'machine');
  if (genesis === undefined || textIn(by, 'name') !== intent.name)
    throw misuse(
      'other_machine',
      `this is a run of ${textIn(by, 'name') === '' ? 'no known machine' : textIn(by, 'name')}, and not of intent`,
      file,
      'name a ledger that assay run or assay control wrote',
    );
  let followed = follow(intent, genesis, { checked: true, sha256: nativeSha256 });
  for (const record of rest) {
    if (followed._tag === 'Left') break;
    followed = followed.right.feed(record);
  }
  if (followed._tag === 'Left') throw underivable(followed.left.code, followed.left.record, file);
  const { run, head, outcome, artifacts } = followed.right;
  const { setup, answers } = run.state;
  if (outcome === null || setup === null)
    throw misuse(
      'run_open',
      'this run is not over: nothing is decided yet',
      file,
      'explain it when it has ended; assay show prints what there is',
    );
  const input = objectIn(genesis.payload, 'input');
  const seedText = valueIn(input, 'seed_text');
  if (typeof seedText !== 'string' || hashOf(seedText) !== setup.seed_hash)
    throw misuse(
      'continued',
      'this run goes on from another one, which holds the request',
      file,
      'name the ledger it began in',
    );
  const given: readonly SlotAnswer[] = answers.sorted().map(([, answer]) => answer);
  return {
    file,
    records,
    head,
    policy: objectIn(genesis.payload, 'policy'),
    input,
    grounds: { seedText, policy: setup.policy, pin: setup.pin, answers: given },
    context: { run_id: head.run_id, hash: hashOf },
    status: outcome,
    artifacts,
  };
}

/** What is told of a ledger whose integrity holds and that does not re-derive. */
export function underivable(code: string, record: number, place: string): Stop {
  if (code === 'differs')
    return new Stop({
      code,
      message:
        `this ledger does not re-derive: the machine decides otherwise at record ${record}; what ` +
        'did not happen so is not explained',
      place,
      remedy: 'assay replay shows both; do not rely on this file',
      exit: EXIT.failed,
    });
  return new Stop({
    code,
    message: `this ledger cannot be derived again, from record ${record} on`,
    place,
    remedy: 'assay verify says more',
    exit: EXIT.unchecked,
  });
}
