/**
 * Models by name: `anthropic/MODEL`, `openai/MODEL`, `compatible/MODEL@URL`. The package of a provider is
 * loaded when one of its models is opened, and no model is contacted before it is asked.
 *
 * @module
 */
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { holdsSecret } from '@assay/host';
import { err, ok, type Result } from '@assay/kernel';
import { boundedFetch } from './call-failure.js';

/** The providers that have a name here. */
const PROVIDERS = ['anthropic', 'openai', 'compatible'] as const;
/** One of {@link PROVIDERS}. */
type Provider = (typeof PROVIDERS)[number];

/** A model named. `url`: where it is; null for the provider's own place. */
type ModelName = { readonly provider: Provider; readonly model: string; readonly url: string | null };

/**
 * Why a text names no model. `provider`: none of ours. `model`: no name of 1 to 100 of A-Z a-z 0-9 . _ ~ : /
 * @ + -. `url`: a compatible model without `@http://…` or `@https://…`, another one with it. `url_secret`: an
 * address with a name, a password, parameters or a fragment.
 */
type ModelNameError = { readonly code: 'provider' | 'model' | 'url' | 'url_secret' };

const MODEL = /^[A-Za-z0-9._~:/@+-]{1,100}$/;

/** Reads a model's name, without `llm:`. */
export function parseModelName(text: string): Result<ModelNameError, ModelName> {
  const slash = text.indexOf('/');
  const provider = PROVIDERS.find((known) => known === text.slice(0, slash));
  if (slash === -1 || provider === undefined) return err({ code: 'provider' });
  const rest = text.slice(slash + 1);
  const at = /@(?=[a-z][a-z0-9+.-]*:\/\/)/i.exec(rest)?.index;
  // Of the others an address would be ignored, and stand in the record with whatever password it has.
  if ((provider === 'compatible') === (at === undefined)) return err({ code: 'url' });
  const model = at === undefined ? rest : rest.slice(0, at);
  if (!MODEL.test(model)) return err({ code: 'model' });
  return at === undefined ? ok({ provider, model, url: null }) : withUrl(provider, model, rest.slice(at + 1));
}

/**
 * A model opened. `secrets`: what must not get into a record. `endpoint`: its address, where it is not the
 * provider's own.
 */
export type OpenedModel = {
  readonly model: LanguageModelV3;
  readonly name: ModelName;
  readonly endpoint: string | null;
  readonly secrets: readonly string[];
};

/**
 * Why a model could not be opened. `package`: the provider's is not installed; `install` is the line to type.
 * `key`: a variable of the environment that must hold one; `key_characters`: it holds what no header may
 * hold. `base_url`: a variable that is no address as {@link parseModelName} takes it. `key_in_name`: the
 * model's name or its address (`variable`: where that is from, null for the name itself) holds a key of the
 * environment, and would stand in every record.
 */
export type OpenModelError =
  | { readonly code: 'package'; readonly name: string; readonly install: string }
  | { readonly code: 'key' | 'key_characters'; readonly variable: string }
  | { readonly code: 'base_url'; readonly variable: string }
  | { readonly code: 'key_in_name'; readonly variable: string | null };

/** Where keys and addresses are looked for. A key is never taken from an argument. */
type Environment = { readonly [name: string]: string | undefined };

type Kind = {
  readonly package: string;
  readonly version: string;
  readonly key: string;
  readonly baseUrl: string | null;
  readonly isKeyNeeded: boolean;
};

const KINDS: Readonly<Record<Provider, Kind>> = {
  anthropic: {
    package: '@ai-sdk/anthropic',
    version: '3.0.138',
    key: 'ANTHROPIC_API_KEY',
    baseUrl: 'ANTHROPIC_BASE_URL',
    isKeyNeeded: true,
  },
  openai: {
    package: '@ai-sdk/openai',
    version: '3.0.141',
    key: 'OPENAI_API_KEY',
    baseUrl: 'OPENAI_BASE_URL',
    isKeyNeeded: true,
  },
  compatible: {
    package: '@ai-sdk/openai-compatible',
    version: '2.0.87',
    key: 'ASSAY_COMPATIBLE_API_KEY',
    baseUrl: null,
    isKeyNeeded: false,
  },
};

/** Opens a model: loads its provider's package and gives it the key of the environment. Contacts nobody. */
export async function openModel(
  name: ModelName,
  env: Environment,
): Promise<Result<OpenModelError, OpenedModel>> {
  const kind = KINDS[name.provider];
  // A key from a file often ends in a line feed, which no header may hold.
  const key = (env[kind.key] ?? '').trim();
  if (key === '' && kind.isKeyNeeded) return err({ code: 'key', variable: kind.key });
  if (!/^[\x20-\x7e]*$/.test(key)) return err({ code: 'key_characters', variable: kind.key });
  const own = kind.baseUrl === null ? undefined : env[kind.baseUrl];
  const place = own === undefined || own === '' ? ok(name) : withUrl(name.provider, name.model, own);
  if (place._tag === 'Left') return err({ code: 'base_url', variable: kind.baseUrl ?? '' });
  const endpoint = place.right.url;
  const secrets = keysIn(env);
  if (holdsSecret(name.model, secrets) || holdsSecret(name.url ?? '', secrets))
    return err({ code: 'key_in_name', variable: null });
  if (holdsSecret(endpoint ?? '', secrets)) return err({ code: 'key_in_name', variable: kind.baseUrl });
  try {
    const model = await LOADERS[name.provider](name.model, key, endpoint);
    return ok({ model, name, endpoint, secrets: key === '' ? [] : [key] });
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'ERR_MODULE_NOT_FOUND')) throw error;
    return err({
      code: 'package',
      name: kind.package,
      install: `npm install ${kind.package}@${kind.version}`,
    });
  }
}

/** The keys of an environment, of whatever provider: texts that must not be shown. */
function keysIn(env: Environment): readonly string[] {
  return Object.values(KINDS)
    .flatMap(({ key }) => [(env[key] ?? '').trim()])
    .filter((key) => key !== '');
}

type Loader = (model: string, apiKey: string, url: string | null) => Promise<LanguageModelV3>;

const LOADERS: Readonly<Record<Provider, Loader>> = {
  anthropic: async (model, apiKey, url) =>
    (await import('@ai-sdk/anthropic')).createAnthropic({
      apiKey,
      fetch: boundedFetch,
      ...(url === null ? {} : { baseURL: url }),
    })(model),
  openai: async (model, apiKey, url) =>
    (await import('@ai-sdk/openai')).createOpenAI({
      apiKey,
      fetch: boundedFetch,
      ...(url === null ? {} : { baseURL: url }),
    })(model),
  compatible: async (model, apiKey, url) =>
    (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
      name: 'compatible',
      baseURL: url ?? '',
      fetch: boundedFetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
      ...(apiKey === '' ? {} : { apiKey }),
    })(model),
};

function withUrl(provider: Provider, model: string, text: string): Result<ModelNameError, ModelName> {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return err({ code: 'url' });
  const { protocol, username, password, search, hash, host, pathname } = new URL(text);
  if (username !== '' || password !== '' || search !== '' || hash !== '' || text.includes('@'))
    return err({ code: 'url_secret' });
  return ok({ provider, model, url: `${protocol}//${host}${pathname.replace(/\/+$/, '')}` });
}
