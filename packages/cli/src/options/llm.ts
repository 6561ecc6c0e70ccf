/**
 * `--llm NAME=VALUE`: how language models are asked.
 *
 * @module
 */
import { holdsSecret, type Ports } from '@assay/host';
import { isName, type Request, type Spent } from '@assay/kernel';
import { badValue } from '../problems/problem.js';

/** The options that say how language models are asked. */
export type ModelFlags = { readonly llm: readonly string[] };

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
    if (again !== undefined) throw badValue(`${name} is given twice`, `--llm ${name}`, 'give it once');
    return found?.slice(name.length + 1) ?? null;
  };
  const [prices, timeout] = [own('prices'), own('timeout')];
  if (prices === '') throw badValue('prices needs a file', '--llm prices', 'give prices=FILE');
  if (timeout !== null && !/^[1-9]\d{0,4}$/.test(timeout))
    throw badValue(
      'timeout must be a whole number of seconds from 1 to 99999',
      `--llm timeout=${timeout}`,
      'give --llm timeout=60',
    );
  const sent = llm.filter((each) => !/^(?:(?:prices|timeout)=|budget\.)/.test(each));
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

const BUDGET = 'budget.';

/** How models are asked without any budget. */
export function withoutBudget(llm: readonly string[]): readonly string[] {
  return llm.filter((option) => !option.startsWith(BUDGET));
}

/** Reads `budget.UNIT=N`. `units`: in which the proposers of the run are counted. Raises `Stop`: `bad_value`. */
export function readBudget(llm: readonly string[], units: ReadonlySet<string>): Spent {
  const limits: { [unit: string]: number } = {};
  for (const option of llm.filter((one) => one.startsWith(BUDGET))) {
    const [, unit = '', amount = ''] = /^budget\.([^=]*)=(.*)$/s.exec(option) ?? [];
    const limit = /^\d{1,15}$/.test(amount) ? Number(amount) : null;
    if (limit === null || !isName(unit))
      throw badValue(
        'a budget needs a unit and a whole number',
        `--llm ${option}`,
        'give --llm budget.output_tokens=20000, or budget.usd_micros=500000 with --llm prices=FILE',
      );
    if (Object.hasOwn(limits, unit))
      throw badValue(`the budget of ${unit} is given twice`, `--llm ${option}`, 'give it once');
    if (!units.has(unit))
      throw badValue(
        `no proposer of this run counts ${unit}`,
        `--llm ${option}`,
        units.size === 0
          ? 'name a language model with --proposer; other proposers cost nothing'
          : `they count ${[...units].join(', ')}; money needs --llm prices=FILE`,
      );
    limits[unit] = limit;
  }
  return limits;
}

/**
 * Who answers, and how the slots are called where nothing else names them: one, but for a recording of
 * several. `units`: in which a language model is counted; empty for everybody else. `kinds`: of the asks that
 * a recording answers, each with the proposers of its answers; absent for everybody else. `holds`: whether it
 * has the answer to a request.
 */
export type Proposer = {
  readonly slots: readonly string[];
  readonly ports: Ports;
  readonly units: readonly string[];
  readonly holds?: (request: Request) => boolean;
  readonly kinds?: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Variables of the environment that hold keys of models. */
const KEYS = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'ASSAY_COMPATIBLE_API_KEY'] as const;

/**
 * A proposer's name as far as it can hold no password: whole where its address has no name, password,
 * parameters or fragment, else up to that address. Of one that holds a key of the environment `env`, no more
 * than what kind of proposer it is.
 */
export function shownModel(name: string, env: NodeJS.ProcessEnv): string {
  const keys = KEYS.map((key) => (env[key] ?? '').trim());
  if (holdsSecret(name, keys)) return `${/^[a-z]{1,16}:/.exec(name)?.[0] ?? ''}…`;
  if (/^(?:(?!:\/\/)[^@])*(?:@https?:\/\/[^@?#]*)?$/s.test(name)) return name;
  return `${name.slice(0, name.search(/@|:\/\//))}@…`;
}
