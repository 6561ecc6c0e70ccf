import { describe, it } from 'vitest';
import { nativeSha256 } from '@assay/host';
import { LAW_RUNS, machineLaws, registerLaws } from '@assay/testing';
import { controller } from '../../src/index.js';
import { controllerArbitraries } from '../../tools/arbitraries.js';
import { named } from '../lib/law-names.js';

const runs = Number(process.env['ASSAY_LAW_RUNS'] ?? LAW_RUNS);

registerLaws(
  named({ describe, it }),
  'controller',
  machineLaws(controller, controllerArbitraries(), { sha256: nativeSha256 }),
  { runs },
);
