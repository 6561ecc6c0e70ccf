import { describe, it } from 'vitest';
import { intent } from '@assay/kernel/intent';
import { LAW_RUNS, machineLaws, registerLaws } from '@assay/testing';
import { intentArbitraries } from './arbitraries.js';
import { native } from './tools.js';

const runs = Number(process.env['ASSAY_LAW_RUNS'] ?? LAW_RUNS);

registerLaws({ describe, it }, 'intent', machineLaws(intent, intentArbitraries(), { sha256: native }), {
  runs,
});
