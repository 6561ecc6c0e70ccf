/**
 * `--llm NAME=VALUE`: how language models are asked.
 *
 * @module
 */
import { misuse } from '../problems/problem.js';

/** The options that say how language models are asked. */
export type ModelFlags = { readonly llm: readonly string[]; readonly budget: readonly string[] };

/**
 * What was given. `sent`: the parameters that go to the provider, as given. `prices`: the file of a price
 * table. `timeoutMs`: how long one answer may take.
 */
export type LlmGiven = {
  readonly sent: readonly string[];
  readonly prices: string | null;
  readonly timeoutMs: number | null;
};

/**
 * How models are asked, as given. `env`: where keys are. `say`: told what was looked for and chosen, and what
 * is waited for.
 */
export type ModelOptions = LlmGiven & {
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
};

/** Reads the options. Raises `Stop`: `bad_value`. */
export function llmGiven(llm: readonly string[]): LlmGiven {
  const own = (name: string): string | null => {
    const [found, again] = llm.filter((each) => each.startsWith(`${name}=`));
    if (again !== undefined)
      throw misuse('bad_value', `${name} is given twice`, `--llm ${name}`, 'give it once');
    return found?.slice(name.length + 1) ?? null;
  };
  const [prices, timeout] = [own('prices'), own('timeout')];
  if (prices === '') throw misuse('bad_value', 'prices needs a file', '--llm prices', 'give prices=FILE');
  if (timeout !== null && !/^[1-9]\d{0,4}$/.test(timeout))
    throw misuse(
      'bad_value',
      'timeout must be a whole number of seconds from 1 to 99999',
      `--llm timeout=${timeout}`,
      'give --llm timeout=60',
    );
  const sent = llm.filter((each) => !/^(?:prices|timeout)=/.test(each));
  return { sent, prices, timeoutMs: timeout === null ? null : Number(timeout) * 1_000 };
}

/** The files that the options name. */
export function llmFiles({ llm }: Pick<ModelFlags, 'llm'>): readonly string[] {
  const { prices } = llmGiven(llm);
  return prices === null ? [] : [prices];
}

const RECORDED = 'recorded:';

/** The file that a `--proposer` option names, null where it names none. */
export function fileOfProposer(name: string): string | null {
  return name.startsWith(RECORDED) && name.length > RECORDED.length ? name.slice(RECORDED.length) : null;
}
