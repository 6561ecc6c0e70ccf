/**
 * How well the rules read annotated requests: what `npm run eval:intent` counts. A tool of whoever works on
 * the rules; the annotations are taken as they are described beside them.
 *
 * @packageDocumentation
 */
export { annotatedIn } from './annotated-file.js';
export { annotatedText } from './annotated-text.js';
export type { Annotated } from './annotation.js';
export { detailLines } from './details.js';
export { figuresOf, type Figures } from './figures.js';
export { readByRules, type Read } from './reading.js';
export { judge, type Judged } from './score.js';
