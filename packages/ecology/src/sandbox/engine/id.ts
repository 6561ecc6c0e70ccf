/**
 * Which engine this is: apart from the engine, so that a table of machines can name it without loading it.
 *
 * @packageDocumentation
 */

/** SHA-256 of the metered module that `tools/build.mjs` writes. */
export const ENGINE_SHA256 = '658f5e000f5c2b76f11c901dbfeffd39055c35b7890356eacdfae92471c645d6';

/** What a genesis calls it: the interpreter, the counters, and 32 digits of the module's SHA-256. */
export const ENGINE_ID: string = `quickjs-wasi@3.6.2+fuel1#${ENGINE_SHA256.slice(0, 32)}`;
