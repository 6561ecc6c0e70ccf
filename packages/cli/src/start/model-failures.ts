/** Why a language model gave no answer, in words. */
import { type Journal, Later, type DriveOptions, type Port } from '@assay/host';
import type { Json, RecordedProposal, Request } from '@assay/kernel';
import type { Context } from '../call/output.js';
import { llmGiven, readBudget, type ModelFlags, type ModelOptions } from '../options/llm.js';
import { EXIT, type Problem } from '../problems/problem.js';
import { textIn, valueIn, show } from '../terminal/shown.js';

/**
 * One problem for each of last answers, by who was asked in words, that is a failure of a live model. `ledger`: the
 * file that has the records; null where none was written. Exit 5 where it was not reached, or did not let us in.
 */
export function failuresAmong(
  answers: ReadonlyMap<string, RecordedProposal>,
  ledger: string | null,
): readonly Problem[] {
  return [...answers].flatMap(([who, proposal]) =>
    proposal.source !== 'live_model' || proposal.failure === null
      ? []
      : [describeProblem(who, proposal, proposal.failure.detail, ledger)],
  );
}

function describeProblem(
  who: string,
  proposal: RecordedProposal,
  detail: Json,
  ledger: string | null,
): Problem {
  const [failureClass, code] = [textIn(detail, 'class'), textIn(detail, 'code')];
  const failed = valueIn(proposal.provenance, 'failed');
  const status = valueIn(failed, 'status');
  const said = textIn(failed, 'said');
  const words = textIn(failed, 'words');
  const quoted = words === '' ? '' : `, in its words: ${JSON.stringify(words)}`;
  const answered = typeof status === 'number' ? ` (status ${status}${said === '' ? '' : `, ${said}`})` : '';
  const place = proposal.proposer;
  // A call without an answer has a class, or failed in a way that has none.
  if (code === '') {
    const [message, remedy] = (isRedirect(status) ? REDIRECTED : UNREACHED.get(failureClass)) ?? NO_CLASS;
    return {
      code: 'model_unreachable',
      message: `${who}: ${message}${answered}${quoted}`,
      place,
      remedy,
      exit: EXIT.unreachable,
    };
  }
  const isBudget = code === 'budget';
  const message = isBudget ? budgetText(detail) : `the answer was not accepted: ${code}`;
  const remedy = isBudget
    ? 'give a greater --llm budget, or a smaller --llm max_output_tokens'
    : chooseRemedy(code, proposal, ledger);
  return { code: 'model_failed', message: `${who}: ${message}`, place, remedy, exit: EXIT.no };
}

function isRedirect(status: Json): boolean {
  return typeof status === 'number' && status >= 300 && status < 400;
}

/** Where the words of an answer that was not accepted are to be read, if any were kept. */
function chooseRemedy(code: string, proposal: RecordedProposal, ledger: string | null): string {
  if (code === 'secret')
    return (
      'the server sent the key back, so nothing of its answer was kept; check the address, and ' +
      'make a new key if others see its answers'
    );
  if (textIn(proposal.provenance, 'raw_response').trim() === '') return AGAIN;
  return ledger === null
    ? `${AGAIN}; with -o FOLDER its words are kept for you to read`
    : `the record has its words: assay show ${ledger} records; ${AGAIN}`;
}

const AGAIN = 'run it again, or with another model';

type Sentence = readonly [message: string, remedy: string];
const LATER = 'run it again later';
const REDIRECTED: Sentence = [
  'its address redirects calls, and the key is not sent on',
  'give the new address, if you trust it',
];
const NO_CLASS: Sentence = ['it could not be called', 'check its address'];
const UNREACHED: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ['rate_limited', ['the provider takes no more calls now', LATER]],
  ['server_error', ['the provider has a server error', LATER]],
  ['timeout', ['no answer came in time', 'run it again, with a greater --llm timeout']],
  [
    'refused',
    [
      'no server answers at this address, or the connection broke',
      'check that the server runs, and its address',
    ],
  ],
  ['dns', ['its host name is unknown', 'check the address']],
  ['denied', ['the provider rejects this key', 'check the key and its permissions']],
  ['malformed', ['what answers there is no language model', 'check the address: many end in /v1']],
  ['permanent', ['the provider refused the call', 'check the name of the model, and the account']],
]);

function budgetText(detail: Json): string {
  const [limit, spent, reserved, needed] = ['limit', 'spent', 'reserved', 'needed'].map((key) =>
    JSON.stringify(valueIn(detail, key)),
  );
  return (
    `the budget does not cover it: of ${limit} ${textIn(detail, 'unit')}, ${spent} are spent ` +
    `and ${reserved} reserved, and it could need ${needed}`
  );
}

/** How language models are asked in a call. Raises `Stop`: `bad_value`. */
export function modelOptions({ env, output }: Context, { llm }: Pick<ModelFlags, 'llm'>): ModelOptions {
  return { env, ...llmGiven(llm), say: (line) => output.note(show`assay: ${line}`) };
}

/** What a run with language models is driven with beside the rest. */
export type LiveDrive = Pick<DriveOptions, 'budget' | 'concurrency' | 'order' | 'deadlines'>;

/**
 * `units`: in which models are counted. `slots`: how many are asked at once; 1 where a person is asked too.
 */
export type LiveOptions = {
  readonly units: ReadonlySet<string>;
  readonly slots: number;
  readonly journal: Journal | null;
  readonly flags: ModelFlags;
};

/**
 * Slots are asked at once and recorded by turn, so that who answers sooner does not show. Without models, the
 * notes of calls that were lost before. Raises `Stop`: `bad_value`.
 */
export function liveDrive({ units, slots, journal, flags: { llm } }: LiveOptions): LiveDrive {
  const limits = readBudget(llm, units);
  const { timeoutMs: call } = llmGiven(llm);
  const notes = journal === null ? {} : { notes: journal.calls };
  // A model may have been asked for this run before, and killed over it: that is charged, whoever answers
  // now.
  if (units.size === 0) return { budget: { limits, ...notes } };
  return {
    budget: { limits, ...notes },
    concurrency: slots,
    order: 'turn',
    ...(call === null ? {} : { deadlines: { call } }),
  };
}

/** What nobody here can answer waits for somebody who can. */
export function laterPort({ accepts: [source = 'human'] }: Request): Port {
  return { source, proposer: 'nobody', perform: () => Promise.reject(new Later()) };
}
