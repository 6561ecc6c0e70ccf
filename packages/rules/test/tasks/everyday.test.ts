/**
 * What people write: sentences that mean one thing are read as that, and what could mean two things is
 * refused.
 */
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../src/tasks/goal.ts';
import { parseGoal } from '../../src/tasks/parse.ts';
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

describe('a sentence that names no file for the answer', () => {
  it('asks for the answer, where it is plain without that file (calls/C9)', () => {
    for (const said of [
      'find the largest file',
      'which file is the newest?',
      'how many txt files are there?',
      'count the words in essay.md',
      'find all files containing "TODO"',
      'what is the sum of the numbers in a.txt?',
      'are there any duplicate files?',
      'how large are the files per extension?',
    ])
      expect([said, read(said)]).toMatchObject([said, { family: 'answer', goal: { to: '' } }]);
    refused('not_understood', [
      'concatenate all md files',
      'copy a.txt',
      'write the number of files',
      'make a list',
    ]);
    refused('ambiguous', ['count the files in archive.zip', 'list all files in report.md']);
  });
});

describe('everyday sentences', () => {
  it('there are five of each family that a workspace can do', () => {
    for (const family of FAMILIES)
      expect([family, EVERYDAY.filter(([, meant]) => meant.family === family).length]).toEqual([
        family,
        family === 'outside' ? 0 : 5,
      ]);
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
    for (const name of [
      'docs',
      'src',
      'Photos',
      'node_modules',
      '__pycache__',
      'my_notes',
      '"any words"',
      'a/b',
    ]) {
      const folder = `the folder ${name}`;
      same(`list the files in ${name} and write them to out.txt`, `list all files in ${folder} into out.txt`);
      same(
        `how many md files are there in ${name}? write the number to n.txt`,
        `count all md files in ${folder} and write the number to n.txt`,
      );
      same(
        `count how many files are in ${name} and write the number to n.txt`,
        `count all files in ${folder} and write the number to n.txt`,
      );
      same(
        `which file in ${name} is the newest? write its name to f.txt`,
        `find the newest file in ${folder} and write its name to f.txt`,
      );
      same(
        `combine all the files in the ${name} folder into one file called all.txt`,
        `concatenate all files in ${folder} into all.txt`,
      );
      same(
        `find duplicates in ${name} and list them in d.txt`,
        `find duplicate files in ${folder} and write their names to d.txt`,
      );
      same(
        `write the total size per extension in ${name} to s.txt`,
        `report the total size per extension in ${folder} into s.txt`,
      );
    }
  });

  it('that may say how, when, or in what form or language is none', () => {
    for (const word of [
      'english',
      'french',
      'json',
      'python',
      'markdown',
      'detail',
      'full',
      'size',
      'bytes',
      'use',
      'draft',
      'review',
      'progress',
      'public',
      'parts',
      'pairs',
      'may',
      'january',
      '2024',
      'total',
      'existence',
      'memory',
      'place',
      'general',
      'question',
      'there',
      'it',
      'that',
      'UPPERCASE',
      'snake_case',
      'source',
      'build',
      'downloads',
      'documents',
      'desktop',
    ]) {
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
    refused('not_understood', [
      'how many files are in order? write the number to n.txt',
      'find the largest file in order and write its name to f.txt',
      'count the files in order and write the number to n.txt',
    ]);
  });

  it('is where files stand, and is never written to', () => {
    refused('not_understood', [
      'copy a.txt to docs',
      'move a.txt into docs',
      'count all files and write the number in docs',
      'delete all files in docs',
      'delete docs',
      'write "x" to notes',
    ]);
    same('list all files in docs', 'list all files in the folder docs');
    same('count the files in src', 'count all files in the folder src');
    refused('ambiguous', ['list all files in docs in out.txt', 'write the number of files in docs in n.txt']);
  });

  it('an archive is no folder: what is in it, or put into it, may be meant', () => {
    refused('ambiguous', [
      'how many files are in photos.zip? write the number to n.txt',
      'list the files in a.tar.gz and write them to l.txt',
      'list all files and put them into all.zip',
      'combine all txt files and save the result as all.zip',
    ]);
    for (const said of [
      'list the files in the old.zip folder and write them to l.txt',
      'list all files in "old.zip" into l.txt',
    ])
      same(said, 'list all files in the folder "old.zip" into l.txt');
    same(
      'list all files in the folder old.zip into l.txt',
      'list all files in the folder "old.zip" into l.txt',
    );
  });
});

describe('a folder that files are put into', () => {
  it('is one behind "the folder", or before "folder"', () => {
    for (const name of ['archive', '"old stuff"', 'old/', 'a.b']) {
      same(
        `move a.txt to the folder ${name}`,
        `move a.txt to ${name.endsWith('/') ? name : name.startsWith('"') ? '"old stuff/"' : `${name}/`}`,
      );
      same(
        `copy docs/a.txt into the ${name} directory`,
        `copy docs/a.txt to ${name.endsWith('/') ? name : name.startsWith('"') ? '"old stuff/"' : `${name}/`}`,
      );
    }
    refused('outside_workspace', ['move a.txt to the folder ..', 'copy a.txt to the ../x folder']);
    refused('same_file', ['copy docs/a.txt to the docs folder']);
  });

  it('is none in a word that says when, or which of others', () => {
    refused('not_understood', [
      'move a.txt to the folder tomorrow',
      'move a.txt to the folder',
      'copy a.txt to the folder above',
      'move a.txt to the other folder',
      'copy a.txt to the same folder',
      'copy a.txt to my documents folder',
      'move a.txt to the downloads folder',
      'back up a.txt to my archive folder',
      'move a.txt to the parent folder',
      'list the files in the current folder into l.txt',
      'list the files in the folder above into l.txt',
    ]);
  });
});

describe('a column', () => {
  const SUM = (column: string): string => `sum ${column} in sales.csv and write the sum to out.txt`;
  it('bare behind "column" is a heading where it can be nothing else', () => {
    for (const name of ['amount', 'price', 'Umsatz', 'net_total', 'größe', 'VATS'])
      for (const words of [
        `the column ${name}`,
        `column ${name}`,
        `the column called ${name}`,
        `column named ${name}`,
      ])
        same(SUM(words), SUM(`the column "${name}"`));
    for (const words of ['the column called "net price"', 'the "net price" column'])
      same(SUM(words), SUM('the column "net price"'));
    same('compute the total of the price column in sales.csv and save it in out.txt', SUM('column "price"'));
    for (const [said, column] of [
      ['first', 1],
      ['2nd', 2],
      ['tenth', 10],
    ] as const)
      same(SUM(`the ${said} column`), SUM(`column ${column}`));
  });

  it('of which a word says what stands in it, which one it is or where, has no heading yet', () => {
    for (const name of [
      'values',
      'totals',
      'total',
      'numbers',
      'two',
      'last',
      'first',
      'B',
      'AB',
      'ABC',
      'B2',
      'contained',
      'shown',
      'exactly',
      'beginning',
      'again',
      'named',
      '2a',
      '1-3',
    ])
      refused('not_understood', [SUM(`the column ${name}`), SUM(`column ${name}`)]);
    for (const which of [
      'last',
      'longest',
      'whole',
      'numeric',
      'rightmost',
      'each',
      'every',
      'total',
      'same',
      'eleventh',
    ])
      refused('not_understood', [SUM(`the ${which} column`), SUM(`${which} column`)]);
  });
});

describe('other words of every day', () => {
  it('mean what the words of before mean', () => {
    same(
      'how many files are there in total? write the number to n.txt',
      'count all files and write the number to n.txt',
    );
    same(
      'find out how many txt files contain "TODO" and save the number in n.txt',
      'count all txt files containing "TODO" and write the number to n.txt',
    );
    same('list all files sorted by name and save them as l.txt', 'list all files into l.txt');
    same(
      'write the length of a.txt in characters to n.txt',
      'count the characters of a.txt and write the number to n.txt',
    );
    same('join all md files together into book.md', 'concatenate all md files into book.md');
    same('back up a.txt to old/', 'copy a.txt to old/a.txt');
    same("I don't want the file called a.txt any more, remove it", 'delete a.txt');
    same('rename the file called docs/a.txt to b.txt', 'rename docs/a.txt to b.txt');
    same('create a file a.txt with "x" inside', 'create the file a.txt with the text "x"');
    same(
      'are there any files with the same content in photos/? write their names to d.txt',
      'find duplicate files in photos/ and write their names to d.txt',
    );
    same('the total size per file type, write it to s.txt', 'report the total size per extension into s.txt');
  });

  it('that could mean two things, or do not say enough, are refused', () => {
    refused('not_understood', [
      'how long is a.txt? write it to n.txt',
      'how big is a.txt in megabytes? write it to n.txt',
      'what is the size of a.txt? put it in n.txt',
      'count how many files and write the number to n.txt',
      'collect all files and write them to all.txt',
      'combine all txt files and list them in all.txt',
      'write the files in docs to out.txt',
      'write the file sizes by extension to s.txt',
      "I don't need a.txt",
      "I don't need a.txt anymore",
      'back up docs to old',
      'back up a.txt',
      'delete the file called a.txt b.txt',
      'are there any duplicate files? write the answer to d.txt',
      'find the files in docs and copy them to old/',
      'list the files in docs and src and write them to out.txt',
      'list the files in docs but not in src and write them to out.txt',
      'list the files not in docs and write them to out.txt',
      'list the folders in docs and write them to out.txt',
      'list the files in docs and write their contents to out.txt',
      'sum the columns amount and price in a.csv and write the sum to out.txt',
      'sum the second and third column of a.csv and write the sum to out.txt',
      'sum the second row of a.csv and write the sum to out.txt',
      'sum the column amount in a.csv and write the average to out.txt',
      'move all txt files to the archive folder',
      'move the folder docs to the archive folder',
      'which file in docs is the largest and newest? write its name to f.txt',
      'count the md files in docs without subfolders and write the number to n.txt',
      "I don't want to delete a.txt",
      'create a file a.txt with "x" in it and "y" below it',
      'are there no duplicate files? write them to d.txt',
      'find the largest file in the docs or src folder and write its name to f.txt',
      'count the lines containing "error" in app.log and write the number to n.txt',
      'list the text files in docs and write them to out.txt',
      'which files are there in docs and src? write their names to l.txt',
    ]);
    refused('ambiguous', [
      'make a new file called a.txt with "b.txt" in it',
      'write how many lines a.txt has in b.txt',
      'save the size of a.txt in bytes in b.txt',
    ]);
  });
});

describe('sentences that could mean something else than what they were once read as', () => {
  it('a quoted text that may be the name of a file is one only where "the text" says that it is a text', () => {
    for (const name of [
      '.env',
      '.env.bak',
      '.gitignore',
      'Makefile',
      'Dockerfile',
      'README',
      'readme',
      'LICENSE',
      'backup.7z',
      'old backup.7z',
      'libc.so.6',
      'part.001',
      'src/main',
      './run',
      '~/notes',
      'docs/',
      'a/b/c',
      'C:\\\\old',
      'src\\\\main',
    ]) {
      refused('ambiguous', [
        `save "${name}" as "copy.txt"`,
        `write "${name}" to b.txt`,
        `create a file b.txt containing "${name}"`,
        `create the file b.txt and write "${name}" into it`,
      ]);
      same(`write the text "${name}" to b.txt`, `create the file b.txt with the text "${name}"`);
    }
    refused('ambiguous', [
      'save ".env" as ".env.bak"',
      'save "Makefile" as "Makefile.old"',
      'save "src/main" as "src/main.bak"',
    ]);
    for (const text of [
      'done',
      'hello',
      'thanks',
      'install',
      '3.14',
      '10:30',
      '24/12/2026',
      'a, b',
      'see you soon.',
      'either this or that',
      'TODO',
    ])
      same(`write "${text}" to b.txt`, `write the text "${text}" to b.txt`);
  });

  it('what is included may be a file among files: a text wants quotes, and no name of a file', () => {
    refused('ambiguous', [
      'concatenate all md files including README.md into all.md',
      'list all files including .env into out.txt',
      'count all files that include .txt and write the number to n.txt',
      'list all files including TODO into l.txt',
      'list the files that include a.txt into l.txt',
      'which files include a.txt? write their names to l.txt',
      'how many files include .md? write the number to n.txt',
      'list all files including "README.md" into l.txt',
      'list all files including "Makefile" into l.txt',
    ]);
    same('list all files including "TODO" into l.txt', 'list all files containing "TODO" into l.txt');
    same(
      'how many files include "TODO"? write the number to n.txt',
      'count all files containing "TODO" and write the number to n.txt',
    );
    same(
      'list all files including the text "a.txt" into l.txt',
      'list all files containing "a.txt" into l.txt',
    );
  });

  it('a bare text with signs of alternatives or of a pattern wants quotes', () => {
    for (const text of [
      'TODO|FIXME',
      'TODO/FIXME',
      '[0-9]',
      '[0-9]+',
      'TODO*',
      '^TODO',
      'END$',
      'TODO\\b',
      'TODO,FIXME',
      'TODO;FIXME',
      'TODO&FIXME',
      'x{2}',
      'TODO?FIXME',
      '(A|B)',
    ]) {
      refused('not_understood', [
        `list all files containing ${text} into out.txt`,
        `list all files containing the text ${text} into out.txt`,
        `how many files contain ${text}? write the number to n.txt`,
        `search for ${text} in all files and write their names to l.txt`,
      ]);
      same(
        `list all files that contain "${text}" into out.txt`,
        `list all files containing the text "${text}" into out.txt`,
      );
    }
  });

  it('several paths or patterns in one word are not one', () => {
    refused('ambiguous', [
      'list all files matching *.md,*.txt into out.txt',
      'list all files matching *.md;*.txt into out.txt',
      'list all files matching *.{md,txt} into out.txt',
      'list all files matching [ab]*.txt into out.txt',
      'write "x" to a.txt,b.txt',
      'write "x" to a.txt;b.txt',
      'copy a.txt to b.txt,c.txt',
      'copy a.txt,b.txt to old/',
      'move a.txt|b.txt to old/',
      'move a.txt to b.txt&c.txt',
      'delete a.txt,b.txt',
      'delete a.txt&b.txt',
      'count the lines of a.txt,b.txt and write the number to n.txt',
      'rename a.txt to b.txt|c.txt',
      'list all files in docs/,src/ into l.txt',
      'list all files in the folder docs,src into l.txt',
      'list all files into >out.txt',
      'write "x" to (a.txt)',
      'delete [a.txt]',
      'write "x" to {a,b}.txt',
    ]);
    same('copy "a,b.txt" to c.txt', "copy 'a,b.txt' to c.txt");
    same('copy a(1).txt to c.txt', 'copy "a(1).txt" to c.txt');
  });

  it('an address, another machine, a drive and a person are no path in a workspace', () => {
    for (const to of [
      'http://example.com/a.txt',
      'https://example.com/',
      '"http://example.com/a.txt"',
      's3://bucket/a.txt',
      'file:///etc/a.txt',
      'me@host:/a.txt',
      'host:/a.txt',
      'host:a.txt',
      'C:\\a.txt',
      'C:/a.txt',
      'd:a.txt',
      '\\\\host\\a.txt',
      '$HOME/a.txt',
      '%TEMP%/a.txt',
      'www.example.com/a.txt',
      'bob@example.com',
    ]) {
      refused('outside_workspace', [
        `copy a.txt to ${to}`,
        `move a.txt to ${to}`,
        `write "x" to ${to}`,
        `copy ${to} to b/`,
        `delete ${to}`,
        `count all files and write the number to ${to}`,
      ]);
    }
    same('copy a.txt to logo@2x.png', 'copy a.txt to "logo@2x.png"');
    same('copy a.txt to node_modules/@types/a.txt', 'copy a.txt to "node_modules/@types/a.txt"');
  });

  it('a file is not copied or moved to the name of an archive that it is not', () => {
    for (const to of [
      'backup.zip',
      'backup.tar',
      'backup.tgz',
      'a.txt.gz',
      'backup.tar.bz2',
      'a.xz',
      'backup.7z',
      'backup.RAR',
      '"backup.zip"',
      'old/backup.zip',
    ])
      refused('ambiguous', [
        `back up a.txt to ${to}`,
        `copy a.txt to ${to}`,
        `make a copy of a.txt called ${to}`,
        `copy a.txt into the file ${to}`,
        ...(to.startsWith('"') ? [] : [`move a.txt to ${to}`]),
      ]);
    refused('ambiguous', [
      'copy a.zip to b.tar',
      'copy a.gz to b.tar.gz',
      'copy a.txt to backup.zip/',
      'copy a.txt to backup.zip/a.txt',
      'delete old.zip/a.txt',
      'find duplicate files and write the list to all.zip',
    ]);
    for (const [of, to] of [
      ['a.zip', 'b.zip'],
      ['a.tar.gz', 'b.tgz'],
      ['a.zip', 'old/'],
      ['a.zip', 'a.zip.bak'],
    ])
      same(`copy ${of} to ${to}`, `back up "${of}" to "${to}"`);
    same('rename a.txt to a.zip', 'move a.txt to "a.zip"');
  });

  it('a bare name that is only an extension may be the extension', () => {
    refused('ambiguous', [
      'rename a.txt to .md',
      'rename docs/a.txt to .md',
      'rename a.txt as .bak',
      'rename a.txt to .env',
      'change the name of a.txt to .csv',
      'copy a.txt to .bak',
      'move a.txt to .old',
      'make a copy of a.txt called .bak',
      'list all files into .csv',
      'delete .log',
      'delete .bak',
      'write "x" to .md',
      'list all files in .md into l.txt',
    ]);
    same('rename a.txt to ".md"', 'move a.txt to "./.md"');
    same('write "x" to .gitignore', 'write "x" to ".gitignore"');
    same('copy docs/.env to .env', 'copy "docs/.env" to ".env"');
  });

  it('a time, a date and a number are no names of files', () => {
    for (const at of ['10.30', '10.30pm', '12/24', '24.12.2026', '2026/11/23', '1.5'])
      refused('ambiguous', [
        `make a copy of a.txt at ${at}`,
        `back up a.txt to ${at}`,
        `delete ${at}`,
        `write "x" to ${at}`,
      ]);
    refused('not_understood', [
      'make a copy of a.txt at 10',
      'make a copy of a.txt at 10:30',
      'back up a.txt at 10.30',
    ]);
    same('copy a.txt to 2026/', 'copy a.txt to the folder "2026"');
    same('list all files in the folder 2026 into l.txt', 'list all files in 2026/ into l.txt');
  });

  it('"it" and "them" behind files may be these or their names', () => {
    for (const verb of ['write', 'save', 'put', 'store']) {
      refused('ambiguous', [
        `what is the largest file? ${verb} it to backup.bin`,
        `what is the newest log file? ${verb} it to b.log`,
        `which file is the newest? ${verb} it to b.txt`,
        `tell me which md file is the oldest and ${verb} it to b.txt`,
        `get all md files and ${verb} them to all.md`,
        `find all files containing "x" and ${verb} them to all.md`,
        `which files contain "x"? ${verb} them to l.txt`,
        `which md files are in docs? ${verb} them to l.txt`,
        `find duplicate files and ${verb} them to d.txt`,
        `which files are identical? ${verb} them to d.txt`,
      ]);
    }
    refused('ambiguous', [
      'what is the largest file? save it as backup.bin',
      'get all md files and put them into all.md',
    ]);
    same(
      'what is the largest file? write the answer to b.txt',
      'find the largest file and write its name to b.txt',
    );
    same('get all md files and put their names into all.md', 'list all md files into all.md');
    same('list all md files and write them to l.txt', 'list all md files into l.txt');
    same('find all md files and list them in l.txt', 'list all md files into l.txt');
    same('are there any duplicate files? write them to d.txt', 'list duplicates into d.txt');
  });

  it('a word that joins words of a sentence names no folder, no extension and no text', () => {
    for (const word of [
      'and',
      'then',
      'recursively',
      'sorted',
      'together',
      'alphabetically',
      'or',
      'also',
      'only',
      'separately',
      'directly',
      'not',
      'please',
    ]) {
      refused('not_understood', [
        `list all files in the folder ${word} into l.txt`,
        `find the largest file in the folder ${word} write its name to n.txt`,
        `count all files with the extension ${word} write the number to n.txt`,
        `list all files containing the text ${word} into l.txt`,
      ]);
    }
    refused('not_understood', [
      'count all files in the folder and write the number to n.txt',
      'count all files in the folder then write the number to n.txt',
      'count all files in the folder recursively and write the number to n.txt',
      'list all files in the folder sorted into l.txt',
      'concatenate all files in the folder together into all.md',
      'count all files in the directory and write the number to n.txt',
      'count the files containing the text and write the number to n.txt',
    ]);
    for (const name of ['out', 'family', 'assembly', 'store', 'shared', 'july'])
      same(
        `list all files in the folder ${name} into l.txt`,
        `list all files in the folder "${name}" into l.txt`,
      );
  });
});
