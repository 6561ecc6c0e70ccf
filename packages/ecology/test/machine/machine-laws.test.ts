/** The laws of every machine, for the ecology with its engine and without. */
import { nativeSha256 } from '@assay/host';
import { machineLaws, registerLaws, viewLaws } from '@assay/testing';
import { describe, it } from 'vitest';
import { draws } from '../../../kernel/tools/laws.ts';
import { ecology, ecologyMachine } from '../../src/index.js';
import { ecologyView } from '../../src/view/index.js';
import { ecologyArbitraries } from '../../tools/arbitraries.js';
import { freshEngine } from '../../tools/engine.js';

const options = { sha256: nativeSha256 };
const engine = freshEngine();
const machine = ecologyMachine(engine);

registerLaws({ describe, it }, 'ecology', machineLaws(ecology, ecologyArbitraries(null), options), {
  runs: draws(150),
});
registerLaws(
  { describe, it },
  'ecology with contracts',
  machineLaws(machine, ecologyArbitraries(engine.id), options),
  { runs: draws(60) },
);
registerLaws(
  { describe, it },
  'ecology pictures',
  viewLaws(ecologyView, machine, ecologyArbitraries(engine.id), options),
  { runs: draws(40) },
);
