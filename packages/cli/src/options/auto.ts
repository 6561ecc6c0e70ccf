/**
 * `--proposer auto`: looks for a model, says what it looked for and what it chose. Nothing is sent but, on
 * this machine, the question which models a local Ollama has; a hosted model is chosen only where the
 * environment names it.
 *
 * @module
 */
import type { ModelOptions } from './llm.js';
import { shownModel } from './shown-model.js';

/** Milliseconds that a local server has to answer. */
const LOCAL_MS = 200;
/** Bytes of its answer that are read. */
const LIST_BYTES_MAX = 1_048_576;
const OLLAMA = 'http://127.0.0.1:11434';

/** The name of the proposer that is chosen: `llm:…`, or `rules` where no model is found. */
export async function chosen({ env, say }: Pick<ModelOptions, 'env' | 'say'>): Promise<string> {
  const named = hosted(env, say) ?? (await local(env, say));
  const name = named ?? 'rules';
  say(`auto: chose ${shownModel(name, env)}${named === null ? ', so no language model is used' : ''}`);
  return name;
}

const HOSTED = [
  ['anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_MODEL'],
  ['openai', 'OPENAI_API_KEY', 'OPENAI_MODEL'],
] as const;

function hosted(env: NodeJS.ProcessEnv, say: ModelOptions['say']): string | null {
  const own = env['ASSAY_MODEL'] ?? '';
  say(`auto: ASSAY_MODEL is ${own === '' ? 'not set' : 'set'}`);
  if (own !== '') return own.startsWith('llm:') ? own : `llm:${own}`;
  for (const [provider, key, model] of HOSTED) {
    const [hasKey, name] = [(env[key] ?? '') !== '', env[model] ?? ''];
    say(`auto: ${key} is ${hasKey ? 'set' : 'not set'}, ${model} is ${name === '' ? 'not set' : 'set'}`);
    // Which model is to be paid for is not ours to guess.
    if (hasKey && name !== '') return `llm:${provider}/${name}`;
  }
  return null;
}

async function local(env: NodeJS.ProcessEnv, say: ModelOptions['say']): Promise<string | null> {
  const host = env['OLLAMA_HOST'] ?? '';
  const base = host === '' ? OLLAMA : /^https?:\/\//.test(host) ? host.replace(/\/+$/, '') : `http://${host}`;
  const models = await modelsAt(base);
  if (models === null) {
    say('auto: no Ollama answers on this machine');
    return null;
  }
  const [name] = models.filter((model) => NAME.test(model)).toSorted((a, b) => (a < b ? -1 : 1));
  say(`auto: an Ollama answers, with ${models.length} ${models.length === 1 ? 'model' : 'models'}`);
  return name === undefined ? null : `llm:compatible/${name}@${base}/v1`;
}

/** Names that can stand in a record. */
const NAME = /^[A-Za-z0-9._~:/@+-]{1,100}$/;

/** The models of a local Ollama; null where none answers in time with a list. */
async function modelsAt(base: string): Promise<readonly string[] | null> {
  try {
    if (!['127.0.0.1', '[::1]', 'localhost'].includes(new URL(base).hostname)) return null;
    const response = await fetch(`${base}/api/tags`, {
      signal: AbortSignal.timeout(LOCAL_MS),
      redirect: 'error',
    });
    const list = JSON.parse(await textOf(response)) as {
      readonly models?: readonly { readonly name?: unknown }[];
    };
    return (list.models ?? []).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  } catch {
    return null;
  }
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes > LIST_BYTES_MAX) throw new RangeError('the list is too long');
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text;
}
