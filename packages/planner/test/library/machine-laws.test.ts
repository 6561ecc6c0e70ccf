import { nativeSha256 } from '@assay/host';
import { machineLaws, registerLaws, viewLaws } from '@assay/testing';
import { describe, it } from 'vitest';
import { draws } from '../../../kernel/tools/laws.ts';
import { libraryView } from '../../src/library-view/index.js';
import { library } from '../../src/library/index.js';
import { libraryArbitraries } from '../../tools/library-arbitraries.js';

registerLaws(
  { describe, it },
  'library',
  machineLaws(library, libraryArbitraries(), { sha256: nativeSha256 }),
  { runs: draws(100) },
);
registerLaws(
  { describe, it },
  'library view',
  viewLaws(libraryView, library, libraryArbitraries(), { sha256: nativeSha256 }),
  { runs: draws(30) },
);
