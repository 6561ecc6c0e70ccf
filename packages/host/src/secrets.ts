/**
 * Keys and other secrets that calls to the outside carry, and passwords in addresses: they are sent, and
 * appear nowhere else. A server may send one back as an answer; that is not recorded.
 */
/**
 * A stretch of a secret so long gives it away; what is shorter, a whole secret too, cannot be told from other
 * text.
 */
const STRETCH_UNITS = 8;

/**
 * True where a text holds 8 UTF-16 units in a row of one of the secrets: as they are, in whatever case, in an
 * address, escaped in JSON (up to 4 times over), or 8 bytes of it in base64 or hexadecimal. Secrets of fewer
 * than 8 units are not looked for. `known`: text that is recorded anyway; a stretch that stands in it gives
 * nothing away. O(text × secret).
 */
export function holdsSecret(text: string, secrets: readonly string[], known: string = ''): boolean {
  const folded = known.toLowerCase();
  const stretches = secrets
    .filter(({ length }) => length >= STRETCH_UNITS)
    .flatMap((secret) => listStretches(secret).filter((stretch) => !folded.includes(stretch)));
  if (stretches.length === 0) return false;
  const readings = listReadings(text).join('\n').toLowerCase();
  return stretches.some((stretch) => readings.includes(stretch));
}

/**
 * A text as it may be recorded and shown: each occurrence of a secret of at least 8 UTF-16 units reads `***`,
 * in whatever case and as an address writes it. Where some other form or stretch of one is left (as
 * {@link holdsSecret} finds it), nothing of the text is: `***`.
 */
export function maskedSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter(({ length }) => length >= STRETCH_UNITS)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret.toWellFormed()),
      encodeURI(secret.toWellFormed()),
    ]);
  const longest = [...new Set(forms)].sort((one, other) => other.length - one.length);
  const masked = longest.reduce(
    (rest, form) =>
      rest.replaceAll(
        new RegExp(form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`), 'gi'),
        () => '***',
      ),
    text,
  );
  return holdsSecret(masked, secrets) ? '***' : masked;
}

/** Every string and number in a value of JSON, its keys too. */
export function stringsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  // A list and not a recursion: depth is the other side's to choose.
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') found.push(next);
    else if (typeof next === 'number') found.push(String(next));
    else if (typeof next === 'object' && next !== null)
      for (const [key, item] of Object.entries(next)) rest.push(key, item);
  }
  return found;
}

const UNESCAPE_ROUNDS = 4;

/** A text as it stands and as it reads without escapes. */
function listReadings(text: string): readonly string[] {
  const readings = [text];
  let last = text;
  for (let round = 0; round < UNESCAPE_ROUNDS; round += 1) {
    const next = last.replaceAll(
      ESCAPE,
      (_, json: string | undefined, address: string | undefined, plain: string | undefined) =>
        plain ?? String.fromCharCode(Number.parseInt(json ?? address ?? '', 16)),
    );
    if (next === last) break;
    readings.push(next);
    last = next;
  }
  return readings;
}

const ESCAPE = /\\u([0-9a-f]{4})|%([0-9a-f]{2})|\\(["\\/])/gi;

function listStretches(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].flatMap((before) => listWindows(base64Behind(bytes, before), BASE64_LETTERS));
  const forms = [
    ...listWindows(secret, STRETCH_UNITS),
    ...listWindows(encodeURIComponent(secret.toWellFormed()), STRETCH_UNITS),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ...listWindows(bytes.toString('hex'), 2 * STRETCH_UNITS),
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

/** Letters of base64 that 8 bytes fill alone, however they lie. */
const BASE64_LETTERS = 10;

/**
 * Bytes in base64 behind so many others: a byte stands there in one of three ways. Letters that a neighbour
 * has a part in are left out.
 */
function base64Behind(bytes: Uint8Array, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
}

/** Every stretch of so many units. */
function listWindows(text: string, units: number): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - units + 1) }, (_, at) => text.slice(at, at + units));
}

/**
 * An address without its secrets, for messages and logs: what may be a password reads `***`, and so does the
 * value of every parameter but a few that hold none. Total: also of text that is no address, where it hides
 * too much rather than too little.
 *
 * @example
 * ```ts
 * maskedAddress('postgres://app:secret@db/runs'); // 'postgres://app:***@db/runs'
 * ```
 */
export function maskedAddress(address: string): string {
  let url = address;
  // Files have no passwords, and their names hold any of these characters.
  if (/^(?:file|sqlite):/i.test(url)) return url;
  const at = url.lastIndexOf('@');
  // Without a host, what was meant for a password stands where the port should.
  if (at === -1) url = url.replace(/^([^:]*:\/\/[^:/?#[]*):(?![0-9]{0,5}(?:[/?#]|$)).*$/s, '$1:***');
  const user = at === -1 ? '' : url.slice(0, at).replace(/^((?:[^:]*:\/\/)?[^:]*).*$/s, '$1');
  const hasSecret = at > user.length;
  const place = at === -1 ? url : url.slice(at);
  return (
    (hasSecret ? `${user}:***` : user) +
    place.replaceAll(
      /([?&#])([^=&#]*)(?:=([^&#]*))?/g,
      (parameter: string, mark: string, name: string, value: string | undefined) =>
        value === undefined || PLAIN.has(name) ? parameter : `${mark}${name}=***`,
    )
  );
}

/** Parameters that are no secret. */
const PLAIN: ReadonlySet<string> = new Set(['host', 'schema', 'sslmode', 'application_name']);
