/**
 * Keys and other secrets that calls to the outside carry: they are sent, and appear nowhere else. A server may send one back as an answer;
 * that is not recorded.
 *
 * @module
 */

/** Text shorter than this is no secret, or could not be kept apart from other text. */
const SECRET_UNITS_MIN = 8;

/** True where a text holds one of the secrets of at least 8 UTF-16 units, as it is or as it stands in JSON or an address, in base64 or in hexadecimal. */
export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.filter(({ length }) => length >= SECRET_UNITS_MIN).some((secret) => formsOf(secret).some((form) => text.includes(form)));
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  // Base64 without the last group, which depends on what follows.
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed()), bytes.toString('base64').slice(0, -4), bytes.toString('hex')];
}
