/** The scenario as a browser bundle: leaves its lines where the page's script can read them. */
import { scenario } from './scenario.mjs';

globalThis.ASSAY_LINES = scenario();
