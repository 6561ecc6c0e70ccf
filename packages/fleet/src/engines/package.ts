/** What the engines share: their optional packages, their failures, and turns of their jobs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { maskedAddress } from '@assay/host';
import type { Job, Taking } from '../engine.js';

/** A failure of an engine. `code`: the system's or the server's name of it; the message holds no secret. */
export type EngineError = Error & { readonly code: string };

/** An engine's package: the major that is supported, and the line that installs it. */
type Package = { readonly name: string; readonly version: string; readonly beside?: string };

/**
 * Loads the package of an engine. Rejects with `engine_package` where it is not installed, or another major is.
 */
export async function loadPackage<M>(wanted: Package, load: () => Promise<M>): Promise<M> {
  const { name, version, beside } = wanted;
  const found = findVersion(name);
  const [major] = version.split('.');
  if (found?.split('.')[0] === major && (beside === undefined || findVersion(nameOf(beside)) !== null))
    return load();
  const install = `npm install ${name}@${version}${beside === undefined ? '' : ` ${beside}`}`;
  const what = found === null || found.split('.')[0] === major ? 'not installed' : `of version ${found}`;
  throw Object.assign(new Error(`the package of the engine is ${what}: ${install}`), {
    code: 'engine_package',
    install,
  });
}

/** Finds packages as this one does. */
export const { resolve }: { readonly resolve: (name: string) => string } = createRequire(import.meta.url);

/** The version that is installed, null where none is. A package need not export its manifest. */
function findVersion(name: string): string | null {
  let path: string;
  try {
    path = resolve(name);
  } catch {
    return null;
  }
  const folder = `/node_modules/${name}/`;
  const at = path.replaceAll('\\', '/').lastIndexOf(folder);
  const manifest: unknown = JSON.parse(
    readFileSync(`${path.slice(0, at + folder.length)}package.json`, 'utf8'),
  );
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : null;
}

function nameOf(dependency: string): string {
  return dependency.slice(0, dependency.lastIndexOf('@'));
}

/** A failure as it may be shown: its code alone, since messages of drivers quote addresses and data. */
export function engineError(engine: string, error: unknown): EngineError {
  const code = readCode(error) ?? (error instanceof Error ? error.constructor.name : 'EUNKNOWN');
  return Object.assign(new Error(`${engine}: ${code}`), { code });
}

/** The code of an error, or of what caused it: DBOS calls that `error`. */
function readCode(error: unknown, depth: number = 4): string | null {
  if (!(error instanceof Error) || depth === 0) return null;
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && /^[A-Z0-9_]{2,64}$/.test(code)) return code;
  // Redis says its condition as the first word.
  const reply = error.name === 'ReplyError' ? /^[A-Z]{2,32}(?= )/.exec(error.message)?.[0] : undefined;
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return (
    reply ??
    [error.cause, Reflect.get(error, 'error'), ...errors]
      .map((each) => readCode(each, depth - 1))
      .find((each) => each !== null) ??
    null
  );
}

/** The address of an engine's server. Throws `engine_url`, the password masked. */
export function parseServer(url: string, protocols: readonly string[]): URL {
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return new URL(url);
  const message = `the engine's address is ${protocols[0]}//…, not ${maskedAddress(url)}`;
  throw Object.assign(new Error(message), { code: 'engine_url' });
}

/** Settles as `work` does, or rejects after so long with the failure that was met last. */
export async function within<A>(ms: number, work: Promise<A>, failure: () => EngineError): Promise<A> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failure()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Handles as many jobs at once as a worker may, whichever queues they come from: an engine counts each queue by
 * itself. Resolves to whether a job is done; false: it is to come again.
 */
export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];
  private readonly handle: Taking['handle'];
  private isStopped = false;

  constructor({ concurrency, handle }: Pick<Taking, 'concurrency' | 'handle'>) {
    this.free = concurrency;
    this.handle = handle;
  }

  async run(job: Job): Promise<boolean> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      if (this.isStopped) return false;
      await this.handle(job);
      return true;
    } catch {
      return false;
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }

  /** Jobs that wait for their turn are given back. */
  stop(): void {
    this.isStopped = true;
    for (const next of this.waiting.splice(0)) next();
  }
}
