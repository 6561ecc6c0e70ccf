/** A plan for each everyday task, for whoever asks what can be done. Source: language/P3. */

/** The templates: plans, each with the words that call for it. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  'find * largest 3 | names -> Names; write Names to largest.txt':
    'largest biggest smallest large big size space',
  'find * changed after 2026-11-27 | names -> Names; write Names to changed.txt':
    'newest oldest latest recent recently modified changed today yesterday week since',
  'find *.txt | count': 'how many count number files',
  'find *.md containing "TODO" | names -> Names; write Names to found.txt':
    'list index names find which mention mentions contain contains containing search',
  'read notes.txt | count words': 'how many lines words characters long length count',
  'read app.log | lines with "ERROR" -> Errors; write Errors to errors.txt':
    'errors error warnings lines matching filter grep extract only with',
  'read app.log | last 5 -> Tail; write Tail to tail.txt': 'first last top end tail head beginning lines',
  'read people.csv | sort by age -> Sorted; write Sorted to sorted.csv':
    'sort sorted order alphabetical alphabetically ascending descending by column',
  'read notes.txt | replace "old" with "new" -> New; write New to notes.txt':
    'replace substitute change swap word every occurrence correct spelling',
  'read notes.txt | lines not empty | unique -> Clean; write Clean to notes.txt':
    'empty blank duplicate unique lines clean strip remove',
  'read sales.csv | column amount | sum': 'sum add up total average mean column amount',
  'find *.txt except all.txt -> Files; read Files -> All; write All to all.txt':
    'merge join combine concatenate together one single append all',
  'find * | same content -> Twins; write Twins to twins.txt':
    'duplicate duplicates same identical twins copies content photos',
  'copy config.json to backup/': 'copy backup back up duplicate',
  'find *.jpg -> Pictures; move Pictures to photos/': 'move rename put folder into archive',
  'append "buy milk\\n" to todo.md': 'write create make new file says note add append line',
  'find *.tmp -> Old; expect count(Old) >= 1; delete Old':
    'delete remove erase old temporary tmp clean up rid',
};

/** The plans whose words come nearest to a text: three at most, the best first. */
export function findNearest(text: string): readonly string[] {
  const words = text.slice(0, 2_000).match(/[A-Za-z]+/g) ?? [];
  const said = new Set(words.map((word) => word.toLowerCase())); // ascii
  return Object.entries(TEMPLATES)
    .map(([plan, calling]) => ({ plan, score: calling.split(' ').filter((word) => said.has(word)).length }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, 3)
    .map(({ plan }) => plan);
}
