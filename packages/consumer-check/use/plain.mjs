/** The scenario under a plain JavaScript runtime: prints its lines. */
import { scenario } from './scenario.mjs';

console.log(scenario().join('\n'));
