/**
 * Potentials of a tag: 1,000 Megrams of one tag, and such a tag among 1,000,000 Megrams. Run after a build:
 *
 *   node packages/controller/bench/memory.bench.mjs [--json] [--megrams 1000000]
 *
 * Every Megram has a time of its own, so no decay is computed twice; the moment asked about is another each
 * round. Median of the rounds and the slowest of them, wall time in this process, the map looked up each
 * time. Beside the two targets: a whole dream over everything and the recall of a planner with 16 tools.
 */
import { hash } from 'node:crypto';
import { potentialsOfTag, recallMegrams, tagOn, listTags, toolTag } from '@assay/controller/memory';
import { quantify } from '../dist/memory/quantization.js';
import { EMPTY as EMPTY_MEMORY, evolve as evolveMemory } from '../dist/memory/state.js';
import { intentTag, pathTag } from '../dist/memory/tag.js';
import { atMost, machine, median, option, shown } from '../../../bench/lib/targets.mjs';

const TOTAL = option('--megrams', 1_000_000);
const OF_ONE_TAG = 1_000;
const ROUNDS = 200;
const SECOND = 1_000_000;
const STATES = ['change_approach', 'break_symmetry', 'refine'];
const ASKED = toolTag('asked');

/** A memory of so many Megrams: 1,000 at one tag, the others a hundred to a tag. */
function memoryOf(total) {
  let state = EMPTY_MEMORY;
  const tagAt = (index) => {
    if (index < OF_ONE_TAG) return [ASKED, STATES[index % 3]];
    const group = Math.floor(index / 100);
    if (group % 4 === 0) return [intentTag(`task_${group}`), 'success'];
    return group % 4 === 1
      ? [toolTag(`tool-${group % 512}`), STATES[index % 3]]
      : [pathTag(`tool-${group % 512}`, `/data/${group}`), 'change_path'];
  };
  for (let index = 0; index < total; index += 1) {
    const [tag, directive] = tagAt(index);
    const megram = {
      ...tag,
      ...quantify(directive, tag),
      id: hash('sha256', String(index), 'hex'),
      level: 'M',
      sequence: index,
      created_at_us: index * SECOND + (index % 997),
      last_recalled_at_us: null,
      content: 'as recorded',
      state: directive,
      sources: [],
      source_count: 0,
      upto: 0,
    };
    state = evolveMemory(state, { t: 'remembered', megram });
  }
  return state;
}

function measure(rounds, work) {
  const taken = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    work(round);
    taken.push(performance.now() - start);
  }
  return { first_ms: taken[0], median_ms: median(taken), slowest_ms: Math.max(...taken) };
}

const oneTag = memoryOf(OF_ONE_TAG);
const latest = TOTAL * SECOND;
const ofOneTag = measure(ROUNDS, (round) => potentialsOfTag(tagOn(oneTag.shelf, ASKED), latest + round));
const started = performance.now();
const large = memoryOf(TOTAL);
const built = performance.now() - started;
const among = measure(ROUNDS, (round) => potentialsOfTag(tagOn(large.shelf, ASKED), latest + round));
const tools = Array.from({ length: 16 }, (_, index) => `tool-${index}`);
const recalled = measure(20, (round) =>
  recallMegrams(large, { intent: 'intent:task_4', tools }, latest + round),
);
const weighed = measure(3, (round) =>
  listTags(large.shelf).reduce((sum, tag) => sum + potentialsOfTag(tag, latest + round).attention_nano, 0),
);

const report = {
  bench: 'memory',
  node: process.version,
  machine: machine(),
  megrams: TOTAL,
  tags: listTags(large.shelf).length,
  built_us_each: (built * 1_000) / TOTAL,
  heap_mib: process.memoryUsage().heapUsed / 2 ** 20,
  one_tag: ofOneTag,
  among_all: among,
  recall_16_tools: recalled,
  all_tags: weighed,
  targets: [
    atMost(
      'memory-tag',
      `potentials over ${OF_ONE_TAG.toLocaleString('en')} Megrams of one tag`,
      ofOneTag.median_ms,
      1,
      'ms',
    ),
    atMost(
      'memory-million',
      'the same tag among 1,000,000 Megrams',
      TOTAL === 1_000_000 ? among.median_ms : null,
      5,
      'ms',
    ),
  ],
};
console.log(JSON.stringify(shown(report, 3), null, process.argv.includes('--json') ? 0 : 2));
