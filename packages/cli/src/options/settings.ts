/**
 * What a machine is opened with: its defaults under each `--set`.
 *
 * @module
 */
import { isArray, type Json } from '@assay/kernel';
import type { Fields } from './override.js';
import { misuse } from '../problems/problem.js';

/** Policy and input under `--set`: a path, or the end of one that names one field alone. Raises `Stop`: `bad_value`. */
export async function openedUnder(whole: Fields, set: readonly string[] = []): Promise<Fields> {
  return set.length === 0 ? whole : (await import('./override.js')).withSettings(whole, set);
}

/** The files that settings name. */
export function settingFiles(set: readonly string[] = []): readonly string[] {
  return set.flatMap((given) => /^[^=]*=@(.+)$/s.exec(given)?.[1] ?? []);
}

/**
 * Options without the settings of these names, each as an option of its own: they are of the call, and neither of the
 * policy nor of the input. `NAME.KEY=VALUE` gives a list of `KEY=VALUE`.
 */
export function takeSettings<F extends { readonly set?: readonly string[] }>(
  flags: F,
  names: readonly string[],
): F {
  const set: string[] = [];
  const own: { [name: string]: string | readonly string[] } = {};
  for (const given of flags.set ?? []) {
    const [, name = '', key, text = ''] = /^([^=.]*)(?:\.([^=]*))?(?:=(.*))?$/s.exec(given) ?? [];
    if (!names.includes(name)) set.push(given);
    else own[name] = key === undefined ? text : [...[own[name] ?? []].flat(), `${key}=${text}`];
  }
  return { ...flags, ...own, set };
}

/** A list of names in a policy. Raises `Stop`: `policy`. */
export function slotNames(slots: Json): readonly string[] {
  const texts = isArray(slots) ? slots.filter((slot) => typeof slot === 'string') : [];
  if (isArray(slots) && texts.length === slots.length && texts.length > 0) return texts;
  throw misuse('policy', 'proposers must be a list of names', '--set', 'write it like proposers=["rules"]');
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };
const DAY_MS = 86_400_000;

/**
 * Reads `deadline=`: `10m` from now (s, m, h), or `17:00`, local time (tomorrow's where it is past), as microseconds
 * since 1970; null without one. Raises `Stop`: `bad_value`.
 */
export function parseDeadline(given: string | undefined, now: number = Date.now()): number | null {
  if (given === undefined) return null;
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(given) ?? [];
  if (count !== '') return (now + Number(count) * (UNITS[unit] ?? 1) * 1_000) * 1_000;
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
  if (hours === '')
    throw misuse(
      'bad_value',
      'not a length of time, and not a time of day',
      `--set deadline=${given}`,
      'write it like --set deadline=10m or --set deadline=17:00',
    );
  const at = new Date(now).setHours(Number(hours), Number(minutes), 0, 0);
  return (at > now ? at : at + DAY_MS) * 1_000;
}
