/**
 * Language models as proposers: `llm:PROVIDER/MODEL`, and how they are asked. Loaded only where one is named.
 *
 * @module
 */
import type { RoleContext } from '@assay/controller/shell';
import type * as Module from '@assay/models';
import type { Port } from '@assay/host';
import type { Spent } from '@assay/kernel';
import type { Task } from '@assay/kernel/prompt';
import type { LlmOptions, OpenModelError, OpenedModel, Parameters, PriceTable } from '@assay/models';
import { loadOptional, readJson } from '../files/read.js';
import { misuse, type Stop } from '../problems/problem.js';
import { VERSION } from '../terminal/version.js';
import { shownModel, type ModelOptions, type Proposer } from './llm.js';

/** How a `--proposer` that names a model begins. */
const PREFIX = 'llm:';

/**
 * A model by its name as a proposer. Contacts nobody. Raises `Stop`: `bad_value`, `package`, `key`,
 * `prices`, and those of reading a file.
 */
export async function modelNamed(name: string, options: ModelOptions): Promise<Proposer> {
  const { port, units } = await modelPort(name, options);
  return { slots: ['llm'], ports: () => port, units };
}

/**
 * A model as a port, and the units in which it is counted. `withTasks`: the same model, asked other things, for
 * no more than so many output tokens a call.
 */
export type ModelPort = {
  readonly port: Port;
  readonly units: readonly string[];
  readonly withTasks: (tasks: readonly Task[], outputMax?: number) => Port;
};

/** A model for the words of a memory's rules. Raises as {@link modelNamed}. */
export async function modelForWords(name: string, options: ModelOptions): Promise<ModelPort> {
  await loaded(name, options.env);
  const { distilTask } = await import('@assay/controller/prompts');
  return modelPort(name, options, [distilTask]);
}

/**
 * A model in the roles of a controller, recorded as `proposer`: `portFor` makes the one that answers for a run
 * whose evidence it reads. Raises as {@link modelNamed}.
 */
export async function modelInRoles(
  name: string,
  options: ModelOptions,
): Promise<
  Pick<ModelPort, 'units'> & {
    readonly proposer: string;
    readonly portFor: (context: RoleContext) => Port;
  }
> {
  await loaded(name, options.env);
  const { controlTasks } = await import('@assay/controller/prompts');
  const { port, units, withTasks } = await modelPort(name, options);
  return { proposer: port.proposer, units, portFor: (context) => withTasks(controlTasks(context)) };
}

/**
 * A model that plans. `kinds`: what it can be asked; `portWithin`: asked for no more output than one call may
 * cost. Raises as {@link modelNamed}.
 */
export async function modelForPlans(
  name: string,
  options: ModelOptions,
): Promise<
  Pick<ModelPort, 'units'> & {
    readonly kinds: ReadonlySet<string>;
    readonly portWithin: (bound: Spent) => Port;
  }
> {
  await loaded(name, options.env);
  const { planTasks } = await import('@assay/planner/prompts');
  const { units, withTasks } = await modelPort(name, options, planTasks);
  return {
    units,
    kinds: new Set(planTasks.map(({ kind }) => kind)),
    portWithin: (bound) => withTasks(planTasks, bound['output_tokens']),
  };
}

/** `tasks`: what it can be asked; the intent machine's where none are given. */
async function modelPort(name: string, options: ModelOptions, tasks?: readonly Task[]): Promise<ModelPort> {
  const llm = await loaded(name, options.env);
  const parameters = readParameters(llm, options.sent);
  const prices = await pricesIn(llm, options.prices);
  const read = llm.parseModelName(name.slice(PREFIX.length));
  if (read._tag === 'Left')
    throw misuse(
      'bad_value',
      NAME_FAULTS[read.left.code],
      `--proposer ${shownModel(name, options.env)}`,
      NAME_REMEDIES[read.left.code],
    );
  const opened = await llm.openModel(read.right, options.env);
  if (opened._tag === 'Left') throw unopened(opened.left, shownModel(name, options.env));
  return makePort(llm, opened.right, {
    parameters,
    prices,
    ...(tasks === undefined ? {} : { tasks }),
    ...waiting(options, name),
  });
}

type Llm = typeof Module;

/** The package is an optional peer: who has no model need not install it. */
async function loaded(name: string, env: NodeJS.ProcessEnv): Promise<Llm> {
  const found = await loadOptional(() => import('@assay/models'));
  if (found !== null) return found;
  throw misuse(
    'package',
    'language models need a package that is not installed',
    `--proposer ${shownModel(name, env)}`,
    `npm install @assay/models@${VERSION}`,
  );
}

type Asking = { readonly parameters: Parameters; readonly prices: PriceTable | null } & Pick<
  LlmOptions,
  'tasks' | 'waitMsMax' | 'onWait'
>;

function makePort(llm: Llm, { model, name, endpoint, secrets }: OpenedModel, asking: Asking): ModelPort {
  const [{ prices }, { provider, model: id }] = [asking, name];
  const { price, moneyUnit } = llm.makeMeter(prices, provider, id);
  if (prices !== null && price === null)
    throw misuse(
      'prices',
      `the price table has no row for ${id} by ${provider}`,
      `--proposer ${PREFIX}${provider}/${id}`,
      'add a row for it, or omit prices=',
    );
  const { max_output_tokens: most } = asking.parameters;
  const withTasks = (tasks: readonly Task[] | undefined, outputMax: number = most): Port =>
    llm.llmPort({
      ...{ model, provider, name: id, endpoint, secrets, ...asking },
      parameters: { ...asking.parameters, max_output_tokens: Math.max(1, Math.min(most, outputMax)) },
      ...(tasks === undefined ? {} : { tasks }),
    });
  return {
    port: withTasks(asking.tasks),
    withTasks,
    units: ['input_tokens', 'output_tokens', ...(moneyUnit === null ? [] : [moneyUnit])],
  };
}

/** Shorter waits are not told of. */
const SAID_MS = 1_000;

/** A wait that nobody is told of looks like a command that hangs. */
function waiting(
  { env, timeoutMs, say }: ModelOptions,
  name: string,
): Pick<LlmOptions, 'waitMsMax' | 'onWait'> {
  const seconds = (ms: number): string =>
    ms > Number.MAX_SAFE_INTEGER ? 'for ever' : `for ${Math.ceil(ms / 1_000)} s`;
  return {
    ...(timeoutMs === null ? {} : { waitMsMax: timeoutMs }),
    onWait: (askedMs, waitMs) => {
      if (waitMs >= SAID_MS)
        say(
          `${shownModel(name, env)} asks to wait ` +
            `${seconds(askedMs)}${
              waitMs < askedMs
                ? `; no more than ${Math.ceil(waitMs / 1_000)} s are waited (--llm timeout)`
                : ''
            }, ` +
            'before another attempt, if one is left',
        );
    },
  };
}

function readParameters(llm: Llm, given: readonly string[]): Parameters {
  const read = llm.parseParameters(given);
  if (read._tag === 'Right') return read.right;
  const { code, name, range } = read.left;
  if (code === 'name')
    throw misuse(
      'bad_value',
      'unknown parameter',
      `--llm ${name}`,
      `give one of ${range}, timeout, prices, as in --llm max_output_tokens=4096`,
    );
  throw misuse(
    'bad_value',
    code === 'twice' ? `${name} is given twice` : `the value of ${name} is out of range`,
    `--llm ${name}`,
    code === 'twice' ? 'give it once' : `give ${range}`,
  );
}

async function pricesIn(llm: Llm, path: string | null): Promise<PriceTable | null> {
  if (path === null) return null;
  const read = llm.parsePrices(await readJson(path));
  if (read._tag === 'Right') return read.right;
  const { code, path: at } = read.left;
  const said = {
    shape: 'it has another form',
    number: `a price is a whole number from 0 to ${llm.PRICE_MAX}: micro-units of the currency for a million tokens`,
    duplicate: 'it lists a model twice',
  }[code];
  throw misuse(
    'prices',
    `not a price table: ${said}, at ${at === '' ? 'its root' : at}`,
    path,
    'write it like ' +
      `{"format":"${llm.PRICES_FORMAT}","as_of":"2026-01-31","currency":"usd","prices":` +
      '[{"provider":"openai","model":"NAME","input":1000000,"output":4000000}]}',
  );
}

const NAME_FAULTS = {
  provider: 'unknown provider',
  model: 'not a valid model name',
  url: 'this provider needs an address, or takes none',
  url_secret: 'the address holds a name, a password or parameters, and every record would show them',
};
const NAME_REMEDIES = {
  provider: 'give llm:anthropic/MODEL, llm:openai/MODEL or llm:compatible/MODEL@URL',
  model: 'use 1 to 100 of A-Z a-z 0-9 . _ ~ : / @ + -',
  url: 'give llm:compatible/MODEL@http://HOST:PORT/v1; the others take ANTHROPIC_BASE_URL and OPENAI_BASE_URL',
  url_secret: 'give the key in ASSAY_COMPATIBLE_API_KEY and the address without it',
};

function unopened(error: OpenModelError, name: string): Stop {
  switch (error.code) {
    case 'package':
      return misuse(
        'package',
        `this provider needs ${error.name}, which is not installed`,
        `--proposer ${name}`,
        error.install,
      );
    case 'key':
      return misuse(
        'key',
        `this provider needs a key, and ${error.variable} is not set`,
        `--proposer ${name}`,
        `set ${error.variable} in the environment; a key is never an argument`,
      );
    case 'key_characters':
      return misuse(
        'key',
        `the key in ${error.variable} contains a line feed or another invalid character`,
        error.variable,
        `set ${error.variable} to the key only: one line of ASCII, without quotes`,
      );
    case 'base_url':
      return misuse(
        'bad_value',
        `${error.variable} is not a valid URL`,
        error.variable,
        'set it to http://HOST:PORT/PATH, without user, password or parameters',
      );
    case 'key_in_name':
      return misuse(
        'key',
        `${error.variable ?? 'the name of this model, or its address,'} holds a key of the ` +
          'environment, and would stand in every record',
        error.variable ?? `--proposer ${name}`,
        'remove the key; Assay sends it with each call',
      );
  }
}
