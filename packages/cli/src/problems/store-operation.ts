/**
 * What a store was to do, in words: its refusal has the name of a method.
 *
 * @module
 */
const DOINGS: ReadonlyMap<string, string> = new Map([
  ['open', 'open its data'],
  ['read', 'read the run'],
  ['head', 'read the head of the run'],
  ['list', 'list its runs'],
  ['append', 'write more records'],
  ['write', 'write a test record'],
  ['watch', 'watch for new records'],
]);

/** After "cannot" or "refused to". A store of somebody else may name what it does otherwise. */
export function doingOf(operation: string): string {
  return DOINGS.get(operation) ?? 'do this';
}
