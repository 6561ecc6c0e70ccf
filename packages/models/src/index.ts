/**
 * Language models as proposers, on the AI SDK's model interface. They only propose: what they say is recorded
 * with its source, its prompt and its cost, and the kernel decides.
 *
 * @packageDocumentation
 */
export { type LlmOptions, llmPort } from './port.js';
export { type OpenModelError, type OpenedModel, openModel, parseModelName } from './named-model.js';
export { type Parameters, parseParameters } from './parameters.js';
export { PRICES_FORMAT, PRICE_MAX, type PriceTable, makeMeter, parsePrices } from './prices.js';
export { makeSchema, readShape } from './task.js';
