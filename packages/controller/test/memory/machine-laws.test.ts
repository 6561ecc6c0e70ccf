import { describe, it } from 'vitest';
import { LAW_RUNS, machineLaws, registerLaws } from '@assay/testing';
import { memory } from '../../src/memory/index.js';
import { memoryArbitraries, native } from './arbitraries.js';

const runs = Number(process.env['ASSAY_LAW_RUNS'] ?? LAW_RUNS);

registerLaws({ describe, it }, 'memory', machineLaws(memory, memoryArbitraries(), { sha256: native }), { runs });
