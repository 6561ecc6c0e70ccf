/**
 * The request of `run`: a file, standard input, or a quoted text.
 *
 * @module
 */
import { statSync, existsSync } from 'node:fs';
import { readErrno } from '@assay/host/files';
import { readText, parseJson, readJson } from '../files/read.js';
import { misuse } from '../problems/problem.js';
import { isObject, type Json } from '@assay/kernel';
import { PINS_MAX, areApart, parsePin, renderAtom, type PinAtom } from '@assay/kernel/intent';
import { valueIn } from '../terminal/shown.js';

/** A request's text and where it came from, in words. */
type RequestText = { readonly text: string; readonly from: string };

const TEXT_ENDING = /\.(?:txt|text|md|markdown|rst|adoc|eml|html?|json|csv|pdf|docx?|odt|rtf)$/i;
/** Where a sentence ends or pauses: no part of a path that people write. */
const PAUSE = /[.!?;:,](?:\s|$)|\n/;
const PATH_START = /^(?:~|\.{1,2})?[/\\]|^[A-Za-z]:[/\\]/;
const PATH_WORDS_MAX = 3;
/** As the machines have it: `SEED_BYTES_MAX`, without loading one. */
const TEXT_BYTES_MAX = 1_048_576;

/**
 * Reads `-` from standard input; what names a file from that file; and takes anything else with white space
 * in it as the text itself. One word that names no file, or words that look like a path, are a mistake more
 * often than a request: `missing_file`. A byte order mark is dropped, as is one line end at the end of a
 * file. More than 1 MiB of text is `too_large`.
 */
export async function readRequest(given: string): Promise<RequestText> {
  const request = await readAny(given);
  const bytes = Buffer.byteLength(request.text);
  if (bytes > TEXT_BYTES_MAX)
    throw misuse(
      'too_large',
      `the request has ${bytes} bytes; the maximum is ${TEXT_BYTES_MAX}`,
      request.from,
      'split it into several requests',
    );
  return request;
}

async function readAny(given: string): Promise<RequestText> {
  if (given === '')
    throw misuse(
      'no_request',
      'the request is empty',
      '',
      'name a file, quote a whole sentence, or give - for standard input',
    );
  if (given === '-') return { text: trimmed(await readText('-')), from: 'standard input' };
  if (namesFile(given)) return { text: trimmed(await readText(given)), from: given };
  if (looksLikePath(given))
    throw misuse(
      'missing_file',
      'no such file; the request looks like a path',
      given,
      'check the path; if it is the request itself, end it with a full stop',
    );
  if (/\s/.test(given)) return { text: given, from: 'the command line' };
  throw misuse(
    'missing_file',
    'no such file, and one word is not a request',
    given,
    'name a file, quote a whole sentence, or give - for standard input',
  );
}

/** True for several words that end like a text file, or few of them with a slash, and make no sentence. */
function looksLikePath(given: string): boolean {
  if (!/\s/.test(given) || PAUSE.test(given)) return false;
  const hasFewWords = given.trim().split(/\s+/).length <= PATH_WORDS_MAX;
  return TEXT_ENDING.test(given) || PATH_START.test(given) || (hasFewWords && /[/\\]/.test(given));
}

/** True where the system knows something of this name; a text that is too long for a name is none. */
function namesFile(given: string): boolean {
  try {
    return statSync(given, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const errno = readErrno(error);
    if (errno === 'ENAMETOOLONG') return false;
    // Anything else is told when the file is read.
    if (errno !== null) return true;
    // A name with a NUL in it.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function trimmed(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
}

const PAIR = /^([a-z0-9_.]{1,256})=(.*)$/s;

/**
 * All pins of a command line as one object, or null without one. A `key=value` whose value reads as a JSON
 * number, `true`, `false` or `null` is that, and one that begins with `{` a JSON object
 * (`{"op":…,"value":…,"unit":…}`); anything else is text. A name with no `=` in it is a JSON file holding an
 * object. The same key twice, however given, and two pins that cannot both hold are `bad_pin`, as is a pin that
 * is malformed. Both name both places.
 */
export async function readPins(given: readonly string[]): Promise<Json> {
  if (given.length === 0) return null;
  const pins = new Map<string, PlacedPin>();
  for (const pin of given) {
    for (const [key, value] of await readEntries(pin)) {
      const earlier = pins.get(key);
      const place = pin.includes('=') ? `--pin ${pin}` : `${pin} (${key})`;
      if (earlier !== undefined)
        throw misuse(
          'bad_pin',
          `the pin ${key} is given twice`,
          `${earlier.place} and ${place}`,
          'give each pin once',
        );
      pins.set(key, { value, place });
    }
  }
  requireConsistent(pins);
  return Object.fromEntries([...pins].map(([key, { value }]) => [key, value]));
}

/** The value of a pin, and where it was given. */
type PlacedPin = { readonly value: Json; readonly place: string };

/**
 * Raises `Stop`, `bad_pin`, for the first two pins that cannot both hold, as the machine decides it: one key,
 * one kind of value, no value that both admit. A number and a flag of one key are two kinds, and never
 * compared (intent I9). Likewise for a `no_…` whose value is neither `true` nor `false`. Other pins that the
 * machine does not read are left to it.
 */
function requireConsistent(pins: ReadonlyMap<string, PlacedPin>): void {
  if (pins.size > PINS_MAX) return;
  const known: { readonly place: string; readonly atom: PinAtom }[] = [];
  for (const [key, { value, place }] of pins) {
    const parsed = parsePin({ [key]: value });
    if (parsed._tag === 'Left' && valueIn(parsed.left.detail, 'rule') === 'prohibition')
      throw misuse(
        'bad_pin',
        'a pin that starts with no_ takes only true or false',
        place,
        `to forbid it, write --pin ${key}=true; to fix a value, remove no_`,
      );
    const atom = parsed._tag === 'Right' ? parsed.right[0] : undefined;
    if (atom === undefined) continue;
    const rival = known.find((other) => areApart(other.atom, atom));
    if (rival !== undefined)
      throw misuse(
        'bad_pin',
        `these pins contradict each other: ${stated(rival.atom)}, and ${stated(atom)}`,
        `${rival.place} and ${place}`,
        'remove or change one of them',
      );
    known.push({ place, atom });
  }
}

function stated({ modality, atom }: PinAtom): string {
  return `${modality} ${renderAtom(atom)}`;
}

async function readEntries(pin: string): Promise<readonly (readonly [string, Json])[]> {
  const pair = PAIR.exec(pin);
  if (pair !== null) return [[pair[1] ?? '', parseValue(pair[2] ?? '', pin)]];
  if (pin.includes('='))
    throw misuse(
      'bad_pin',
      'a pin key may contain only lower-case letters, digits, _ and .',
      `--pin ${pin}`,
      'write it like --pin latency.p99="<= 200 ms"',
    );
  if (pin !== '-' && !existsSync(pin))
    throw misuse(
      'missing_file',
      'no such file, and not a pin: a pin contains =',
      `--pin ${pin}`,
      'write it like --pin no_card_data=true, or name a JSON file',
    );
  const file = await readJson(pin);
  if (!isObject(file))
    throw misuse(
      'bad_pin',
      'a file of pins must contain one JSON object',
      pin,
      'write it like {"no_card_data": true}',
    );
  return Object.entries(file);
}

function parseValue(text: string, pin: string): Json {
  return text.startsWith('{') ? parseJson(text, `--pin ${pin}`) : scalar(text);
}

function scalar(text: string): Json {
  if (text === 'true' || text === 'false' || text === 'null') return text === 'null' ? null : text === 'true';
  return /^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?$/.test(text) ? Number(text) : text;
}
