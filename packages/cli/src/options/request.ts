/**
 * The request of `run`: a file, standard input, or a quoted text.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { readErrno } from '@assay/host/files';
import { readText } from '../files/read.js';
import { misuse } from '../problems/problem.js';

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
