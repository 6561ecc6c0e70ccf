import { nativeSha256 } from '@assay/host';
import { machineLaws, registerLaws, viewLaws } from '@assay/testing';
import { describe, it } from 'vitest';
import { draws } from '../../kernel/tools/laws.ts';
import { gate } from '../src/machine/index.js';
import { gateView } from '../src/view/index.js';
import { gateArbitraries } from '../tools/arbitraries.js';

registerLaws({ describe, it }, 'gate', machineLaws(gate, gateArbitraries(), { sha256: nativeSha256 }), {
  runs: draws(1_000),
});
registerLaws(
  { describe, it },
  'gate view',
  viewLaws(gateView, gate, gateArbitraries(), { sha256: nativeSha256 }),
  { runs: draws(300) },
);
