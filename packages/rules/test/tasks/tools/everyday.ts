import { ALL_FILES, type Filter, type Goal } from '../../../src/tasks/goal.ts';

const of = (filter: Partial<Filter>): Filter => ({ ...ALL_FILES, ...filter });

/**
 * Everyday requests, five of each family, with the goal that a reader takes them to mean. They were written
 * down before it was looked which of them the grammar reads, so that they say what people write and not what
 * the grammar can. `refused`: what else the words could mean.
 */
export const EVERYDAY: readonly (readonly [said: string, meant: Goal, refused?: string])[] = [
  // the largest, smallest, newest, oldest file
  [
    'find the largest file in src and write its name to big.txt',
    { family: 'extreme', which: 'largest', filter: of({ under: 'src' }), to: 'big.txt' },
  ],
  [
    'what is the biggest file? write its name to big.txt',
    { family: 'extreme', which: 'largest', filter: of({}), to: 'big.txt' },
  ],
  [
    'find the newest log file and put its name in latest.txt',
    { family: 'extreme', which: 'newest', filter: of({ ext: 'log' }), to: 'latest.txt' },
  ],
  [
    'tell me which pdf file is the oldest and write its name to oldest.txt',
    { family: 'extreme', which: 'oldest', filter: of({ ext: 'pdf' }), to: 'oldest.txt' },
  ],
  [
    'get the smallest csv file in data/ and write its path to small.txt',
    { family: 'extreme', which: 'smallest', filter: of({ ext: 'csv', under: 'data' }), to: 'small.txt' },
  ],
  // how many files
  [
    'how many files are there in docs? write the number to n.txt',
    { family: 'count', filter: of({ under: 'docs' }), to: 'n.txt' },
  ],
  [
    'count the md files in docs and write the number to n.txt',
    { family: 'count', filter: of({ ext: 'md', under: 'docs' }), to: 'n.txt' },
  ],
  [
    'how many python files do I have? save the number to n.txt',
    { family: 'count', filter: of({ ext: 'py' }), to: 'n.txt' },
    'files ending in .py, or in .pyw and .pyi too',
  ],
  [
    'count how many files contain "error" and write the number to n.txt',
    { family: 'count', filter: of({ contains: 'error' }), to: 'n.txt' },
  ],
  [
    'write the number of json files in the config folder to n.txt',
    { family: 'count', filter: of({ ext: 'json', under: 'config' }), to: 'n.txt' },
  ],
  // names
  [
    'list the files in src and write them to out.txt',
    { family: 'list', filter: of({ under: 'src' }), to: 'out.txt' },
  ],
  [
    'make a list of all csv files and save it to list.txt',
    { family: 'list', filter: of({ ext: 'csv' }), to: 'list.txt' },
  ],
  [
    'find every file that mentions "deadline" and write the names to found.txt',
    { family: 'list', filter: of({ contains: 'deadline' }), to: 'found.txt' },
  ],
  [
    'which md files are in notes/? write the list to out.txt',
    { family: 'list', filter: of({ ext: 'md', under: 'notes' }), to: 'out.txt' },
  ],
  [
    'write the names of all files in docs to names.txt',
    { family: 'list', filter: of({ under: 'docs' }), to: 'names.txt' },
  ],
  // how long a file is
  [
    'how many lines does app.log have? write the number to n.txt',
    { family: 'measure', unit: 'lines', of: 'app.log', to: 'n.txt' },
  ],
  [
    'count the words in essay.md and write the count to words.txt',
    { family: 'measure', unit: 'words', of: 'essay.md', to: 'words.txt' },
  ],
  [
    'how long is essay.md in words? write the answer to n.txt',
    { family: 'measure', unit: 'words', of: 'essay.md', to: 'n.txt' },
  ],
  [
    'write how many lines main.py has to n.txt',
    { family: 'measure', unit: 'lines', of: 'main.py', to: 'n.txt' },
  ],
  [
    'what is the size of video.bin in bytes? put it in size.txt',
    { family: 'measure', unit: 'bytes', of: 'video.bin', to: 'size.txt' },
  ],
  // contents in one file
  [
    'combine all txt files into one file called all.txt',
    { family: 'collect', filter: of({ ext: 'txt' }), to: 'all.txt' },
  ],
  [
    'merge the csv files in data into merged.csv',
    { family: 'collect', filter: of({ ext: 'csv', under: 'data' }), to: 'merged.csv' },
  ],
  [
    'join all the md files in docs/ together and save the result as book.md',
    { family: 'collect', filter: of({ ext: 'md', under: 'docs' }), to: 'book.md' },
  ],
  [
    'put the contents of all log files into everything.log',
    { family: 'collect', filter: of({ ext: 'log' }), to: 'everything.log' },
  ],
  [
    'concatenate the files in parts and write the result to whole.txt',
    { family: 'collect', filter: of({ under: 'parts' }), to: 'whole.txt' },
    'the files of a folder `parts`, or files piece by piece',
  ],
  // copies
  ['copy report.md to backup/', { family: 'copy', of: 'report.md', to: 'backup/report.md' }],
  ['make a copy of config.json named config.bak', { family: 'copy', of: 'config.json', to: 'config.bak' }],
  ['please back up notes.txt to notes.bak', { family: 'copy', of: 'notes.txt', to: 'notes.bak' }],
  ['save a copy of data.csv as data-old.csv', { family: 'copy', of: 'data.csv', to: 'data-old.csv' }],
  ['copy the file a.txt to the folder archive', { family: 'copy', of: 'a.txt', to: 'archive/a.txt' }],
  // another name or place
  ['rename draft.md to final.md', { family: 'move', of: 'draft.md', to: 'final.md' }],
  ['move photo.jpg into pictures/', { family: 'move', of: 'photo.jpg', to: 'pictures/photo.jpg' }],
  ['move todo.txt to the archive folder', { family: 'move', of: 'todo.txt', to: 'archive/todo.txt' }],
  ['give old.txt the name new.txt', { family: 'move', of: 'old.txt', to: 'new.txt' }],
  [
    'can you rename report.txt to report-2024.txt?',
    { family: 'move', of: 'report.txt', to: 'report-2024.txt' },
  ],
  // a new file
  [
    'create a file hello.txt containing "hello world"',
    { family: 'create', text: 'hello world', to: 'hello.txt' },
  ],
  [
    'make a new file called todo.md with "buy milk" in it',
    { family: 'create', text: 'buy milk', to: 'todo.md' },
  ],
  ['save "done" to status.txt', { family: 'create', text: 'done', to: 'status.txt' }],
  ['put the text "see you soon" in note.txt', { family: 'create', text: 'see you soon', to: 'note.txt' }],
  [
    'write a file named greeting.txt that says "good morning"',
    { family: 'create', text: 'good morning', to: 'greeting.txt' },
  ],
  // a file that is to go
  ['delete temp.log', { family: 'remove', of: 'temp.log' }],
  ['please delete the file called old.txt', { family: 'remove', of: 'old.txt' }],
  ['remove tmp/cache.bin', { family: 'remove', of: 'tmp/cache.bin' }],
  ["I don't need draft.txt anymore, delete it", { family: 'remove', of: 'draft.txt' }],
  ['erase secret.txt', { family: 'remove', of: 'secret.txt' }],
  // sums
  [
    'sum the column amount in sales.csv and write the sum to out.txt',
    { family: 'sum', of: 'sales.csv', column: 'amount', to: 'out.txt' },
  ],
  [
    'add up the price column of orders.csv and write the total to total.txt',
    { family: 'sum', of: 'orders.csv', column: 'price', to: 'total.txt' },
  ],
  [
    'what is the total of column 3 in data.csv? write it to t.txt',
    { family: 'sum', of: 'data.csv', column: 3, to: 't.txt' },
  ],
  [
    'add all the numbers in numbers.txt and write the result to sum.txt',
    { family: 'sum', of: 'numbers.txt', column: null, to: 'sum.txt' },
  ],
  [
    'calculate the sum of the second column of costs.csv and save it to sum.txt',
    { family: 'sum', of: 'costs.csv', column: 2, to: 'sum.txt' },
  ],
  // the same content
  [
    'find files with the same content and list them in dupes.txt',
    { family: 'duplicates', filter: of({}), to: 'dupes.txt' },
  ],
  [
    'are there any duplicate files? write them to dupes.txt',
    { family: 'duplicates', filter: of({}), to: 'dupes.txt' },
  ],
  [
    'list duplicate txt files into twins.txt',
    { family: 'duplicates', filter: of({ ext: 'txt' }), to: 'twins.txt' },
    'txt files with the content of another txt file, or of any file',
  ],
  [
    'find duplicates in photos/ and write the list to dupes.txt',
    { family: 'duplicates', filter: of({ under: 'photos' }), to: 'dupes.txt' },
  ],
  [
    'which files are identical? write their names to same.txt',
    { family: 'duplicates', filter: of({}), to: 'same.txt' },
  ],
  // sizes by extension
  [
    'how much space does each file type take? write it to sizes.txt',
    { family: 'sizes', filter: of({}), to: 'sizes.txt' },
    'the sizes of the files, or what they take on the disk',
  ],
  [
    'write the total size of each file type to sizes.txt',
    { family: 'sizes', filter: of({}), to: 'sizes.txt' },
  ],
  [
    'add up the file sizes per extension and write the result to sizes.txt',
    { family: 'sizes', filter: of({}), to: 'sizes.txt' },
  ],
  [
    'total size by file extension in src, write to sizes.txt',
    { family: 'sizes', filter: of({ under: 'src' }), to: 'sizes.txt' },
  ],
  [
    'show me how big the files are by type and save that in sizes.txt',
    { family: 'sizes', filter: of({}), to: 'sizes.txt' },
    'one size for each type, or for each file',
  ],
];
