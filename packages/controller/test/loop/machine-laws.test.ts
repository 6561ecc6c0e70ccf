import { describe, it } from 'vitest';
import { nativeSha256 } from '@assay/host';
import { machineLaws, registerLaws } from '@assay/testing';
import { controller } from '../../src/index.js';
import { controllerArbitraries } from '../../tools/arbitraries.js';
import { named } from '../lib/law-names.js';
import { LAW_DRAWS } from '../../../kernel/tools/laws.ts';

const runs = LAW_DRAWS;

registerLaws(
  named({ describe, it }),
  'controller',
  machineLaws(controller, controllerArbitraries(), { sha256: nativeSha256 }),
  { runs },
);
