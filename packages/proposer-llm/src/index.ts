/**
 * Language models as proposers, on the AI SDK's model interface. They only propose: what they say is recorded
 * with its source, its prompt and its cost, and the kernel decides.
 *
 * @packageDocumentation
 */
export { type LlmOptions, RAW_UNITS_MAX, llmPort } from './port.js';
export {
  type ModelName,
  type ModelNameError,
  type OpenModelError,
  type OpenedModel,
  PROVIDERS,
  type Provider,
  keysIn,
  openModel,
  parseModelName,
} from './named-model.js';
export type { AnswerFault, Task, TaskAnswer } from './task/task.js';
export {
  FEEDBACK_UNITS_MAX,
  type Feedback,
  type Prompt,
  delimited,
  hashOf,
  messagesOf,
  promptHash,
} from './task/prompt.js';
export {
  DEFAULT_PARAMETERS,
  OUTPUT_TOKENS_MAX,
  type ParameterError,
  type Parameters,
  parseParameters,
  sentOf,
} from './parameters.js';
export {
  type Meter,
  PRICES_FORMAT,
  PRICE_MAX,
  type Price,
  type PriceTable,
  type PriceTableError,
  meterOf,
  parsePrices,
  priceIn,
  spentFor,
} from './prices.js';
export { keyTwiceIn } from './answer-json.js';
export { ANSWER_UNITS_MAX, type Usage } from './reply.js';
export { RESPONSE_BYTES_MAX } from './bounded-fetch.js';
export { interpretationsTask } from './intent/interpretations.js';
export { INTERPRETATIONS_PROMPT_1 } from './intent/interpretations-1.js';
