/**
 * Forgeries of what the machine derives, every hash computed again: integrity holds, and only running the
 * machine again on the recorded answers tells.
 *
 * @module
 */
import { chain, changed, draftsOf, erased, fileOf, proposed, reclosed } from './forge.mjs';
import { AT, poll, without } from './runs.mjs';

/** Forgeries that re-derivation catches, or says that it could not check, and that no recipe makes. */
export function decisionForgeries() {
  const drafts = draftsOf(poll());
  const turned = changed(drafts, AT.voted, (payload) => void (payload.events[0].option = 'harbour'));
  return [
    differs(
      'decision-forged-then-erased',
      'a counted vote turned, and its decision erased to hide it',
      fileOf(chain(erased(turned, AT.voted))),
      AT.voted,
      'twin-decision-erased',
    ),
    differs(
      'invalid-proposal-accepted',
      'a ballot for no option of the poll, shown as accepted',
      invalidAccepted(),
      AT.unknown + 1,
    ),
    unchecked(
      'proposal-erased',
      'a proposal erased: what follows from it cannot be derived',
      fileOf(chain(erased(drafts, AT.ballot))),
      'payload_erased',
      AT.ballot,
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
