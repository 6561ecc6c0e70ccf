/**
 * Forgeries as recipes. A line of `recipes.jsonl` says the twin, what finds the forgery (re-derivation, which `differs`,
 * where nothing else is said) at which record, and what is put where, as [record, JSON pointer, value]. Every hash is
 * computed again, those inside payloads too, so that only running the machine on the recorded answers tells; with
 * `hashes: "as they stand"` those inside payloads are not, and integrity tells.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { readRecords } from '../lib/goldens.mjs';
import { differs } from './decisions.mjs';
import { chain, changed, draftsOf, fileOf, linesOf, made, proposed, reclosed, renumbered } from './forge.mjs';
import { decided, INTENT_TWIN } from './intent.mjs';
import { headLine } from './rewrites.mjs';
import { poll } from './runs.mjs';

/** Honest runs: the name of the twin, what it is, and its golden run; a memory is its own. */
const TWINS = [
  [
    'twin-memory',
    'a memory that is written to, read, dreams, and loses a tag by a person',
    'forgeries/twin-memory',
  ],
  ['twin-controller', 'a task of three rounds: change_path, refine, accept', 'controller-refine'],
  ['twin-controller-person', 'a task whose removal a person does not allow', 'controller-unconfirmed'],
  ['twin-controller-calls', 'a task three of whose moves are turned away', 'controller-turned-away'],
  ['twin-controller-held', 'a task that waits for a person twice over one call', 'controller-held'],
  ['twin-planner', 'a plan that breaks its cap and is repaired', 'planner-e1-agent'],
  [
    'twin-planner-solved',
    'a plan carried out, planned again once where reality broke it',
    'planner-e7-actuals',
  ],
  ['twin-library', 'a library that three goals wrote to', 'library-three-goals'],
  ['twin-ecology-signatures', 'two of three sign before a treasury pays', 'ecology-22-signatures'],
  ['twin-ecology-buyers', 'two buyers want one listing', 'ecology-2-two-buyers'],
  ['twin-ecology-price', 'an auction of three slots', 'ecology-3-price'],
  ['twin-ecology-rate', 'a rate is used and then sold', 'ecology-14-rate'],
  ['twin-ecology-void', 'a score that is void, and its refund', 'ecology-6-void'],
  ['twin-gate-support', 'a support agent behind a gate', 'gate-support'],
  ['twin-gate-budgets', 'budgets of tokens and calls', 'gate-budgets'],
  ['twin-gate-labels', 'no mail after the web', 'gate-labels'],
];

/** The honest runs of the recipes. */
export function recipeTwins() {
  return TWINS.map(([name, what, from]) => {
    const records = readRecords(from);
    return { name, what, bytes: fileOf(linesOf(records)), head: headLine(records) };
  });
}

/** The forgeries of the recipes. */
export function recipeForgeries() {
  const honest = new Map([
    ['twin-poll', draftsOf(poll())],
    [INTENT_TWIN, draftsOf(decided())],
    ...TWINS.map(([name, , from]) => [name, draftsOf(readRecords(from))]),
  ]);
  const recipes = readFileSync(new URL('recipes.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return [
    ...recipes.map((line) => forgeryOf(JSON.parse(line), honest)),
    rejectionErased(honest.get('twin-controller-calls')),
  ];
}

function forgeryOf({ name, forged, twin, record, edits, hashes, ...more }, honest) {
  const isRaw = hashes !== undefined;
  const drafts = edits.reduce((before, edit) => edited(before, edit, isRaw), honest.get(twin));
  const bytes = fileOf(chain(isRaw ? drafts : reclosed(drafts)));
  const { caught, off, exit, ...rest } = differs(name, forged, bytes, record, twin);
  const { check = caught.check, verdict = caught.verdict, code = caught.code } = more;
  return {
    ...rest,
    caught: { check, verdict, code, record },
    off: more.off ?? off,
    exit: more.exit ?? exit,
  };
}

/** Drafts with a value put at a place of a payload. */
function edited(drafts, [record, pointer, value], isRaw) {
  const { kind } = drafts[record];
  return changed(drafts, record, (payload) => {
    const keys = pointer.split('/').slice(1);
    const last = keys.pop();
    keys.reduce((inner, key) => inner[key], payload)[last] = value;
    if (isRaw) return payload;
    if (kind === 'proposal') return proposed(payload);
    return kind === 'artifact' ? made(payload.name, payload.content) : payload;
  });
}

/** Requests bear the place of their decision, so that integrity finds it. */
function rejectionErased(drafts) {
  const rejected = drafts.findIndex(({ kind }) => kind === 'rejection');
  const rest = renumbered([...drafts.slice(0, rejected - 1), ...drafts.slice(rejected + 1)]);
  return {
    ...differs(
      'controller-rejection-erased',
      'a move that was turned away, shown as if nobody had made it: requests bear the place of their decision',
      fileOf(chain(reclosed(rest))),
      rejected,
      'twin-controller-calls',
    ),
    caught: { check: 'integrity', verdict: 'failed', code: 'request_id', record: rejected + 2 },
    off: { rules: ['request_id'] },
  };
}
