/**
 * Language models as proposers: `llm:PROVIDER/MODEL`, and how they are asked. Loaded only where one is named.
 *
 * @module
 */
import type * as Module from '@assay/models';
import type { Port } from '@assay/host';
import type { Task } from '@assay/kernel/prompt';
import type { LlmOptions, OpenModelError, OpenedModel, Parameters, PriceTable } from '@assay/models';
import { loadOptional, readJson } from '../files/read.js';
import { misuse, type Stop, badValue } from '../problems/problem.js';
import { VERSION } from '../terminal/version.js';
import { shownModel, type ModelOptions } from './llm.js';

/** How a `--proposer` that names a model begins. */
const PREFIX = 'llm:';

/**
 * A model by its name, recorded as `proposer`, and the units in which it is counted. `portOf`: the model, asked these
 * tasks, for no more than so many output tokens a call.
 */
export type NamedModel = {
  readonly proposer: string;
  readonly units: readonly string[];
  readonly portOf: (tasks: readonly Task[], outputMax?: number) => Port;
};

/** Contacts nobody. Raises `Stop`: `bad_value`, `package`, `key`, `prices`, and those of reading a file. */
export async function modelNamed(name: string, options: ModelOptions): Promise<NamedModel> {
  const llm = await loaded(name, options.env);
  const parameters = readParameters(llm, options.sent);
  const prices = await pricesIn(llm, options.prices);
  const read = llm.parseModelName(name.slice(PREFIX.length));
  if (read._tag === 'Left')
    throw badValue(NAME_FAULTS[read.left.code], shownModel(name, options.env), NAME_REMEDIES[read.left.code]);
  const opened = await llm.openModel(read.right, options.env);
  if (opened._tag === 'Left') throw unopened(opened.left, shownModel(name, options.env));
  return makeNamed(llm, opened.right, { parameters, prices, ...waiting(options, name) });
}

type Llm = typeof Module;

/** The package is an optional peer: who has no model need not install it. */
async function loaded(name: string, env: NodeJS.ProcessEnv): Promise<Llm> {
  const found = await loadOptional(() => import('@assay/models'));
  if (found !== null) return found;
  throw misuse(
    'package',
    'language models need a package that is not installed',
    shownModel(name, env),
    `npm install @assay/models@${VERSION}`,
  );
}

type Asking = { readonly parameters: Parameters; readonly prices: PriceTable | null } & Pick<
  LlmOptions,
  'waitMsMax' | 'onWait'
>;

function makeNamed(llm: Llm, { model, name, endpoint, secrets }: OpenedModel, asking: Asking): NamedModel {
  const [{ prices }, { provider, model: id }] = [asking, name];
  const { price, moneyUnit } = llm.makeMeter(prices, provider, id);
  if (prices !== null && price === null)
    throw misuse(
      'prices',
      `the price table has no row for ${id} by ${provider}`,
      `${PREFIX}${provider}/${id}`,
      'add a row for it, or omit prices=',
    );
  const { max_output_tokens: most } = asking.parameters;
  const portOf = (tasks: readonly Task[], outputMax: number = most): Port =>
    llm.llmPort({
      ...{ model, provider, name: id, endpoint, secrets, ...asking, tasks },
      parameters: { ...asking.parameters, max_output_tokens: Math.max(1, Math.min(most, outputMax)) },
    });
  return {
    proposer: portOf([]).proposer,
    portOf,
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
    throw badValue(
      'unknown parameter',
      `--llm ${name}`,
      `give one of ${range}, timeout, prices, as in --llm max_output_tokens=4096`,
    );
  throw badValue(
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
        name,
        error.install,
      );
    case 'key':
      return misuse(
        'key',
        `this provider needs a key, and ${error.variable} is not set`,
        name,
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
      return badValue(
        `${error.variable} is not a valid URL`,
        error.variable,
        'set it to http://HOST:PORT/PATH, without user, password or parameters',
      );
    case 'key_in_name':
      return misuse(
        'key',
        `${error.variable ?? 'the name of this model, or its address,'} holds a key of the ` +
          'environment, and would stand in every record',
        error.variable ?? name,
        'remove the key; Assay sends it with each call',
      );
  }
}
