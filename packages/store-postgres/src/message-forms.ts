/**
 * The forms of what a server says: for each message that our statements can be answered with, whether its
 * body is what its letter promises. Source: PostgreSQL manual, "Message Formats".
 *
 * @module
 */

/** The body of a message: what stands after its letter and its length. */
type Body = Buffer;

/**
 * Ways to log in that the driver has: none, a password as it is, by MD5, by SASL and its two further steps.
 */
export const LOGIN = { DONE: 0, CLEARTEXT: 3, MD5: 5, SASL: 10, SASL_CONTINUE: 11, SASL_FINAL: 12 } as const;

/**
 * Whether a request to log in has the form of its kind; null where the driver has no such way (Kerberos,
 * GSSAPI, SSPI …).
 */
export function isLogin(body: Body): boolean | null {
  if (body.length < INT32) return false;
  switch (body.readInt32BE(0)) {
    case LOGIN.DONE:
    case LOGIN.CLEARTEXT:
      return body.length === INT32;
    case LOGIN.MD5:
      return body.length === 2 * INT32;
    case LOGIN.SASL:
      return isList(body.subarray(INT32));
    case LOGIN.SASL_CONTINUE:
    case LOGIN.SASL_FINAL:
      return true;
    default:
      return null;
  }
}

/** By letter: whether a body has its form. Letters that are not here answer nothing that we ask. */
export const FORMS: { readonly [letter: string]: (body: Body) => boolean } = {
  // Parsed, bound, closed, no rows, an empty statement: the letter says it all.
  1: isEmpty,
  2: isEmpty,
  3: isEmpty,
  n: isEmpty,
  I: isEmpty,
  A: (body) => body.length >= INT32 && areTexts(body.subarray(INT32), 2),
  C: (body) => areTexts(body, 1),
  D: isRow,
  E: (body) => isReport(body, true),
  K: (body) => body.length >= 2 * INT32,
  N: (body) => isReport(body, false),
  S: (body) => areTexts(body, 2),
  T: isHeading,
  Z: (body) => body.length === 1 && 'ITE'.includes(body.toString('latin1')),
};

/** How many columns a heading or a row has. */
export function columnsOf(body: Body): number {
  return body.readInt16BE(0);
}

const INT16 = 2;
const INT32 = 4;
/** Of a column in a heading, after its name: table, place, type, size, modifier, format. */
const COLUMN_BYTES = 18;
/** Letter of the field with the condition. */
const CONDITION = 'C';

function isEmpty(body: Body): boolean {
  return body.length === 0;
}

/** So many texts, each ended by a zero, and nothing more. */
function areTexts(body: Body, count: number): boolean {
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    at = afterText(body, at);
    if (at === NONE) return false;
  }
  return at === body.length;
}

/** Texts up to an empty one, which is the last. */
function isList(body: Body): boolean {
  let at = 0;
  while (at !== NONE && at < body.length && body[at] !== 0) at = afterText(body, at);
  return at !== NONE && at === body.length - 1;
}

/**
 * Fields of a letter and a text, up to a zero, which is the last byte; an error has its condition among them.
 */
function isReport(body: Body, isError: boolean): boolean {
  let at = 0;
  let hasCondition = false;
  while (at !== NONE && at < body.length && body[at] !== 0) {
    const from = at + 1;
    at = afterText(body, from);
    if (at !== NONE && body.toString('latin1', from - 1, from) === CONDITION)
      hasCondition = /^[0-9A-Z]{5}$/.test(body.toString('latin1', from, at - 1));
  }
  return at !== NONE && at === body.length - 1 && (hasCondition || !isError);
}

function isHeading(body: Body): boolean {
  if (body.length < INT16) return false;
  let at = INT16;
  for (let left = columnsOf(body); left > 0; left -= 1) {
    const after = afterText(body, at);
    if (after === NONE) return false;
    at = after + COLUMN_BYTES;
  }
  return columnsOf(body) >= 0 && at === body.length;
}

function isRow(body: Body): boolean {
  if (body.length < INT16) return false;
  let at = INT16;
  for (let left = columnsOf(body); left > 0; left -= 1) {
    if (at + INT32 > body.length) return false;
    // -1: null.
    const size = body.readInt32BE(at);
    if (size < -1) return false;
    at += INT32 + Math.max(0, size);
  }
  return columnsOf(body) >= 0 && at === body.length;
}

const NONE = -1;

/** The place after the text that begins at `at`, {@link NONE} where it does not end. */
function afterText(body: Body, at: number): number {
  const end = body.indexOf(0, at);
  return end === -1 ? NONE : end + 1;
}
