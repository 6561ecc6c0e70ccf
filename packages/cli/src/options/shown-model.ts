/**
 * Names of proposers as they may be shown.
 *
 * @module
 */
import { holdsSecret } from '@assay/host';

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
