/**
 * Forgeries of what the machine derives, every hash computed again: integrity holds, and only running the
 * machine again on the recorded answers tells.
 *
 * @module
 */
import { chain, changed, draftsOf, erased, fileOf, hashOf, made, proposed, reclosed } from './forge.mjs';
import { AT, poll, without } from './runs.mjs';

/** Forgeries that re-derivation catches, and those it says it could not check. */
export function decisionForgeries() {
  const drafts = draftsOf(poll());
  const at = (index, change) => fileOf(chain(reclosed(changed(drafts, index, change))));
  const votes = (payload) => void (payload.events[0].option = 'harbour');
  return [
    differs('decision-rehashed', 'a counted vote turned to the other option', at(AT.voted, votes), AT.voted),
    differs(
      'state-hash-forged',
      'a decision with another state hash',
      at(AT.voted, (payload) => void (payload.state_hash = hashOf('another state'))),
      AT.voted,
    ),
    differs(
      'state-hash-missing',
      'a decision without the state hash that was due',
      at(AT.voted, (payload) => void (payload.state_hash = null)),
      AT.voted,
    ),
    differs(
      'decision-forged-then-erased',
      'a counted vote turned, and its decision erased to hide it',
      fileOf(chain(erased(changed(drafts, AT.voted, votes), AT.voted))),
      AT.voted,
      'twin-decision-erased',
    ),
    differs(
      'rejection-code-changed',
      'a rejection given another reason',
      at(AT.rejection, (payload) => void (payload.code = 'bad_answer')),
      AT.rejection,
    ),
    differs(
      'invalid-proposal-accepted',
      'a ballot for no option of the poll, shown as accepted',
      invalidAccepted(),
      AT.unknown + 1,
    ),
    differs(
      'valid-proposal-rejected',
      'a sound ballot shown as rejected',
      at(AT.unknown, (payload) => proposed({ ...payload, value: { option: 'library' } })),
      AT.rejection,
    ),
    differs(
      'artifact-and-close-rehashed',
      'the winner changed in the result, its hash and the close with it',
      at(AT.result, ({ content }) => made('result', { ...content, winner: 'harbour' })),
      AT.result,
    ),
    differs(
      'outcome-flipped',
      'a success shown as a refusal',
      at(AT.close, (payload) => ({ ...payload, status: 'refused', reasons: ['no_quorum'] })),
      AT.close,
    ),
    differs(
      'policy-loosened-rechained',
      'a quorum of 1 instead of 2 in the genesis, the decisions left as they were',
      at(AT.genesis, (payload) => void (payload.policy.quorum = 1)),
      AT.opening,
    ),
    differs(
      'events-reordered',
      'the events of the first decision in another order',
      at(AT.opening, (payload) => void payload.events.reverse()),
      AT.opening,
    ),
    unchecked(
      'proposal-erased',
      'a proposal erased: what follows from it cannot be derived',
      fileOf(chain(erased(drafts, AT.ballot))),
      'payload_erased',
      AT.ballot,
    ),
    unchecked(
      'unknown-machine-version',
      'a machine version that no verifier has',
      at(AT.genesis, (payload) => void (payload.machine.version = 99)),
      'unknown_machine',
      0,
    ),
    unchecked(
      'newer-format',
      'a ledger of a format that this version does not know',
      at(AT.genesis, (payload) => void (payload.format = 'assay/9')),
      'unknown_format',
      0,
    ),
  ];
}

/** The honest ledgers of this file's forgeries that are no plain run. */
export function erasedTwins() {
  return [
    {
      name: 'twin-decision-erased',
      what: 'a decision honestly erased: derived again, its hash is the recorded one',
      bytes: fileOf(chain(erased(draftsOf(poll()), AT.voted))),
    },
  ];
}

/** The poll without its rejected ballot, whose later ballot then names no option. */
function invalidAccepted() {
  const drafts = draftsOf(poll({ answers: without(2) }));
  const ballot = changed(drafts, AT.unknown, (payload) =>
    proposed({ ...payload, value: { option: 'park' } }),
  );
  return fileOf(
    chain(reclosed(changed(ballot, AT.unknown + 1, (payload) => void (payload.events[0].option = 'park')))),
  );
}

/** A forgery that re-derivation catches. */
export function differs(name, forged, bytes, record, twin = 'twin-poll') {
  return {
    name,
    forged,
    twin,
    bytes,
    caught: { check: 'rederivation', verdict: 'failed', code: 'differs', record },
    off: { check: 'rederivation' },
    exit: 3,
  };
}

function unchecked(name, forged, bytes, code, record) {
  return {
    name,
    forged,
    twin: 'twin-poll',
    bytes,
    caught: { check: 'rederivation', verdict: 'not_checked', code, record },
    off: { flag: 'allow-unchecked' },
    exit: 4,
  };
}

/** A ledger the verifier is told to give up on: the `limit` is the user's, the ledger the honest one. */
export function limitForgeries() {
  const bytes = fileOf(chain(draftsOf(poll())));
  return [
    {
      ...unchecked(
        'rederivation-limit',
        'no forgery in it: larger than the user lets the verifier go',
        bytes,
        'limit',
        5,
      ),
      brought: { limits: { records: 5 } },
      off: { argument: 'limits' },
    },
  ];
}
