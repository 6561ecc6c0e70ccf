/** The command with models of a scripted server. No model is behind it: every answer is synthetic. */
import { main } from '@assay/cli';
import { WIRES, type Wire } from '../../../models/test/tools/scripted-server.ts';
import type { Ended } from './assay.ts';

/** A key that must appear in nothing that is written. */
export const CANARY = 'sk-canary-5c0de1a2b3f44e6d';

/** The environment of a user whose providers are at an address. */
export const envOf = (url: string): Readonly<Record<string, string>> => ({
  ANTHROPIC_API_KEY: CANARY,
  OPENAI_API_KEY: CANARY,
  ASSAY_COMPATIBLE_API_KEY: CANARY,
  ANTHROPIC_BASE_URL: url,
  OPENAI_BASE_URL: url,
});

/** The name of a model at an address, as an option. */
export const named = (wire: Wire, url: string, model = 'synthetic'): string =>
  wire === 'compatible' ? `llm:compatible/${model}@${url}` : `llm:${wire}/${model}`;

/** Calls `assay` in this process with an environment. */
export async function calledWith(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Ended> {
  const read = { stdout: '', stderr: '' };
  const code = await main(args, {
    out: { write: (text) => (read.stdout += text) },
    err: { write: (text) => (read.stderr += text) },
    env,
  });
  return { code, ...read };
}

export { WIRES };
