/** Every law of a view, for any machine with one. */
import type { EvidenceRecord, Json, Machine } from '@assay/kernel';
import { viewable, type View, type Viewable, type Viewer } from '@assay/kernel/view';
import fc from 'fast-check';
import { goodProposal } from '../generators/proposals.js';
import { demand, demandEqual, type Draw, law, type Law, LawViolation } from './law.js';
import { misshapen, saidByUs, withoutPlaces } from './pictures.js';
import { drive, pickRequest, type Drive } from './script.js';
import {
  countSteps,
  makeSetup,
  canonicalizeValue,
  type LawOptions,
  type MachineArbitraries,
  type Setup,
} from './setup.js';

/**
 * The laws of a view, in the order of `VIEW_LAW_NAMES`, on random runs of its machine. Register a test for
 * each with `registerLaws`, as with `machineLaws`.
 */
export function viewLaws<S, F, I, E extends Json, A extends Json>(
  view: View<S, F>,
  machine: Machine<S, I, E, A>,
  arbitraries: MachineArbitraries<S, A>,
  options?: LawOptions,
): readonly Law[] {
  const setup = makeSetup(machine, arbitraries, options);
  const shown = viewable(view, machine, setup.options);
  return [
    total(setup, shown),
    bounded(setup, shown),
    splitEqualsWhole(setup, shown),
    saidIsMarked(setup, shown),
    noChangeIsTheSame(setup, shown),
  ];
}

/** `view/total`: nothing throws, at any record, of a run or a forgery of one, and all of it is JSON. */
function total<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>, shown: Viewable): Law {
  return law('view/total', countSteps(setup), (draw, length) => {
    const { records } = drive(setup, draw, length);
    for (const viewer of listViewers(shown, records)) canonicalizeValue(readAll(viewer), 'what is shown');
    const at = draw(fc.nat(records.length - 1));
    for (const forged of [erased(records, at), changed(records, at), records.toSpliced(at, 1)]) {
      const viewer = listViewers(shown, forged).at(-1);
      if (viewer !== undefined) canonicalizeValue(readAll(viewer), 'what is shown of a forgery');
      shown.tryOut(forged, []);
    }
  });
}

/** `view/bounded`: a picture has the bounds of view data, and its parts fit each other. */
function bounded<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>, shown: Viewable): Law {
  return law('view/bounded', countSteps(setup), (draw, length) => {
    const { records } = drive(setup, draw, length);
    const viewer = followLast(shown, records);
    for (const fault of misshapen(viewer.show(), records.length)) throw new LawViolation(fault);
    for (const { id, at, min, max, step } of viewer.knobs())
      demand(
        [at, min, max, step].every(Number.isSafeInteger) && min <= at && at <= max && step > 0,
        () => `knob ${id}: ${at} of ${min} to ${max} by ${step}`,
      );
  });
}

/** `view/split-equals-whole`: a viewer kept anywhere goes on later, more than once, to the same picture; so a fold. */
function splitEqualsWhole<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  shown: Viewable,
): Law {
  return law('view/split-equals-whole', countSteps(setup), (draw, length) => {
    const { records } = drive(setup, draw, length);
    const viewers = listViewers(shown, records);
    const last = followLast(shown, records);
    const whole = canonicalizeValue(readAll(last), 'what is shown');
    demandEqual(
      canonicalizeValue(last.show(), 'a picture'),
      canonicalizeValue(shown.recall(records), 'a picture'),
      'the picture of records that were derived',
    );
    const at = draw(fc.nat(records.length - 1));
    for (const what of ['the rest', 'the rest, fed again']) {
      let viewer = viewers[at];
      for (const record of records.slice(at + 1)) viewer = viewer && fed(viewer, record);
      demandEqual(
        whole,
        canonicalizeValue(viewer === undefined ? null : readAll(viewer), 'what is shown'),
        `the picture after ${what} from record ${at}`,
      );
    }
  });
}

/** `view/said-is-marked`: free text of a run comes out as said, or in a passage, and nowhere as ours. */
function saidIsMarked<S, I, E extends Json, A extends Json>(setup: Setup<S, I, E, A>, shown: Viewable): Law {
  return law('view/said-is-marked', countSteps(setup), (draw, length) => {
    const { records } = drive(setup, draw, length);
    const canaries = [...new Set(records.flatMap(freeTexts))];
    for (const viewer of listViewers(shown, records))
      for (const text of saidByUs(readAll(viewer))) {
        const canary = canaries.find((one) => text.includes(one));
        demand(canary === undefined, () => `"${canary}" stands unmarked in "${text}"`);
      }
  });
}

/** `tryOut/no-change-is-the-same`: without changes, and with each knob where it is, the picture is the same. */
function noChangeIsTheSame<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  shown: Viewable,
): Law {
  return law('tryOut/no-change-is-the-same', countSteps(setup), (draw, length) => {
    const { records } = answered(setup, draw, length);
    const viewer = followLast(shown, records);
    const whole = canonicalizeValue(withoutPlaces(viewer.show()), 'a picture');
    const knobs = viewer.knobs().map(({ id, at }) => [{ id, to: at }]);
    const turned = knobs.length === 0 ? [] : [draw(fc.constantFrom(...knobs))];
    for (const change of [[], ...turned]) {
      const tried = shown.tryOut(records, change);
      if (tried._tag === 'Left') throw new LawViolation(`tryOut gives ${tried.left.code}`);
      const { unknown: _, ...picture } = tried.right;
      demandEqual(
        whole,
        canonicalizeValue(picture, 'a picture'),
        `the picture with ${change.map(({ id }) => id).join(', ') || 'no change'}`,
      );
    }
  });
}

/** A random run of good proposals alone: what answers nothing open is no part of a fork. */
function answered<S, I, E extends Json, A extends Json>(
  setup: Setup<S, I, E, A>,
  draw: Draw,
  length: number,
): Drive<S, I, E, A> {
  return drive(setup, draw, length, {
    propose: (run) => {
      const request = pickRequest(setup, run, draw);
      return request === null
        ? null
        : draw(goodProposal(request, draw(setup.arbitraries.answer(request, run.state))));
    },
  });
}

/** A viewer after each record, up to the first that does not follow. */
function listViewers(shown: Viewable, [genesis, ...rest]: readonly EvidenceRecord[]): readonly Viewer[] {
  if (genesis === undefined) return [];
  const begun = shown.begin(genesis, { checked: true });
  if (begun._tag === 'Left') return [];
  const viewers = [begun.right];
  for (const record of rest) {
    const next = viewers.at(-1)?.feed(record);
    if (next?._tag !== 'Right') break;
    viewers.push(next.right);
  }
  return viewers;
}

function followLast(shown: Viewable, records: readonly EvidenceRecord[]): Viewer {
  const viewers = listViewers(shown, records);
  const last = viewers.at(-1);
  if (last === undefined || viewers.length < records.length)
    throw new LawViolation(`record ${viewers.length} of a run is not followed`);
  return last;
}

function fed(viewer: Viewer, record: EvidenceRecord): Viewer {
  const next = viewer.feed(record);
  if (next._tag === 'Left') throw new LawViolation(`a record is not followed: ${next.left.code}`);
  return next.right;
}

function readAll(viewer: Viewer): Json {
  const { described } = viewer;
  const all = [described, viewer.show(), viewer.knobs(), viewer.files(), viewer.next()];
  return all;
}

function erased(records: readonly EvidenceRecord[], at: number): readonly EvidenceRecord[] {
  return records.map((record, index) => {
    const { payload: _, ...rest } = record;
    return index === at ? rest : record;
  });
}

/** A record says what another one says. */
function changed(records: readonly EvidenceRecord[], at: number): readonly EvidenceRecord[] {
  const other = records[(at + 1) % records.length]?.payload;
  return records.map((record, index) =>
    index === at && other !== undefined ? { ...record, payload: other } : record,
  );
}

/** Texts of a record that somebody wrote freely: long enough to be told apart, and no names or hashes. */
function freeTexts({ kind, payload }: EvidenceRecord): readonly string[] {
  if (payload === undefined || (kind !== 'genesis' && kind !== 'proposal')) return [];
  const { input, value, failure } = payload as { readonly [key: string]: Json | undefined };
  return textsIn([input ?? null, value ?? null, failure ?? null]).filter(
    (text) => text.length >= CANARY_UNITS && !/^[A-Za-z0-9_.:-]*$/.test(text),
  );
}

const CANARY_UNITS = 6;

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value as object).flatMap(textsIn) : [];
}
