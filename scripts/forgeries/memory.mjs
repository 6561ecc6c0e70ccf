/**
 * Forgeries of what the memory machine decides: numbers of a Megram, potentials, promotions, demotions,
 * tombstones and who wrote. Every hash is computed again, so that only running the machine on the recorded
 * answers tells.
 *
 * @module
 */
import { advance, openRequests, openRun, orThrow, sha256Hex } from '@assay/kernel';
import { defaultMemoryPolicy, memory } from '@assay/controller/memory';
import { differs } from './decisions.mjs';
import { chain, changed, draftsOf, fileOf, linesOf, proposed, reclosed } from './forge.mjs';
import { headLine } from './rewrites.mjs';

const TWIN = 'twin-memory';
const TAG = { space: 'tool:shell', entity: 'env:local' };
const PATH = { space: 'tool:shell', entity: 'path:/archive' };
const DAY = 86_400_000_000;

const head = (count) => ({ run_id: 'control', count, hash: sha256Hex(`control ${count}`) });
const megrams = (count, tag, state) =>
  Array.from({ length: count }, () => ({ ...tag, content: 'the shell hung', state }));
const write = (count, at_us, drafts) => [
  'write',
  'run',
  { from: 'R7', task: 'archive', megrams: drafts, at_us },
  [head(count)],
];

/** The answers of the honest run, in order; each takes two records, and the opening two. */
const ANSWERS = [
  write(1, 0, [...megrams(8, TAG, 'change_approach'), ...megrams(1, PATH, 'change_path')]),
  ['dream', 'clock', { at_us: DAY }],
  ['distil', 'rule', { text: 'Do not use the shell here.' }],
  ['recall', 'run', { from: 'R2', intent: 'intent:archive', tools: ['shell'], at_us: DAY }, [head(2)]],
  write(3, 2 * DAY, megrams(12, TAG, 'break_symmetry')),
  ['dream', 'clock', { at_us: 3 * DAY }],
  ['forget', 'human', { ...PATH, id: null, why: 'another archive', at_us: 3 * DAY }],
  ['end', 'human', { at_us: 3 * DAY }],
];
/** Positions of the proposals and of the decisions on them. */
const AT = Object.fromEntries(
  ['write', 'dream', 'distil', 'recall', 'against', 'demotion', 'forget', 'end'].flatMap((name, index) => [
    [`${name}_asked`, 2 + 2 * index],
    [name, 3 + 2 * index],
  ]),
);

/** One memory, from its opening to its end: its records. */
function remembered() {
  const first = orThrow(
    openRun(memory, { run_id: 'memory', ts_base: '2026-11-22', policy: defaultMemoryPolicy, input: {} }),
  );
  const records = [...first.records];
  let { run } = first;
  for (const [kind, source, value, cites = []] of ANSWERS) {
    const { id } = openRequests(run).find((request) => request.kind === kind);
    const step = orThrow(
      advance(run, {
        request_id: id,
        source,
        proposer: `fixture:${source}`,
        confidence: null,
        value,
        failure: null,
        at_us: null,
        spent: {},
        cites,
        provenance: {},
      }),
    );
    records.push(...step.records);
    run = step.run;
  }
  return records;
}

/** Forgeries of a memory. */
export function memoryForgeries() {
  const drafts = draftsOf(remembered());
  const forged = (name, what, at, change, record = at) =>
    differs(name, what, fileOf(chain(reclosed(changed(drafts, at, change)))), record, TWIN);
  const event = (payload, t) => payload.events.find((one) => one.t === t);
  const rowOf = (payload, { entity, space }) =>
    event(payload, 'recalled').reply.tags.find((tag) => tag.space === space && tag.entity === entity);
  return [
    forged(
      'memory-number-raised',
      'the energy of a Megram raised above what its directive writes',
      AT.write,
      (payload) => void (event(payload, 'remembered').megram.f_ppm = 1_000_000),
    ),
    forged(
      'memory-decay-slowed',
      'a Megram made to fade more slowly',
      AT.write,
      (payload) => void (event(payload, 'remembered').megram.k_ppm_per_day = 10_000),
    ),
    forged(
      'memory-potential-raised',
      'the attention of a tag raised by a billionth in what a planner was told',
      AT.recall,
      (payload) => void (rowOf(payload, TAG).attention_nano += 1),
    ),
    forged(
      'memory-action-softened',
      'avoid shown as caution in what a planner was told',
      AT.recall,
      (payload) => void (rowOf(payload, TAG).action = 'caution'),
    ),
    forged(
      'memory-promotion-invented',
      'a dream that shows less energy than the promotion it decides on',
      AT.dream,
      (payload) => void (event(payload, 'distilling').attention_nano = 1_000_000_000),
    ),
    forged(
      'memory-promotion-turned',
      'a constraint promoted as a best practice',
      AT.distil,
      (payload) => void (event(payload, 'remembered').megram.sigma_ppm = 1_000_000),
    ),
    forged(
      'memory-rule-reworded',
      'a rule with other words than the recorded text',
      AT.distil,
      (payload) => void (event(payload, 'remembered').megram.content = 'Use the shell.'),
    ),
    forged(
      'memory-demotion-hidden',
      'a dream that leaves a bankrupt rule standing',
      AT.demotion,
      (payload) =>
        void (payload.events = payload.events.filter(({ t }) => t !== 'demoted' && t !== 'remembered')),
    ),
    forged(
      'memory-tombstone-widened',
      'a tombstone that counts more than it removed',
      AT.forget,
      (payload) => void (event(payload, 'forgotten').count = 2),
    ),
    forged(
      'memory-written-by-another',
      'a write of R4b shown as accepted',
      AT.write_asked,
      (payload) => proposed({ ...payload, value: { ...payload.value, from: 'R4b' } }),
      AT.write,
    ),
    forged(
      'memory-uncited-write',
      'a write of a run that cites no ledger, shown as accepted',
      AT.against_asked,
      (payload) => ({ ...payload, cites: [] }),
      AT.against,
    ),
    forged(
      'memory-clock-turned-back',
      'a write dated before the dream that came first, shown as accepted',
      AT.against_asked,
      (payload) => proposed({ ...payload, value: { ...payload.value, at_us: 0 } }),
      AT.against,
    ),
    forged(
      'memory-forgotten-by-rule',
      'a tombstone set by a rule, which only a person may',
      AT.forget_asked,
      (payload) => proposed({ ...payload, source: 'rule' }),
      AT.forget,
    ),
  ];
}

/** The honest memory. */
export function memoryTwins() {
  const honest = remembered();
  return [
    {
      name: TWIN,
      what: 'a memory that is written to, read, dreams, and loses a tag by a person',
      bytes: fileOf(linesOf(honest)),
      head: headLine(honest),
    },
  ];
}
