import { describe, expect, it } from 'vitest';
import { parseGoal } from '../../src/tasks/parse.ts';

const codeOf = (said: string): string => {
  const read = parseGoal(said);
  return read._tag === 'Left' ? read.left.code : canonical(read.right);
};
const canonical = (goal: object): string => JSON.stringify(goal);
const same = (said: string, other: string): void => {
  expect({ said, goal: parseGoal(other) }).toMatchObject({ goal: { _tag: 'Right' } });
  expect({ said, goal: parseGoal(said) }).toEqual({ said, goal: parseGoal(other) });
};
const refused = (code: string, texts: readonly string[]): void => {
  for (const said of texts) expect({ said, code: codeOf(said) }).toEqual({ said, code });
};

describe('words that could mean two things are refused', () => {
  it('"in F" behind files may be where they stand or what is written: it is ambiguous', () => {
    refused('ambiguous', [
      'list all files in docs/old',
      'list all files in "docs"',
      'list all files in report.md',
      'count the files in archive.zip',
      'count all txt files in docs/old',
      'concatenate all files in docs/old',
      'merge the files in chapters/1',
      'collect the contents of all *.md files in all.md',
      'list duplicates in a/b',
      'list all identical files in same.txt',
      'report the total size per extension in docs/old',
      'write the total size by extension in docs/old',
      'write the number of files in docs/old',
      'write the names of all files in docs/old',
      'make a list of all files in docs/old',
      'save the name of the oldest file in docs/old',
      'write the content of all files in docs/old',
      'write which file is the largest in docs/old',
      'list all files in the file archive.zip',
      'list duplicates in the file a.txt',
      'count the words of a.txt in docs/old',
      'write the number of lines of a.txt in docs/old',
      'write the sum of the numbers in a.csv in docs/old',
      'write the sum of column 2 of a.csv in docs/old',
    ]);
    // "under" says where they stand: the answer is only said.
    for (const said of [
      'list all files under docs/old',
      'count the files below docs/old',
      'list duplicates within a/b',
    ])
      expect(parseGoal(said)).toMatchObject({ right: { family: 'answer' } });
  });

  it(
    '"in F" behind what is written, and "into F", say where it is written; a folder with a ' +
      'slash is where files stand',
    () => {
      same('count all files and write the number in n.txt', 'count all files and write the number to n.txt');
      same(
        'find all files containing "x" and save their names in l.txt',
        'list files containing "x" into l.txt',
      );
      same('list all files in docs/old into l.txt', 'list all files in the folder docs/old into l.txt');
      same('list all files in docs/ into l.txt', 'list all files in the folder "docs" into l.txt');
      same('list all files in a new file called l.txt', 'list all files into l.txt');
      same(
        'report the total size per extension in docs/ into s.txt',
        'report the total size per extension in the folder docs into s.txt',
      );
      refused('ambiguous', [
        'find all files and save their names in docs/old',
        'count all files and write the number in "docs"',
        'count all files and write the number in docs/',
        'write "x" in docs/old',
        'make a copy of a.txt in docs/old',
        'make a copy of a.txt in b.txt',
        'move a.txt into docs/old',
        'copy a.txt into "docs"',
        'copy a.txt into docs/b.txt',
        'copy a.txt into archive.zip',
      ]);
      same('copy a.txt into docs/old/', 'copy a.txt to docs/old/a.txt');
      same('make a copy of a.txt in docs/', 'copy a.txt to docs/a.txt');
      same('copy a.txt into the file docs/b.txt', 'copy a.txt to docs/b.txt');
    },
  );

  it('an unquoted word that may say what kind of text, or how much, is no text to search for', () => {
    for (const word of [
      'nothing',
      'anything',
      'no',
      'none',
      'nobody',
      'numbers',
      'digits',
      'spaces',
      'text',
      'words',
      'letters',
      'links',
      'errors',
      'Numbers',
      'NOTHING',
      'Nobody',
      'images',
      'whitespace',
      'me',
      'a',
      'hello',
      'größer',
      'two',
      'German',
      'to-do',
      'JSON',
      'ASCII',
    ]) {
      refused('not_understood', [
        `list files containing ${word} into l.txt`,
        `list all files that contain ${word} into l.txt`,
        `how many files contain ${word}? write the number to n.txt`,
        `which files mention ${word}? write their names to l.txt`,
        `search for ${word} in all files and write their names to l.txt`,
        `count the files with ${word} in them and write the number to n.txt`,
      ]);
    }
    refused('not_understood', [
      'list files containing *.md into l.txt',
      'list files containing what? into l.txt',
    ]);
    for (const word of ['TODO', 'FIXME', 'foo_bar', 'v1.2', 'TO-DO', 'parseGoal', '#3', '100'])
      same(`list files containing ${word} into l.txt`, `list files containing "${word}" into l.txt`);
    same('list files containing the text nothing into l.txt', 'list files containing "nothing" into l.txt');
    same(
      'how many files contain "nothing"? write the number to n.txt',
      'count all files containing the text "nothing" and write the number to n.txt',
    );
  });

  it('an ending that is no known extension wants a dot', () => {
    refused('not_understood', [
      'list files ending in old into l.txt',
      'list files ending in "old" into l.txt',
      'list files ending with numbers into l.txt',
      'list files of type image into l.txt',
      'list files with the extension nothing into l.txt',
    ]);
    same('list files ending in .old into l.txt', 'list files with the extension old into l.txt');
    same('list files ending with csv into l.txt', 'list files with the extension csv into l.txt');
  });

  it('"the file" is one file, and "everything" more than files', () => {
    refused('not_understood', [
      'list the file into l.txt',
      'concatenate any file into l.txt',
      'count everything and write the number to n.txt',
      'list everything into l.txt',
    ]);
    same('list every md file into l.txt', 'list all md files into l.txt');
  });

  it('a quoted name of a file may be the file or the text: "the text" says which', () => {
    refused('ambiguous', [
      'save "a.txt" to b.txt',
      'put "docs/a.txt" into b.txt',
      'store "a.txt" as b.txt',
      'write "notes.md" to b.txt',
      'create a.txt with "b.txt"',
      'create a file called a.txt containing "b.txt"',
      'create the file a.txt and write "b.txt" into it',
    ]);
    same('write the text "a.txt" to b.txt', 'create the file b.txt with the text "a.txt"');
  });
});

describe('paths', () => {
  it('two dots at the end of a path are no full stop: the path leads out', () => {
    refused('outside_workspace', [
      'copy b.txt to docs/..',
      'copy b.txt to docs/...',
      'move b.txt to docs/..!',
      'copy b.txt to ..',
      'list all files in docs/.. into l.txt',
      'delete docs/..',
      'rename docs/a.txt to ..',
      'copy b.txt to "docs/.."',
    ]);
    same('copy b.txt to docs/c.txt...', 'copy b.txt to docs/c.txt');
  });

  it('a bare pattern with a question mark at its end may be a question: it is not understood', () => {
    refused('not_understood', ['list files matching *.tx? into l.txt', 'list files matching a*? into l.txt']);
    same('list files matching "*.tx?" into l.txt', "list files matching '*.tx?' into l.txt");
  });

  it('a file that gets another name stays in its folder; a path with a slash is a path', () => {
    for (const said of [
      'rename docs/a.txt to b.txt',
      'change the name of docs/a.txt to b.txt',
      'give docs/a.txt the name b.txt',
      'rename the file "docs/a.txt" as "b.txt"',
      'give the file docs/a.txt the new name b.txt',
    ])
      same(said, 'move docs/a.txt to docs/b.txt');
    same('rename docs/a.txt to ./b.txt', 'move docs/a.txt to b.txt');
    same('rename docs/a.txt to old/b.txt', 'move docs/a.txt to old/b.txt');
    same('rename a.txt to b.txt', 'move a.txt to b.txt');
    same('change the path of docs/a.txt to b.txt', 'move docs/a.txt to b.txt');
    refused('same_file', ['rename docs/a.txt to a.txt']);
  });

  it('a bare name for a copy of a file in a folder does not say in which folder', () => {
    refused('ambiguous', [
      'make a copy of docs/a.txt called b.txt',
      'duplicate docs/a.txt as b.txt',
      'make a copy of docs/a.txt named b.txt',
      'move docs/a.txt as b.txt',
      'copy docs/a.txt as b.txt',
    ]);
    same('make a copy of docs/a.txt called ./b.txt', 'copy docs/a.txt to b.txt');
    same('duplicate a.txt as b.txt', 'copy a.txt to b.txt');
    expect(codeOf('copy docs/a.txt to b.txt')).toBe(
      canonical({ family: 'copy', of: 'docs/a.txt', to: 'b.txt' }),
    );
  });

  it('a folder is no file that is read, moved or deleted', () => {
    refused('outside_workspace', [
      'delete docs/',
      'copy docs/ to old/',
      'rename docs/ to old.d',
      'count the lines of docs/ and write the number to n.txt',
    ]);
  });
});
