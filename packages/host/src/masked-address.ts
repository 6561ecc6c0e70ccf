/**
 * Addresses of stores as they may be shown.
 *
 * @module
 */

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
