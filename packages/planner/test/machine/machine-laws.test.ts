import { nativeSha256 } from '@assay/host';
import { machineLaws, registerLaws } from '@assay/testing';
import { describe, it } from 'vitest';
import { draws } from '../../../kernel/tools/laws.ts';
import { planner } from '../../src/index.js';
import { plannerArbitraries } from '../../tools/arbitraries.js';

registerLaws(
  { describe, it },
  'planner',
  machineLaws(planner, plannerArbitraries(), { sha256: nativeSha256 }),
  { runs: draws(250) },
);
