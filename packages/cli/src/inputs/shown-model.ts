/**
 * Names of proposers as they may be shown.
 *
 * @module
 */

/** A proposer's name as far as it can hold no password: whole where its address has no name, password, parameters or fragment, else up to that address. */
export function shownModel(name: string): string {
  if (/^(?:(?!:\/\/)[^@])*(?:@https?:\/\/[^@?#]*)?$/s.test(name)) return name;
  return `${name.slice(0, name.search(/@|:\/\//))}@…`;
}
