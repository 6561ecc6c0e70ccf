// Loaded before the command: the package for stores in PostgreSQL is not installed.
import { register } from 'node:module';

const hook =
  `export async function resolve(specifier, context, next) {
  if (specifier.startsWith('@assay/store-postgres')) throw Object.assign(new Error('not installed'), { ` +
  `code: 'ERR_MODULE_NOT_FOUND' });
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
