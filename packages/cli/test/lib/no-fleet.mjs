// Loaded before the command: the package that the query names is not installed, for imports and for `require.resolve`.
import Module, { register } from 'node:module';

const absent = new URL(import.meta.url).searchParams.get('name') ?? '@assay/fleet';
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (name === absent) throw Object.assign(new Error('not installed'), { code: 'MODULE_NOT_FOUND' });
  return resolve.call(Module, name, ...more);
};
const hook =
  `export async function resolve(specifier, context, next) {
  if (specifier === ${JSON.stringify(absent)}) throw Object.assign(new Error('not installed'), { ` +
  `code: 'ERR_MODULE_NOT_FOUND' });
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
