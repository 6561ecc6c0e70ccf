import { describe, it } from 'vitest';
import { intent } from '@assay/kernel/intent';
import { machineLaws, registerLaws } from '@assay/testing';
import { intentArbitraries } from './arbitraries.js';
import { native } from './tools.js';
import { LAW_DRAWS } from '../../tools/laws.ts';

const runs = LAW_DRAWS;

registerLaws({ describe, it }, 'intent', machineLaws(intent, intentArbitraries(), { sha256: native }), {
  runs,
});
