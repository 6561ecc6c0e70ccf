/**
 * A plan for each everyday task, for whoever asks what can be done. Source: language/P3.
 *
 * @module
 */

/** A plan, and the words that call for it. */
type Template = { readonly words: string; readonly plan: string };

/** The templates, by what is asked for. */
export const TEMPLATES: readonly Template[] = [
  {
    words: 'largest biggest smallest large big size space',
    plan: 'find * largest 3 | names -> Names; write Names to largest.txt',
  },
  {
    words: 'newest oldest latest recent recently modified changed today yesterday week since',
    plan: 'find * changed after 2026-11-27 | names -> Names; write Names to changed.txt',
  },
  { words: 'how many count number files', plan: 'find *.txt | count' },
  {
    words: 'list index names find which mention mentions contain contains containing search',
    plan: 'find *.md containing "TODO" | names -> Names; write Names to found.txt',
  },
  { words: 'how many lines words characters long length count', plan: 'read notes.txt | count words' },
  {
    words: 'errors error warnings lines matching filter grep extract only with',
    plan: 'read app.log | lines with "ERROR" -> Errors; write Errors to errors.txt',
  },
  {
    words: 'first last top end tail head beginning lines',
    plan: 'read app.log | last 5 -> Tail; write Tail to tail.txt',
  },
  {
    words: 'sort sorted order alphabetical alphabetically ascending descending by column',
    plan: 'read people.csv | sort by age -> Sorted; write Sorted to sorted.csv',
  },
  {
    words: 'replace substitute change swap word every occurrence correct spelling',
    plan: 'read notes.txt | replace "old" with "new" -> New; write New to notes.txt',
  },
  {
    words: 'empty blank duplicate unique lines clean strip remove',
    plan: 'read notes.txt | lines not empty | unique -> Clean; write Clean to notes.txt',
  },
  { words: 'sum add up total average mean column amount', plan: 'read sales.csv | column amount | sum' },
  {
    words: 'merge join combine concatenate together one single append all',
    plan: 'find *.txt except all.txt -> Files; read Files -> All; write All to all.txt',
  },
  {
    words: 'duplicate duplicates same identical twins copies content photos',
    plan: 'find * | same content -> Twins; write Twins to twins.txt',
  },
  { words: 'copy backup back up duplicate', plan: 'copy config.json to backup/' },
  { words: 'move rename put folder into archive', plan: 'find *.jpg -> Pictures; move Pictures to photos/' },
  { words: 'write create make new file says note add append line', plan: 'append "buy milk\\n" to todo.md' },
  {
    words: 'delete remove erase old temporary tmp clean up rid',
    plan: 'find *.tmp -> Old; expect count(Old) >= 1; delete Old',
  },
];

/** The plans whose words come nearest to a text: three at most, the best first. */
export function findNearest(text: string): readonly string[] {
  const words = text.slice(0, 2_000).match(/[A-Za-z]+/g) ?? [];
  const said = new Set(words.map((word) => word.toLowerCase())); // ascii
  return TEMPLATES.map(({ words: calling, plan }) => ({
    plan,
    score: calling.split(' ').filter((word) => said.has(word)).length,
  }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, 3)
    .map(({ plan }) => plan);
}
