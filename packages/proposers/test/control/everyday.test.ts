/** What people write: sentences that mean one thing are read as that, and what could mean two things is refused. */
import { describe, expect, it } from 'vitest';
import { FAMILIES, parseGoal } from '../../src/control/index.ts';
import { EVERYDAY } from './tools/everyday.ts';

const read = (said: string): unknown => {
  const goal = parseGoal(said);
  return goal._tag === 'Left' ? goal.left.code : goal.right;
};
const same = (said: string, other: string): void => {
  expect({ said: other, is: parseGoal(other)._tag }).toEqual({ said: other, is: 'Right' });
  expect({ said, is: read(said) }).toEqual({ said, is: read(other) });
};
const refused = (code: string, texts: readonly string[]): void => {
  for (const said of texts) expect({ said, is: read(said) }).toEqual({ said, is: code });
};

describe('everyday sentences', () => {
  it('there are five of each family that a workspace can do', () => {
    for (const family of FAMILIES) expect([family, EVERYDAY.filter(([, meant]) => meant.family === family).length]).toEqual([family, family === 'outside' ? 0 : 5]);
  });

  it.each(EVERYDAY.map(([said, meant, why]) => ({ said, meant, why })))('$said', ({ said, meant, why }) => {
    expect(read(said)).toEqual(why === undefined ? meant : 'not_understood');
  });

  it('are read but for five, which could mean something else too', () => {
    expect(EVERYDAY.filter(([, , why]) => why !== undefined).length).toBe(5);
  });
});

describe('a bare word behind "in"', () => {
  it('is a folder where it can be nothing else', () => {
    for (const name of ['docs', 'src', 'Photos', 'node_modules', '__pycache__', 'my_notes', '"any words"', 'a/b']) {
      const folder = `the folder ${name}`;
      same(`list the files in ${name} and write them to out.txt`, `list all files in ${folder} into out.txt`);
      same(`how many md files are there in ${name}? write the number to n.txt`, `count all md files in ${folder} and write the number to n.txt`);
      same(`count how many files are in ${name} and write the number to n.txt`, `count all files in ${folder} and write the number to n.txt`);
      same(`which file in ${name} is the newest? write its name to f.txt`, `find the newest file in ${folder} and write its name to f.txt`);
      same(`combine all the files in the ${name} folder into one file called all.txt`, `concatenate all files in ${folder} into all.txt`);
      same(`find duplicates in ${name} and list them in d.txt`, `find duplicate files in ${folder} and write their names to d.txt`);
      same(`write the total size per extension in ${name} to s.txt`, `report the total size per extension in ${folder} into s.txt`);
    }
  });

  it('that may say how, when, or in what form or language is none', () => {
    for (const word of ['english', 'french', 'json', 'python', 'markdown', 'detail', 'full', 'size', 'bytes', 'use', 'draft', 'review', 'progress', 'public', 'parts', 'pairs', 'may', 'january', '2024', 'total', 'existence', 'memory', 'place', 'general', 'question', 'there', 'it', 'that', 'UPPERCASE', 'snake_case', 'source', 'build', 'downloads', 'documents', 'desktop']) {
      refused('not_understood', [
        `how many files are in ${word}? write the number to n.txt`,
        `find the largest file in ${word} and write its name to f.txt`,
        `merge the csv files in ${word} into all.csv`,
        `find duplicates in ${word} and write their names to d.txt`,
        `list the files in ${word} and write them to out.txt`,
        ...(word === 'total' ? [] : [`how many files are there in ${word}? write the number to n.txt`]),
      ]);
    }
    same('list the files in order and write them to out.txt', 'list all files sorted into out.txt');
    refused('not_understood', ['how many files are in order? write the number to n.txt', 'find the largest file in order and write its name to f.txt', 'count the files in order and write the number to n.txt']);
  });

  it('is where files stand, and is never written to', () => {
    refused('not_understood', ['list all files in docs', 'count the files in src', 'copy a.txt to docs', 'move a.txt into docs', 'count all files and write the number in docs', 'delete all files in docs', 'delete docs', 'write "x" to notes']);
    refused('ambiguous', ['list all files in docs in out.txt', 'write the number of files in docs in n.txt']);
  });

  it('an archive is no folder: what is in it, or put into it, may be meant', () => {
    refused('ambiguous', ['how many files are in photos.zip? write the number to n.txt', 'list the files in a.tar.gz and write them to l.txt', 'list all files and put them into all.zip', 'combine all txt files and save the result as all.zip']);
    for (const said of ['list the files in the old.zip folder and write them to l.txt', 'list all files in "old.zip" into l.txt']) same(said, 'list all files in the folder "old.zip" into l.txt');
    same('list all files in the folder old.zip into l.txt', 'list all files in the folder "old.zip" into l.txt');
  });
});

describe('a folder that files are put into', () => {
  it('is one behind "the folder", or before "folder"', () => {
    for (const name of ['archive', '"old stuff"', 'old/', 'a.b']) {
      same(`move a.txt to the folder ${name}`, `move a.txt to ${name.endsWith('/') ? name : name.startsWith('"') ? '"old stuff/"' : `${name}/`}`);
      same(`copy docs/a.txt into the ${name} directory`, `copy docs/a.txt to ${name.endsWith('/') ? name : name.startsWith('"') ? '"old stuff/"' : `${name}/`}`);
    }
    refused('outside_workspace', ['move a.txt to the folder ..', 'copy a.txt to the ../x folder']);
    refused('same_file', ['copy docs/a.txt to the docs folder']);
  });

  it('is none in a word that says when, or which of others', () => {
    refused('not_understood', ['move a.txt to the folder tomorrow', 'move a.txt to the folder', 'copy a.txt to the folder above', 'move a.txt to the other folder', 'copy a.txt to the same folder', 'copy a.txt to my documents folder', 'move a.txt to the downloads folder', 'back up a.txt to my archive folder', 'move a.txt to the parent folder', 'list the files in the current folder into l.txt', 'list the files in the folder above into l.txt']);
  });
});

describe('a column', () => {
  const SUM = (column: string): string => `sum ${column} in sales.csv and write the sum to out.txt`;
  it('bare behind "column" is a heading where it can be nothing else', () => {
    for (const name of ['amount', 'price', 'Umsatz', 'net_total', 'größe', 'VATS']) for (const words of [`the column ${name}`, `column ${name}`, `the column called ${name}`, `column named ${name}`]) same(SUM(words), SUM(`the column "${name}"`));
    for (const words of ['the column called "net price"', 'the "net price" column']) same(SUM(words), SUM('the column "net price"'));
    same('compute the total of the price column in sales.csv and save it in out.txt', SUM('column "price"'));
    for (const [said, column] of [['first', 1], ['2nd', 2], ['tenth', 10]] as const) same(SUM(`the ${said} column`), SUM(`column ${column}`));
  });

  it('of which a word says what stands in it, which one it is or where, has no heading yet', () => {
    for (const name of ['values', 'totals', 'total', 'numbers', 'two', 'last', 'first', 'B', 'AB', 'ABC', 'B2', 'contained', 'shown', 'exactly', 'beginning', 'again', 'named', '2a', '1-3']) refused('not_understood', [SUM(`the column ${name}`), SUM(`column ${name}`)]);
    for (const which of ['last', 'longest', 'whole', 'numeric', 'rightmost', 'each', 'every', 'total', 'same', 'eleventh']) refused('not_understood', [SUM(`the ${which} column`), SUM(`${which} column`)]);
  });
});

describe('other words of every day', () => {
  it('mean what the words of before mean', () => {
    same('how many files are there in total? write the number to n.txt', 'count all files and write the number to n.txt');
    same('find out how many txt files contain "TODO" and save the number in n.txt', 'count all txt files containing "TODO" and write the number to n.txt');
    same('list all files sorted by name and save them as l.txt', 'list all files into l.txt');
    same('write the length of a.txt in characters to n.txt', 'count the characters of a.txt and write the number to n.txt');
    same('join all md files together into book.md', 'concatenate all md files into book.md');
    same('back up a.txt to old/', 'copy a.txt to old/a.txt');
    same("I don't want the file called a.txt any more, remove it", 'delete a.txt');
    same('rename the file called docs/a.txt to b.txt', 'rename docs/a.txt to b.txt');
    same('create a file a.txt with "x" inside', 'create the file a.txt with the text "x"');
    same('are there any files with the same content in photos/? write their names to d.txt', 'find duplicate files in photos/ and write their names to d.txt');
    same('the total size per file type, write it to s.txt', 'report the total size per extension into s.txt');
  });

  it('that could mean two things, or do not say enough, are refused', () => {
    refused('not_understood', [
      'how long is a.txt? write it to n.txt', 'how big is a.txt in megabytes? write it to n.txt', 'what is the size of a.txt? put it in n.txt', 'count how many files and write the number to n.txt', 'collect all files and write them to all.txt', 'combine all txt files and list them in all.txt',
      'write the files in docs to out.txt', 'write the file sizes by extension to s.txt', "I don't need a.txt", "I don't need a.txt anymore", 'back up docs to old', 'back up a.txt', 'delete the file called a.txt b.txt', 'are there any duplicate files? write the answer to d.txt', 'find the files in docs and copy them to old/',
      'list the files in docs and src and write them to out.txt', 'list the files in docs but not in src and write them to out.txt', 'list the files not in docs and write them to out.txt', 'list the folders in docs and write them to out.txt', 'list the files in docs and write their contents to out.txt',
      'sum the columns amount and price in a.csv and write the sum to out.txt', 'sum the second and third column of a.csv and write the sum to out.txt', 'sum the second row of a.csv and write the sum to out.txt', 'sum the column amount in a.csv and write the average to out.txt', 'move all txt files to the archive folder', 'move the folder docs to the archive folder',
      'which file in docs is the largest and newest? write its name to f.txt', 'count the md files in docs without subfolders and write the number to n.txt', "I don't want to delete a.txt", 'create a file a.txt with "x" in it and "y" below it', 'are there no duplicate files? write them to d.txt', 'find the largest file in the docs or src folder and write its name to f.txt',
      'count the lines containing "error" in app.log and write the number to n.txt', 'list the text files in docs and write them to out.txt', 'which files are there in docs and src? write their names to l.txt',
    ]);
    refused('ambiguous', ['make a new file called a.txt with "b.txt" in it', 'write how many lines a.txt has in b.txt', 'save the size of a.txt in bytes in b.txt']);
  });
});
