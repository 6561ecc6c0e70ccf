/**
 * What a store was to do, in words: its refusal has the name of a method.
 *
 * @module
 */
const DOINGS: ReadonlyMap<string, string> = new Map([
  ['open', 'open what it keeps'],
  ['read', 'give the records of the run'],
  ['head', 'say where the run ends'],
  ['list', 'list its runs'],
  ['append', 'take more records'],
  ['write', 'take a trial record'],
  ['watch', 'say what is new'],
]);

/** After "cannot" or "refused to". A store of somebody else may name what it does otherwise. */
export function doingOf(operation: string): string {
  return DOINGS.get(operation) ?? 'do what it was asked';
}
