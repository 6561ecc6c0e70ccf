// Loaded before the command: @assay/proposer-llm is not installed.
import { register } from 'node:module';

const hook =
  `export async function resolve(specifier, context, next) {
  if (specifier.startsWith('@assay/proposer-llm')) throw Object.assign(new Error('not installed'), { ` +
  `code: 'ERR_MODULE_NOT_FOUND' });
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
