/**
 * Others' data, all of it: see scripts/psplib.mjs. `ASSAY_PSPLIB` names the folder; without it nothing is
 * measured.
 */
import { dataIn, judgeAll } from '../../../scripts/psplib/judge.mjs';
import { atMost, machine } from '../../../bench/lib/targets.mjs';

const INSTANCES = 13_222;

const folder = process.env.ASSAY_PSPLIB;
const figures = folder === undefined ? { instances: 0, seconds: null } : judgeAll(dataIn(folder));
const isWhole = figures.instances === INSTANCES;
console.log(
  JSON.stringify({
    bench: 'planner-psplib',
    node: process.version,
    machine: machine(),
    figures,
    targets: [
      atMost(
        'planner-psplib',
        '13,222 PSPLIB instances: critical paths, verdicts, proofs, raises, cores',
        isWhole ? figures.seconds : null,
        25,
        's of CPU',
      ),
    ],
  }),
);
