// Loaded before the command: @assay/models is not installed.
import { register } from 'node:module';

const hook =
  `export async function resolve(specifier, context, next) {
  if (specifier.startsWith('@assay/models')) throw Object.assign(new Error('not installed'), { ` +
  `code: 'ERR_MODULE_NOT_FOUND' });
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
