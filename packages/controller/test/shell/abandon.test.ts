import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { FinalResult } from '@assay/controller';
import { makeWorld, picture, run, type Course, type FileSpec, type Ran } from './tools/world.ts';
import { files as anyFiles, SEED, textContent } from './tools/workspaces.ts';

/** Files that the requests below name; beside them each random workspace has files of its own. */
const FILES: readonly FileSpec[] = [
  { path: 'a.txt', content: 'some words\n' },
  { path: 'docs/b.md', content: '1\nx\n' },
];
/** Random workspaces for each request. */
const RUNS = process.env['ASSAY_LANE'] === 'long' ? 5 : 2;
let driven = 0;

/**
 * Runs a request that cannot be fulfilled: it is abandoned, and the workspace is as it was, to its folders,
 * rights and times.
 */
async function abandoned(
  text: string,
  course: Course = {},
  files: readonly FileSpec[] = FILES,
): Promise<Ran> {
  const world = await makeWorld(files);
  try {
    const before = picture(world.root);
    const ran = await run(world, text, course);
    driven += 1;
    expect({ text, directive: ran.result.directive }).toEqual({ text, directive: 'abandon' });
    expect(picture(world.root)).toEqual(before);
    return ran;
  } finally {
    world.remove();
  }
}

/**
 * Runs a request over random workspaces: in each it is abandoned, nothing changes, and the run says what is
 * expected of it.
 */
async function abandonedAnywhere(text: string, says: (ran: Ran) => void, course: Course = {}): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyFiles(14, fc.oneof(textContent, fc.uint8Array({ maxLength: 40 }))), async (drawn) => {
      says(await abandoned(text, course, [...drawn, ...FILES]));
    }),
    { seed: SEED, numRuns: RUNS },
  );
}

afterAll(() => {
  console.log(`abandon: seed ${SEED}, ${RUNS} workspaces for each request, ${driven} runs`);
});

const unmetOf = ({ unmet }: FinalResult): readonly string[] => unmet.map(({ text }) => text);

describe('something asked of a file that is not there', () => {
  for (const [text, unmet] of [
    ['count the lines of missing.txt and write the number to n.txt', '"missing.txt" was read'],
    ['copy missing.txt to b.txt', '"missing.txt" was read'],
    ['please copy "no such/folder.txt" to b.txt', '"no such/folder.txt" was read'],
    ['sum the numbers in missing.csv and write the sum to s.txt', '"missing.csv" was read'],
    ['move missing.txt to b.txt', 'the move went well'],
    ['delete missing.txt', '"missing.txt" is there'],
  ] as const) {
    it(`"${text}" is abandoned, says what is unmet, and nobody is asked to confirm anything`, async () => {
      const says = ({ result, asked }: Ran): void => {
        expect(unmetOf(result)).toContain(unmet);
        expect(asked).toEqual([]);
        expect(result.next_moves.length).toBeGreaterThan(0);
      };
      await abandonedAnywhere(text, says, { approves: true });
    });
  }
});

describe('a goal whose criteria cannot be met', () => {
  it('the largest file of an empty workspace, and of a folder that is not there', async () => {
    const { result } = await abandoned('find the largest file and write its name to report.md', {}, []);
    expect(unmetOf(result)).toContain('what is handed on is what the search found: find the largest file');
    for (const request of [
      'find the smallest pdf file and write its name to report.md',
      'count all files in the folder nowhere and write the number to n.txt',
    ])
      await abandonedAnywhere(request, (ran) => expect(ran.result.unmet.length).toBeGreaterThan(0));
  });

  it('a sum of what are no numbers, and of a column that is not there', async () => {
    expect(
      unmetOf((await abandoned('sum the numbers in docs/b.md and write the sum to s.txt')).result),
    ).toContain('what is handed on is what the file gives: add up the numbers in "docs/b.md"');
    await abandonedAnywhere('sum the column "amount" in a.txt and write the sum to s.txt', (ran) =>
      expect(ran.result.unmet.length).toBeGreaterThan(0),
    );
  });

  it('bytes that are no text are not copied as if they were', async () => {
    await abandoned('copy image.bin to other.bin', {}, [
      { path: 'image.bin', content: new Uint8Array([0xff, 0xfe, 0x00]) },
    ]);
    // Three bytes that a decoder makes one sign of three bytes.
    await abandoned('copy image.bin to other.bin', {}, [
      { path: 'image.bin', content: new Uint8Array([0xf0, 0x9f, 0x98]) },
    ]);
    const { result } = await abandoned('concatenate all dat files into all.out', {}, [
      { path: 'a.dat', content: new Uint8Array([0xff, 0xfe]) },
    ]);
    expect(unmetOf(result)).toContain(
      '"all.out" holds what was to be written, as a look after writing shows',
    );
  });
});

describe('what no workspace has', () => {
  for (const [text, tool] of [
    ['search the web for the tallest tower', 'search'],
    ['search the web for "a.txt" and write what you find to docs/b.md', 'search'],
    ['Please google "assay ledger" and write the first result to r.txt', 'search'],
    ['look up online what a Megram is', 'search'],
    ['send an email to anna@example.org with the file a.txt', 'applescript'],
    ['reply to the email of Bob', 'applescript'],
    ['email the report to everybody', 'applescript'],
    ['schedule a meeting with Carl tomorrow', 'applescript'],
    ['remind me to buy milk', 'applescript'],
    ['what is on my calendar today?', 'applescript'],
    ['email docs/b.md to anna@example.org', 'applescript'],
  ] as const) {
    it(`"${text}" is understood, and abandoned for want of ${tool}`, async () => {
      const says = ({ result, failures, records }: Ran): void => {
        expect(failures).toEqual([
          { code: 'denied', final: true, detail: { code: 'tool_unavailable', detail: tool } },
        ]);
        expect(result).toMatchObject({
          reason: 'planner_gave_up',
          why: 'tool_unavailable',
          accountable: [{ failure: 'no_acceptable_plan', role: 'R2' }],
        });
        expect(JSON.stringify(records)).not.toContain('"kind":"step"');
      };
      await abandonedAnywhere(text, says, { approves: true });
    });
  }
});

describe('what is not understood', () => {
  for (const [text, code] of [
    ['make me happy', 'not_understood'],
    ['', 'not_understood'],
    ['concatenate all files', 'not_understood'],
    ['find the heaviest file and write its name to r.txt', 'not_understood'],
    ['find the largest file and write its name to r.txt and delete all others', 'not_understood'],
    ['do not delete a.txt', 'not_understood'],
    ['delete all files', 'not_understood'],
    ['delete *.txt', 'not_understood'],
    ['finde die größte Datei und schreibe ihren Namen nach r.txt', 'not_understood'],
    ['write "an open quote to r.txt', 'open_quote'],
    ['delete ../secret.txt', 'outside_workspace'],
    ['copy /etc/passwd to p.txt', 'outside_workspace'],
    ['copy a.txt to "~/b.txt"', 'outside_workspace'],
    ['list all files in the folder ".." into l.txt', 'outside_workspace'],
    ['copy a.txt to ./a.txt', 'same_file'],
    ['do it again', 'no_such_turn'],
    ['delete that file', 'no_such_turn'],
  ] as const) {
    it(`"${text}" is refused as ${code}, and nothing is done`, async () => {
      await abandonedAnywhere(text, ({ result, failures, records }) => {
        expect(failures).toEqual([{ code: 'denied', final: true, detail: { code } }]);
        expect(result).toMatchObject({
          reason: 'perceiver_gave_up',
          accountable: [{ failure: 'intent_not_preserved', role: 'R1' }],
        });
        expect(JSON.stringify(records)).not.toContain('"kind":"step"');
      });
    });
  }
});
