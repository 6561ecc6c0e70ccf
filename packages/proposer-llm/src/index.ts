/**
 * Language models as proposers, on the AI SDK's model interface. They only propose: what they say is recorded
 * with its source, its prompt and its cost, and the kernel decides.
 *
 * @packageDocumentation
 */
export * from './port.js';
export * from './named-model.js';
export * from './task.js';
export * from './prompt.js';
export * from './parameters.js';
export * from './prices.js';
export { keyTwiceIn } from './answer-json.js';
export { ANSWER_UNITS_MAX, type Usage } from './reply.js';
export { RESPONSE_BYTES_MAX } from './bounded-fetch.js';
export { interpretationsTask } from './tasks/interpretations.js';
export { INTERPRETATIONS_PROMPT_1 } from './prompts/interpretations-1.js';
