// Loaded before the command, as absent.mjs?PACKAGE: the package is not installed, for imports and `require.resolve`.
import Module, { register } from 'node:module';

const absent = new URL(import.meta.url).search.slice(1);
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (name === absent) throw Object.assign(new Error('not installed'), { code: 'MODULE_NOT_FOUND' });
  return resolve.call(Module, name, ...more);
};
const hook = `export async function resolve(name, context, next) {
  if (name !== '${absent}' && !name.startsWith('${absent}/')) return next(name, context);
  throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
