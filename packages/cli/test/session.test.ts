/** Turns of a session: what they refer to when it is gone, and which run each of them is. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main } from '@assay/cli';
import { newInterruption } from '../src/terminal/interruption.ts';
import { temporaryFolder } from './lib/assay.ts';
import { called, calledJson } from './lib/called.ts';
import { bytesIn, firstRecords } from './lib/places.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const fresh = (name: string, files: Readonly<Record<string, string>> = { 'a.txt': 'a' }): string => {
  mkdirSync(at(name), { recursive: true });
  for (const [path, content] of Object.entries(files)) writeFileSync(at(name, path), content);
  return at(name);
};
const filesIn = (name: string): readonly string[] => readdirSync(at(name)).sort();
const inputOf = async (
  store: string,
  run: string,
): Promise<{
  readonly text: string;
  readonly session: readonly { readonly input: string; readonly summary: string }[];
}> => {
  const [genesis = ''] = ((await bytesIn(store, run)) ?? '').split('\n');
  return (
    JSON.parse(genesis) as { readonly payload: { readonly input: Awaited<ReturnType<typeof inputOf>> } }
  ).payload.input;
};
const THERE = 'move a.txt to b.txt';
const BACK = 'move b.txt to a.txt';
const LARGEST = 'find the largest file and write its name to r.md';

describe('what a turn refers to', () => {
  test('"do it again" is understood however often it is said, also where what it refers to is gone', async () => {
    const call = (text: string): ReturnType<typeof calledJson> =>
      calledJson(
        'control',
        text,
        '--workspace',
        fresh('again'),
        '--session',
        at('again-turns'),
        '--store',
        `file:${at('again-store')}`,
        '--no-clock',
      );
    await call(LARGEST);
    for (let turn = 2; turn <= 8; turn += 1) {
      rmSync(at('again', 'r.md'));
      const { final_result, run_id } = (await call(
        turn === 4 ? 'how are you?' : turn === 6 ? 'wrong, the smallest' : 'do it again',
      )) as { readonly final_result: { readonly directive: string }; readonly run_id: string };
      expect([turn, final_result.directive, existsSync(at('again', 'r.md'))]).toEqual([
        turn,
        turn === 4 ? 'abandon' : 'accept',
        turn !== 4,
      ]);
      if (turn === 4) writeFileSync(at('again', 'r.md'), '');
      const { session, text } = await inputOf(`file:${at('again-store')}`, run_id);
      // What is recorded for R1 has the shape of its five turns, in the words that were said as long as these
      // mean anything.
      expect(session.map((one) => Object.keys(one))).toEqual(session.map(() => ['input', 'summary']));
      expect(session.length).toBe(Math.min(turn - 1, 5));
      if (turn === 6) expect([text, session[0]?.input]).toEqual(['wrong, the smallest', LARGEST]);
      if (turn === 7)
        expect(session.map(({ input }) => input)).toEqual([
          'find the largest file and write its name to "r.md"',
          'do it again',
          'how are you?',
          'do it again',
          'wrong, the smallest',
        ]);
      if (turn === 8)
        expect(session.map(({ input }) => input)).toEqual([
          'find the largest file and write its name to "r.md"',
          'how are you?',
          'do it again',
          'wrong, the smallest',
          'do it again',
        ]);
    }
    expect(readFileSync(at('again', 'r.md'), 'utf8')).toBe('a.txt\n');
  });

  test('a turn whose reference is gone though the turn between is kept', async () => {
    writeFileSync(
      join(fresh('skip-turns', {}), 'session.json'),
      JSON.stringify({
        count: 9,
        begun: [],
        turns: [
          { input: 'how are you?', summary: '', refers: null },
          {
            input: 'do it again',
            summary: '',
            refers: { back: 2, intent: 'count all files and write the number to "n.txt"' },
          },
        ],
      }),
    );
    await called('control', 'do it again', '--workspace', fresh('skip'), '--session', at('skip-turns'));
    expect(filesIn('skip')).toEqual(['a.txt', 'n.txt']);
    expect(JSON.parse(readFileSync(at('skip-turns', 'session.json'), 'utf8'))).toMatchObject({
      count: 10,
      turns: [{}, {}, { input: 'do it again', refers: { back: 1 } }],
    });
  });

  test('"that file" where two are meant: both are asked about, and nothing is done; so the ledger says too', async () => {
    const call = (text: string, ...more: readonly string[]): ReturnType<typeof called> =>
      called(
        'control',
        text,
        '--workspace',
        fresh('either', { 'a.txt': 'a', 'big.txt': 'bb' }),
        '--session',
        at('either-turns'),
        ...more,
      );
    await call(LARGEST);
    const { code, stdout } = await call(
      'delete that file',
      '--confirm',
      'remove_file:r.md',
      '-o',
      at('either-out'),
    );
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /perceiver_gave_up \(ambiguous\)[^]*\nwhich one\? {2}big\.txt, which was found, or "r\.md", which was written\? say its path\n/,
      ) as string,
    });
    expect((await called('explain', at('either-out', 'run.ledger.jsonl'))).stdout).toContain(
      '\nwhich one?  big.txt, which was found, or "r.md", which was written? say its path\n',
    );
    expect(readFileSync(at('either-out', 'final-result.md'), 'utf8')).toContain(
      '\n\n## Which one is meant? Say its path (2)\n- `big.txt, which was found`\n- `"r.md", which was written`\n\n',
    );
    expect((await called('show', at('either-out', 'run.ledger.jsonl'))).stdout).toContain(
      '\n## Which one is meant? Say its path (2)\n',
    );
    expect(filesIn('either')).toEqual(['a.txt', 'big.txt', 'r.md']);
    expect((await call('delete the file that was written', '--confirm', 'remove_file:r.md')).code).toBe(0);
    expect(filesIn('either')).toEqual(['a.txt', 'big.txt']);
  });

  test('a list of turns alone is a session; anything else is none', async () => {
    const where = join(fresh('hand-turns', {}), 'session.json');
    const call = (): ReturnType<typeof called> =>
      called('control', 'do it again', '--workspace', fresh('hand'), '--session', at('hand-turns'));
    writeFileSync(where, JSON.stringify([{ input: LARGEST, summary: 'done' }]));
    expect(await call()).toMatchObject({ code: 0 });
    for (const wrong of [
      {},
      { count: -1, begun: [], turns: [] },
      { count: 1, begun: [], turns: [{ input: 'x' }] },
      [{ input: 'x', summary: '', refers: null }],
    ]) {
      writeFileSync(where, JSON.stringify(wrong));
      expect(await call()).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^assay: session: /) as string,
      });
    }
  });
});

describe.skipIf(process.platform === 'win32')('a session.json that is no file', () => {
  const CASES: readonly (readonly [string, (path: string) => void | Promise<void>])[] = [
    [
      'a pipe',
      (path) => {
        execFileSync('mkfifo', [path]);
      },
    ],
    [
      'a link to a pipe',
      (path) => {
        execFileSync('mkfifo', [`${path}-pipe`]);
        symlinkSync(`${path}-pipe`, path);
      },
    ],
    [
      'a folder',
      (path) => {
        mkdirSync(path);
      },
    ],
    [
      'a device',
      (path) => {
        symlinkSync('/dev/zero', path);
      },
    ],
    [
      'a socket',
      async (path) => {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(path, resolve));
        onTestFinished(() => {
          server.close();
        });
      },
    ],
  ];
  test.each(CASES)(
    '%s: is refused at once, with where it is and what to do, by control and by resume',
    async (what, make) => {
      const [workspace, session, store] = [
        fresh(`odd ${what}`),
        at(`odd ${what} turns`),
        `file:${at(`odd ${what} store`)}`,
      ];
      expect(
        (await called('control', THERE, '--workspace', workspace, '--store', store, '--run-id', 'x')).code,
      ).toBe(0);
      mkdirSync(session);
      await make(join(session, 'session.json'));
      for (const args of [
        ['control', BACK, '--workspace', workspace, '--session', session],
        ['resume', 'x', '--store', store, '--session', session],
      ]) {
        const { code, stderr } = await called(...args);
        expect([code, stderr]).toEqual([
          2,
          expect.stringMatching(
            /^assay: session: .*no file[^]*\n {2}place {3}.*session\.json[^]*\n {2}remedy {2}.*take it away/,
          ),
        ]);
      }
      expect(filesIn(`odd ${what}`)).toEqual(['b.txt']);
    },
  );

  test('a link that leads back to itself: cannot be read, and is not written over', async () => {
    symlinkSync('session.json', join(fresh('loop-turns', {}), 'session.json'));
    expect(
      await called('control', THERE, '--workspace', fresh('loop'), '--session', at('loop-turns')),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^assay: unreadable: .*\(ELOOP\)\n {2}place {3}.*session\.json/,
      ) as string,
    });
    expect([filesIn('loop'), filesIn('loop-turns')]).toEqual([['a.txt'], ['session.json']]);
  });
});

describe('a turn of a session over a store is a run of its own', () => {
  test('the same turns again and again are done again and again', async () => {
    const names = new Set<unknown>();
    for (let turn = 1; turn <= 10; turn += 1) {
      const { run_id, was_over } = await calledJson(
        'control',
        turn % 2 === 1 ? THERE : BACK,
        '--workspace',
        turn === 1 ? fresh('turns') : at('turns'),
        '--session',
        at('turns-session'),
        '--store',
        `file:${at('turns-store')}`,
        '--no-clock',
      );
      names.add(run_id);
      expect([turn, was_over, filesIn('turns')]).toEqual([turn, false, [turn % 2 === 1 ? 'b.txt' : 'a.txt']]);
    }
    expect(names.size).toBe(10);
  });

  test(
    'another session over the same store does not take the runs of the first for its own; a ' +
      'call without a session still does',
    async () => {
      const call = (text: string, ...more: readonly string[]): ReturnType<typeof calledJson> =>
        calledJson(
          'control',
          text,
          '--workspace',
          at('two'),
          '--store',
          `file:${at('two-store')}`,
          '--no-clock',
          ...more,
        );
      fresh('two');
      for (const session of ['one-session', 'two-session', 'one-session']) {
        expect([(await call(THERE, '--session', at(session)))['was_over'], filesIn('two')]).toEqual([
          false,
          ['b.txt'],
        ]);
        await called('control', BACK, '--workspace', at('two'));
        rmSync(at(session), { recursive: true });
      }
      expect([(await call(THERE))['was_over'], filesIn('two')]).toEqual([false, ['b.txt']]);
      await called('control', BACK, '--workspace', at('two'));
      expect([(await call(THERE))['was_over'], filesIn('two')]).toEqual([true, ['a.txt']]);
    },
  );

  test('an interrupted turn is the same run for the same call, and for resume, and becomes a turn', async () => {
    for (const again of ['control', 'resume']) {
      const [workspace, session, store] = [
        fresh(`cut-${again}`),
        at(`cut-${again}-session`),
        `file:${at(`cut-${again}-store`)}`,
      ];
      const options = ['--workspace', workspace, '--session', session, '--store', store];
      await called('control', 'count all files and write the number to n.txt', ...options);
      const interruption = newInterruption();
      let err = '';
      const write = (text: string): void => {
        err += text;
        if (text.includes('plan ')) interruption.raise();
      };
      expect(
        await main(['control', THERE, ...options, '--verbose'], {
          out: { write: () => true },
          err: { write },
          env: {},
          interruption,
        }),
      ).toBe(130);
      const command = /^ {2}remedy {2}(assay resume (\S+) .*)$/m.exec(err);
      expect([command?.[2]?.endsWith('-2'), filesIn(`cut-${again}`)]).toEqual([true, ['a.txt', 'n.txt']]);
      const args =
        again === 'control' ? ['control', THERE, ...options] : (command?.[1] ?? '').split(' ').slice(1);
      expect(await calledJson(...args)).toMatchObject({
        run_id: command?.[2],
        was_over: false,
        status: 'success',
      });
      expect(JSON.parse(readFileSync(join(session, 'session.json'), 'utf8'))).toMatchObject({
        count: 2,
        begun: [],
        turns: [{}, { input: THERE }],
      });
    }
  });

  test('a turn that was done but not added is not done twice: the same call says so, and adds it', async () => {
    const options = [
      '--workspace',
      fresh('late'),
      '--session',
      at('late-session'),
      '--store',
      `file:${at('late-store')}`,
    ];
    mkdirSync(at('late-out'));
    writeFileSync(at('late-out', 'run.ledger.jsonl'), 'of another run\n');
    expect(await called('control', THERE, ...options, '-o', at('late-out'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^assay: output_exists: /) as string,
    });
    expect([
      filesIn('late'),
      JSON.parse(readFileSync(at('late-session', 'session.json'), 'utf8')),
    ]).toMatchObject([['b.txt'], { count: 0, turns: [] }]);
    expect(await calledJson('control', THERE, ...options)).toMatchObject({
      was_over: true,
      status: 'success',
    });
    expect(JSON.parse(readFileSync(at('late-session', 'session.json'), 'utf8'))).toMatchObject({
      count: 1,
      begun: [],
      turns: [{ input: THERE }],
    });
    expect(await calledJson('control', BACK, ...options)).toMatchObject({
      was_over: false,
      status: 'success',
    });
    // So does resume, once: afterwards the run is a turn already.
    expect((await called('control', THERE, ...options, '-o', at('late-out'))).code).toBe(2);
    const { begun } = JSON.parse(readFileSync(at('late-session', 'session.json'), 'utf8')) as {
      readonly begun: readonly { readonly run_id: string }[];
    };
    for (const again of [1, 2])
      expect([again, (await called('resume', begun[0]?.run_id ?? '', ...options)).code]).toEqual([again, 0]);
    expect(JSON.parse(readFileSync(at('late-session', 'session.json'), 'utf8'))).toMatchObject({
      count: 3,
      begun: [],
      turns: [{ input: THERE }, { input: BACK }, { input: THERE }],
    });
  });

  test(
    'what was said while a turn lay interrupted: it is added behind that, and refers to ' +
      'nothing that it did not hear',
    async () => {
      const options = [
        '--workspace',
        fresh('moved'),
        '--session',
        at('moved-session'),
        '--store',
        `file:${at('moved-store')}`,
        '--no-clock',
      ];
      await called('control', LARGEST, ...options);
      rmSync(at('moved', 'r.md'));
      const { run_id } = (await calledJson('control', 'do it again', ...options)) as {
        readonly run_id: string;
      };
      const whole = (await bytesIn(`file:${at('moved-store')}`, run_id)) ?? '';
      writeFileSync(at('moved-store', `${run_id}.ledger.jsonl`), firstRecords(whole, 4));
      await called('control', 'how are you?', ...options);
      await called('resume', run_id, ...options.slice(0, 6));
      const { turns } = JSON.parse(readFileSync(at('moved-session', 'session.json'), 'utf8')) as {
        readonly turns: readonly Readonly<Record<string, unknown>>[];
      };
      expect(turns.slice(2)).toMatchObject([
        { input: 'how are you?' },
        {
          input: 'do it again',
          refers: { back: 5, intent: 'find the largest file and write its name to "r.md"' },
        },
      ]);
    },
  );
});
