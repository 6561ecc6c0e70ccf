/**
 * The command called in this process, against the sources. Where a process of its own is the point, see
 * `assay.ts`.
 */
import { orThrow, parseShape, type Json, type Shape } from '@assay/kernel';
import { main } from '@assay/cli';
import type { Ended } from './assay.ts';

/** Calls `assay` with arguments. */
export async function called(...args: readonly string[]): Promise<Ended> {
  const read = { stdout: '', stderr: '' };
  const code = await main(args, {
    out: { write: (text) => (read.stdout += text) },
    err: { write: (text) => (read.stderr += text) },
    env: {},
  });
  return { code, ...read };
}

/** The one JSON document of a call with `--json`. */
export async function calledJson(...args: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse((await called(...args, '--json')).stdout) as Readonly<Record<string, unknown>>;
}

/** A document, held to its shape. */
export function shaped<T>(shape: Shape<T>, document: unknown): T {
  return orThrow(parseShape<T>(shape, document as Json));
}
