// Loaded before the command: writes the address of every module that is loaded to the file that ASSAY_LOADED
// names.
import { register } from 'node:module';

const hook = `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(process.env.ASSAY_LOADED, url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
