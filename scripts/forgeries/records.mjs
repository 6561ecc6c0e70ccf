/**
 * Forgeries of single records: the envelope, the chain, the order. Each breaks a rule of integrity.
 *
 * @module
 */
import { chain, changed, draftsOf, fileOf, linesOf, reclosed, renumbered } from './forge.mjs';
import { AT, poll } from './runs.mjs';

const TWIN = 'twin-poll';

/** Forgeries that {@link integrity} catches: [{ name, forged, twin, bytes, caught, off, exit }]. */
export function recordForgeries() {
  const honest = poll();
  const lines = linesOf(honest);
  const drafts = draftsOf(honest);
  const edit = (index, from, to) =>
    fileOf(lines.map((line, at) => (at === index ? put(line, from, to) : line)));
  const without = (list, index) => list.filter((_, at) => at !== index);
  const doubled = (list, index) => list.flatMap((item, at) => (at === index ? [item, item] : [item]));
  const after = (list, index, item) => [...list.slice(0, index + 1), item, ...list.slice(index + 1)];
  const rechained = (list) => fileOf(chain(list));
  return [
    integrity(
      'edited-payload',
      'one vote of the result edited, no hash computed again',
      edit(AT.result, '"votes":2', '"votes":3'),
      'payload_hash',
      AT.result,
      ['payload_hash', 'artifact_hash'],
    ),
    integrity(
      'edited-ts',
      'the logical time of one record edited, no hash computed again',
      edit(AT.ballot, '#000000000004"', '#000000000014"'),
      'record_hash',
      AT.ballot,
      ['record_hash', 'ts'],
    ),
    integrity(
      'edited-kind',
      'a rejection relabelled as a decision, no hash computed again',
      edit(AT.rejection, '"kind":"rejection"', '"kind":"decision"'),
      'record_hash',
      AT.rejection,
      ['record_hash', 'payload_shape'],
    ),
    integrity(
      'extra-envelope-key',
      'a key beside the seven of a record, under no hash',
      edit(AT.ballot, '"v":1}', '"v":1,"w":1}'),
      'shape',
      AT.ballot,
    ),
    integrity(
      'version-two-rehashed',
      'every record says version 2, every hash computed again',
      rechained(drafts.map((draft) => ({ ...draft, v: '2' }))),
      'version',
      0,
    ),
    integrity(
      'boolean-version',
      'one record says "v":true, every hash computed again',
      rechained(drafts.map((draft, at) => (at === AT.voted ? { ...draft, v: 'true' } : draft))),
      'shape',
      AT.voted,
      ['shape', 'version'],
    ),
    integrity(
      'dropped-record',
      'an artifact taken out, no hash computed again',
      fileOf(without(lines, AT.minutes)),
      'parent',
      AT.minutes,
      ['parent', 'ts', 'close'],
    ),
    integrity(
      'dropped-group',
      'a proposal and its decision taken out, no hash computed again',
      fileOf(without(without(lines, AT.voted), AT.ballot)),
      'parent',
      AT.ballot,
      ['parent', 'ts', 'graph', 'close'],
    ),
    integrity(
      'swapped-records',
      'two groups swapped, no hash computed again',
      fileOf([
        ...lines.slice(0, AT.notice),
        lines[AT.ballot],
        lines[AT.voted],
        lines[AT.notice],
        lines[AT.noted],
        ...lines.slice(AT.unknown),
      ]),
      'parent',
      AT.notice,
      ['parent', 'ts', 'request_id'],
    ),
    integrity(
      'duplicated-record',
      'an artifact written twice, no hash computed again',
      fileOf(doubled(lines, AT.minutes)),
      'parent',
      AT.result,
      ['parent', 'ts', 'order', 'close'],
    ),
    integrity(
      'ts-gap-rechained',
      'one number of logical time left out, every hash computed again',
      rechained(
        reclosed(
          drafts.map((draft, at) =>
            at < AT.ballot
              ? draft
              : {
                  ...draft,
                  ts: draft.ts.replace(/[0-9]+$/, (digits) => String(Number(digits) + 1).padStart(12, '0')),
                },
          ),
        ),
      ),
      'ts',
      AT.ballot,
    ),
    integrity(
      'arabic-digits-in-ts',
      'Arabic digits in logical time, every hash computed again',
      rechained(
        drafts.map((draft, at) =>
          at === AT.ballot ? { ...draft, ts: draft.ts.replace(/4$/, '\u0664') } : draft,
        ),
      ),
      'ts',
      AT.ballot,
    ),
    integrity(
      'second-genesis',
      'a second genesis inside the run, every hash computed again',
      rechained(reclosed(renumbered(after(drafts, AT.noted, drafts[AT.genesis])))),
      'order',
      AT.ballot,
    ),
    integrity(
      'two-closes',
      'the run closed twice, every hash computed again',
      rechained(
        changed(renumbered(doubled(drafts, AT.close)), AT.close + 1, (payload) => ({
          ...payload,
          record_count: AT.close + 2,
        })),
      ),
      'order',
      AT.close + 1,
    ),
    integrity(
      'record-after-close',
      'a ballot after the close, every hash computed again',
      rechained(renumbered([...drafts, drafts[AT.ballot]])),
      'order',
      AT.close + 1,
    ),
    integrity(
      'artifacts-swapped',
      'two artifacts in the wrong order, every hash computed again',
      rechained(
        renumbered([...drafts.slice(0, AT.minutes), drafts[AT.result], drafts[AT.minutes], drafts[AT.close]]),
      ),
      'order',
      AT.result,
    ),
  ];
}

/**
 * A forgery that integrity catches. `off`: the rules that must be switched off before every other one holds.
 */
export function integrity(name, forged, bytes, code, record, off = [code], twin = TWIN) {
  return {
    name,
    forged,
    twin,
    bytes,
    caught: { check: 'integrity', verdict: 'failed', code, record },
    off: { rules: off },
    exit: 3,
  };
}

/** A line with one text replaced, which must be there. */
export function put(line, from, to) {
  if (!line.includes(from)) throw new Error(`the line holds no ${from}`);
  return line.replace(from, to);
}
