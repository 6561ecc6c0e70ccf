import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TOOL_NAMES } from '@assay/effector';
import { byBytes, chosen, extreme, shown, sizeLines, twinLines } from './tools/oracle.ts';
import { contents, makeWorld, run, type Course, type FileSpec, type World } from './tools/world.ts';
import { files, pathOf, SEED, target, textContent } from './tools/workspaces.ts';

/** Random workspaces for each paraphrase. */
const RUNS = process.env['ASSAY_LANE'] === 'long' ? 5 : 2;
let driven = 0;

/**
 * Runs a request over random workspaces: it is accepted, the file holds what the oracle finds, and nothing
 * else changed.
 */
async function holds(
  request: (to: string) => string,
  expected: (root: string, to: string) => string,
  content: fc.Arbitrary<string | Uint8Array> = textContent,
  tools: Allowed = BUILT_IN,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(files(14, content), target, async (specs, written) => {
      await inWorld([...specs, { path: 'docs/always', content: 'TODO' }], tools, async (world) => {
        const to = pathOf(written);
        const answer = expected(world.root, to);
        const before = contents(world.root);
        const { result, rejections } = await run(world, request(written));
        driven += 1;
        // What a search did not find the user may have named or not: the rules say so, and the machine knows.
        const wrong = rejections.filter((code) => code !== 'unfounded');
        expect({ directive: result.directive, unmet: result.unmet, rejections: wrong }).toEqual({
          directive: 'accept',
          unmet: [],
          rejections: [],
        });
        expect(readFileSync(join(world.root, to), 'utf8')).toBe(answer);
        const after = new Map(contents(world.root));
        after.delete(to);
        expect(after).toEqual(before);
      });
    }),
    { seed: SEED, numRuns: RUNS },
  );
}

/** The tools that `assay task` allows where nothing is said; and as few as there can be beside a shell. */
type Allowed = readonly (typeof TOOL_NAMES)[number][];
const BUILT_IN: Allowed = TOOL_NAMES.filter((name) => name !== 'shell');
const BY_SHELL: Allowed = ['read_file', 'write_file', 'shell'];

async function inWorld<T>(
  specs: readonly FileSpec[],
  tools: Allowed,
  act: (world: World) => Promise<T>,
): Promise<T> {
  const world = await makeWorld(specs, { tools });
  try {
    return await act(world);
  } finally {
    world.remove();
  }
}

/** Files of which at least one is there. */
const some = (specs: readonly FileSpec[]): readonly FileSpec[] => [
  ...specs,
  { path: 'one/always.txt', content: 'x', minute: 1 },
];

afterAll(() => {
  console.log(`families: seed ${SEED}, ${RUNS} workspaces for each paraphrase, ${driven} runs`);
});

describe('the largest, smallest, newest or oldest file', () => {
  for (const [request, which, ext] of [
    ['find the largest file and write its name to <to>', 'largest', undefined],
    ['Please find the biggest txt file, and then write its path into <to>.', 'largest', 'txt'],
    ['write the name of the smallest file to <to>', 'smallest', undefined],
    ['Which file is the newest? Write its name to <to>', 'newest', undefined],
    ['save the name of the oldest file to <to>', 'oldest', undefined],
    [
      'determine the most recently changed file with the extension md in the workspace and store the name in <to>',
      'newest',
      'md',
    ],
  ] as const) {
    it(`"${request}" finds what walking the files finds; of equal ones that with the least path`, async () => {
      await fc.assert(
        fc.asyncProperty(files(14), target, async (specs, written) => {
          await inWorld(
            [...some(specs), { path: 'one/always.md', content: 'xx', minute: 2 }],
            BUILT_IN,
            async (world) => {
              const answer =
                extreme(world.root, chosen(world.root, ext === undefined ? {} : { ext }), which) ?? '';
              const { result } = await run(world, request.replace('<to>', written));
              driven += 1;
              expect(result.directive).toBe('accept');
              expect(readFileSync(join(world.root, pathOf(written)), 'utf8')).toBe(`${shown(answer)}\n`);
            },
          );
        }),
        { seed: SEED, numRuns: RUNS },
      );
    });
  }
});

describe('how many files there are', () => {
  for (const [request, which] of [
    ['count all files and write the number to <to>', {}],
    ['How many txt files are there? Write the number to <to>', { ext: 'txt' }],
    ['write the number of files containing "TODO" to <to>', { contains: 'TODO' }],
    [
      'could you count the *.md files in the folder docs and put the result into <to> please',
      { ext: 'md', under: 'docs' },
    ],
    ['how many files contain "größer"? save the count in <to>', { contains: 'größer' }],
    ['how many files are there in docs? write the number to <to>', { under: 'docs' }],
  ] as const) {
    it(`"${request}" gives the number that walking the files gives`, async () => {
      await holds(
        (to) => request.replace('<to>', to),
        (root) => `${chosen(root, which).length}\n`,
      );
    });
  }
});

describe('names of files', () => {
  for (const [request, which] of [
    ['list all files sorted into <to>', {}],
    ['write a list of all txt files to <to>', { ext: 'txt' }],
    ['find all files containing "TODO" and write their names to <to>', { contains: 'TODO' }],
    ['Which files contain "alpha"? Write their names, one per line, to <to>', { contains: 'alpha' }],
    [
      'search for "to-do" in all files and write the names of the matching files to <to>',
      { contains: 'to-do' },
    ],
    ['list files ending in .csv under docs/ sorted by name into <to>', { ext: 'csv', under: 'docs' }],
    ['list the files in docs and write them to <to>', { under: 'docs' }],
  ] as const) {
    it(`"${request}" gives the paths that walking the files gives, sorted by bytes`, async () => {
      await holds(
        (to) => request.replace('<to>', to),
        (root) =>
          byBytes(chosen(root, which))
            .map((path) => `${shown(path)}\n`)
            .join(''),
      );
    });
  }
});

describe('contents of files in one', () => {
  for (const [request, ext] of [
    ['concatenate all txt files into <to>', 'txt'],
    ['collect the contents of all *.md files into <to>', 'md'],
    ['write the content of all files ending in csv to <to>', 'csv'],
    ['merge all the log files into <to>', 'log'],
  ] as const) {
    it(`"${request}" joins the bytes of the files in the order of their paths`, async () => {
      for (const tools of [BUILT_IN, BY_SHELL])
        await holds(
          (to) => request.replace('<to>', to),
          (root) =>
            Buffer.concat(
              byBytes(chosen(root, { ext })).map((path) => readFileSync(join(root, path))),
            ).toString('utf8'),
          textContent,
          tools,
        );
    });
  }
});

describe('files with the same content', () => {
  for (const request of [
    'find all duplicate files and write their names to <to>',
    'which files have the same content? write the list to <to>',
    'list all identical files into <to>',
    'write the names of files with identical content to <to>',
  ]) {
    it(`"${request}" gives the groups that comparing the bytes gives`, async () => {
      for (const tools of [BUILT_IN, BY_SHELL])
        await holds(
          (to) => request.replace('<to>', to),
          (root) => twinLines(root, chosen(root)),
          fc.oneof(textContent, fc.uint8Array({ maxLength: 2 })),
          tools,
        );
    });
  }
});

describe('sizes by extension', () => {
  for (const request of [
    'report the total size per extension into <to>',
    'compute the total size of all files for each file type and write the totals to <to>',
    'write the total size by extension to <to>',
    'how large are the files per extension? write it to <to>',
  ]) {
    it(`"${request}" adds up what walking the files adds up`, async () => {
      await holds(
        (to) => request.replace('<to>', to),
        (root) => sizeLines(root, chosen(root)),
        fc.oneof(textContent, fc.uint8Array({ maxLength: 300 })),
      );
    });
  }
});

/** Runs a request on one named file. */
async function onFile(
  request: string,
  expected: (text: string) => string,
  content: fc.Arbitrary<string>,
  sources: readonly string[] = ['data.txt', '"my data/größe 1.csv"', "'it is.log'"],
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      files(4),
      content,
      target,
      fc.constantFrom(...sources),
      async (specs, text, written, of) => {
        await inWorld([...specs, { path: pathOf(of), content: text }], BUILT_IN, async (world) => {
          const { result } = await run(world, request.replace('<to>', written).replace('<of>', of));
          driven += 1;
          expect({ directive: result.directive, unmet: result.unmet }).toEqual({
            directive: 'accept',
            unmet: [],
          });
          expect(readFileSync(join(world.root, pathOf(written)), 'utf8')).toBe(expected(text));
          expect(readFileSync(join(world.root, pathOf(of)), 'utf8')).toBe(text);
        });
      },
    ),
    { seed: SEED, numRuns: RUNS },
  );
}

const long = fc.oneof(
  textContent,
  fc.array(textContent, { minLength: 60, maxLength: 300 }).map((parts) => parts.join(' ')),
);

describe('how long a file is', () => {
  for (const [request, expected] of [
    [
      'count the lines of <of> and write the number to <to>',
      (text: string) => (text.match(/\n/g)?.length ?? 0) + (text === '' || text.endsWith('\n') ? 0 : 1),
    ],
    [
      'how many words are in the file <of>? write the answer to <to>',
      (text: string) => text.match(/[^ \t\n\v\f\r]+/g)?.length ?? 0,
    ],
    ['write the number of characters of <of> to <to>', (text: string) => [...text].length],
    ['count the bytes in <of> and save the count in <to>', (text: string) => Buffer.byteLength(text)],
  ] as const) {
    it(`"${request}" gives what counting by hand gives`, async () => {
      await onFile(request, (text) => `${expected(text)}\n`, long);
    });
  }
});

describe('the sum of numbers', () => {
  const cents = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { maxLength: 60 });
  const asText = (values: readonly number[], between: string): string =>
    values
      .map(
        (value) =>
          `${value < 0 ? '-' : ''}${Math.trunc(Math.abs(value) / 100)}.` +
          String(Math.abs(value) % 100).padStart(2, '0'),
      )
      .join(between);
  const said = (hundredths: number): string =>
    `${hundredths < 0 ? '-' : ''}${String(Math.abs(hundredths) / 100)}\n`;
  for (const request of [
    'sum the numbers in <of> and write the sum to <to>',
    'add up all the values in the file <of> and write it to <to>',
    'what is the sum of the numbers in <of>? write the answer to <to>',
  ]) {
    it(`"${request}" is exact`, async () => {
      for (const between of ['\n', ' ', ', ']) {
        await onFile(
          request,
          (text) =>
            said(
              text
                .split(/[\s,]+/)
                .filter(Boolean)
                .reduce((sum, part) => sum + Math.round(Number(part) * 100), 0),
            ),
          cents.map((values) => asText(values, between)),
        );
      }
    });
  }
  for (const request of [
    'sum column 2 of <of> and write the total to <to>',
    'write the sum of the column "amount" in <of> to <to>',
    'add up column 2 in <of> and save it in <to>',
    'sum the column amount in <of> and write the sum to <to>',
  ]) {
    it(`"${request}" adds up one column, without its heading`, async () => {
      await onFile(
        request,
        (text) =>
          said(
            text
              .split('\n')
              .slice(1)
              .reduce((sum, line) => sum + Math.round(Number(line.split(';')[1]) * 100), 0),
          ),
        cents.map((values) =>
          ['name;amount;x', ...values.map((value, index) => `n${index};${asText([value], '')};7`)].join('\n'),
        ),
      );
    });
  }
});

describe('one file to another place', () => {
  for (const request of [
    'copy <of> to <to>',
    'make a copy of <of> called <to>',
    'duplicate the file <of> as <to>',
  ]) {
    it(`"${request}" leaves two files with the same bytes`, async () => {
      // A bare name for a copy does not say in which folder: of a file in none there is no question.
      await onFile(
        request,
        (text) => text,
        long,
        request.startsWith('copy') ? undefined : ['data.txt', "'it is.log'", '"größe 1.csv"'],
      );
    });
  }
  for (const request of [
    'move <of> to <to>',
    'rename the file <of> to <to>',
    'change the name of <of> to <to>',
  ]) {
    it(`"${request}" leaves the same bytes at the other path only`, async () => {
      await fc.assert(
        fc.asyncProperty(long, target, async (text, written) => {
          await inWorld(
            [
              { path: 'docs/data 1.txt', content: text },
              { path: 'b', content: 'b' },
            ],
            BUILT_IN,
            async (world) => {
              const { result } = await run(
                world,
                request.replace('<of>', '"docs/data 1.txt"').replace('<to>', written),
              );
              driven += 1;
              expect(result.directive).toBe('accept');
              expect(contents(world.root)).toEqual(
                new Map([
                  ['b', Buffer.from('b').toString('base64')],
                  [
                    request.startsWith('move') || written.includes('/')
                      ? pathOf(written)
                      : `docs/${pathOf(written)}`,
                    Buffer.from(text).toString('base64'),
                  ],
                ]),
              );
            },
          );
        }),
        { seed: SEED, numRuns: RUNS },
      );
    });
  }
});

describe('a new file', () => {
  for (const request of [
    'create a file called <to> with the text <text>',
    'write <text> to <to>',
    'create the file <to> and write <text> into it',
  ]) {
    it(`"${request}" holds the text, to the byte`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(textContent, fc.string({ unit: 'grapheme', maxLength: 300 })),
          target,
          async (text, written) => {
            await inWorld([{ path: 'b', content: 'b' }], BUILT_IN, async (world) => {
              const { result } = await run(
                world,
                request
                  .replace('<text>', () => `"${text.replace(/[\\"]/g, (sign) => `\\${sign}`)}"`)
                  .replace('<to>', written),
              );
              driven += 1;
              expect(result.directive).toBe('accept');
              expect(readFileSync(join(world.root, pathOf(written)), 'utf8')).toBe(text);
            });
          },
        ),
        { seed: SEED, numRuns: RUNS },
      );
    });
  }
});

describe('a file that is to go', () => {
  for (const request of [
    'delete "two words/a b.txt"',
    'please remove the file "two words/a b.txt"',
    'get rid of "two words/a b.txt"',
    'make sure "two words/a b.txt" is gone',
  ]) {
    const specs: readonly FileSpec[] = [
      { path: 'two words/a b.txt', content: 'x' },
      { path: 'a b.txt', content: 'y' },
    ];
    const removing = (
      course: Course,
    ): Promise<{
      readonly directive: string;
      readonly asked: number;
      readonly isThere: boolean;
      readonly others: number;
    }> =>
      inWorld(specs, BUILT_IN, async (world) => {
        const { result, asked } = await run(world, request, course);
        driven += 1;
        return {
          directive: result.directive,
          asked: asked.length,
          isThere: existsSync(join(world.root, 'two words/a b.txt')),
          others: contents(world.root).size,
        };
      });
    it(`"${request}" goes once a person has confirmed it, and stays where nobody does (003 §9 Law 1)`, async () => {
      expect(await removing({ approves: true })).toEqual({
        directive: 'accept',
        asked: 1,
        isThere: false,
        others: 1,
      });
      expect(await removing({ approves: false })).toEqual({
        directive: 'abandon',
        asked: 1,
        isThere: true,
        others: 2,
      });
      expect(await removing({ approves: null })).toEqual({
        directive: 'abandon',
        asked: 1,
        isThere: true,
        others: 2,
      });
    });
  }
});

describe('an answer that is only said', () => {
  it.each([
    ['find the largest file', (root: string) => shown(extreme(root, chosen(root), 'largest') ?? '')],
    ['how many txt files are there?', (root: string) => `${chosen(root, { ext: 'txt' }).length}`],
    [
      'list all files in docs',
      (root: string) =>
        byBytes(chosen(root, { under: 'docs' }))
          .map((path) => `${shown(path)}\n`)
          .join(''),
    ],
    ['find duplicate files', (root: string) => twinLines(root, chosen(root))],
    ['report the total size per extension', (root: string) => sizeLines(root, chosen(root))],
    ['count the words in docs/always', () => '1'],
  ])('"%s" ends the task as its output, and writes nothing (calls/C9)', async (request, expected) => {
    // By commands two files are told apart only by a second call, of which nothing is said.
    for (const tools of request.includes('duplicate') ? [BUILT_IN] : [BUILT_IN, BY_SHELL])
      await fc.assert(
        fc.asyncProperty(files(14), async (specs) => {
          await inWorld([...specs, { path: 'docs/always', content: 'TODO' }], tools, async (world) => {
            const before = contents(world.root);
            const { result } = await run(world, request);
            driven += 1;
            expect([result.directive, result.output]).toEqual(['accept', expected(world.root)]);
            expect(contents(world.root)).toEqual(before);
          });
        }),
        { seed: SEED, numRuns: RUNS },
      );
  });
});
