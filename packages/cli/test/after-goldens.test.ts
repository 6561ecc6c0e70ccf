/**
 * The golden runs whose words refer to an earlier run: done again by the command with `--after`, each leaves
 * the committed bytes, and the file that its words meant.
 */
import { join } from 'node:path';
import { readFileSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './lib/assay.ts';
import { called } from './lib/called.ts';
import { begunIn, filesIn, turns, type Turn } from './lib/tasks.ts';

const folder = temporaryFolder();
const at = (...parts: readonly string[]): string => join(folder, ...parts);

/**
 * What each turn must mean: the turn it refers to, that turn in the words in which it was said, the task, and
 * what stands in the file that is written.
 */
const MEANT: Readonly<
  Record<
    string,
    {
      readonly said: string;
      readonly of: string;
      readonly intent: string;
      readonly file: readonly [path: string, content: string];
    }
  >
> = {
  'controller-session-again': {
    said: 'do it again',
    of: 'find the largest file and write its name to report.md',
    intent: 'find the largest file and write its name to "report.md"',
    file: ['report.md', 'deep/c.txt\n'],
  },
  'controller-session-that-file': {
    said: 'copy that file to kept.md',
    of: 'list all txt files into list.md',
    intent: 'copy "list.md" to "kept.md"',
    file: ['kept.md', 'a.txt\ndeep/b.txt\n'],
  },
  'controller-session-wrong': {
    said: 'wrong, the smallest',
    of: 'find the largest file and write its name to report.md',
    intent: 'find the smallest file and write its name to "report.md"',
    file: ['report.md', 'deep/b.txt\n'],
  },
};
const TURNS = turns();

type Files = Readonly<Record<string, string>>;
/**
 * The least path among the files other than the one that is written whose size is the one that `choose`
 * gives.
 */
const bySize = (files: Files, written: string, choose: (sizes: readonly number[]) => number): string => {
  const others = Object.entries(files)
    .filter(([path]) => path !== written)
    .map(([path, content]) => ({ path, bytes: Buffer.byteLength(content) }));
  const wanted = choose(others.map(({ bytes }) => bytes));
  return `${
    others
      .filter(({ bytes }) => bytes === wanted)
      .map(({ path }) => path)
      .sort()[0] ?? ''
  }\n`;
};
/** What the words mean of the files that are there, by reading these alone. */
const ORACLE: Readonly<Record<string, (files: Files, written: string) => string>> = {
  'controller-session-again': (files, written) => bySize(files, written, (sizes) => Math.max(...sizes)),
  'controller-session-that-file': (files) =>
    Object.keys(files)
      .filter((path) => path.endsWith('.txt'))
      .sort()
      .map((path) => `${path}\n`)
      .join(''),
  'controller-session-wrong': (files, written) => bySize(files, written, (sizes) => Math.min(...sizes)),
};
const meantBy = ({ name }: Turn): (typeof MEANT)[string] => MEANT[name] ?? expect.unreachable(name);

type Payload = { readonly [key: string]: unknown };
const payloads = (ledger: string, wanted: string): readonly Payload[] =>
  ledger
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly payload: Payload })
    .flatMap(({ kind, payload }) => (kind === wanted ? [payload] : []));
/** The committed input: what was said, and the turns before it. */
const inputOf = ({
  ledger,
}: Turn): {
  readonly text: string;
  readonly session: readonly { readonly input: string; readonly summary: string }[];
} => (payloads(ledger, 'genesis')[0] as { readonly input: ReturnType<typeof inputOf> }).input;

/** Does the turns before a turn, over one workspace. `after`: cites their ledgers. */
async function begun(turn: Turn): Promise<{ readonly workspace: string; readonly after: readonly string[] }> {
  const workspace = begunIn(at(turn.name), turn);
  const cited: string[] = [];
  for (const [index, { task, after }] of turn.before.entries()) {
    const { code, stderr } = await called(
      'task',
      task,
      '--workspace',
      workspace,
      '--set',
      'clock=stamps',
      '--set',
      `run_id=${turn.name}-before-${index}`,
      '--set',
      'ts_base=2026-01-01T00:00:00Z',
      '-o',
      at(`${turn.name}-out-${index}`),
    );
    expect(code, stderr).toBe(0);
    begunIn(workspace, { files: after, modifiedS: turn.modifiedS });
    for (const path of Object.keys(filesIn(workspace)))
      utimesSync(join(workspace, path), turn.modifiedS, turn.modifiedS);
    cited.push('--after', at(`${turn.name}-out-${index}`, 'run.ledger.jsonl'));
  }
  return { workspace, after: cited };
}

describe('a golden turn that refers to an earlier one', () => {
  test('there is one for "do it again", one for "that file" and one for "wrong"', () => {
    expect(TURNS.map((turn) => [turn.name, turn.task, turn.before.length])).toEqual(
      Object.entries(MEANT).map(([name, { said }]) => [name, said, 2]),
    );
  });

  test.each(TURNS)(
    '$name: R1 was given the turns before, and its answer refers to the one that is meant',
    (turn) => {
      const { said, of, intent } = meantBy(turn);
      const { text, session } = inputOf(turn);
      expect([text, session.map(({ input }) => input)]).toEqual([said, turn.before.map(({ task }) => task)]);
      const answer = payloads(turn.ledger, 'proposal')[0]?.['value'] as {
        readonly intent: string;
        readonly refers_to: number;
      };
      expect(answer).toMatchObject({ intent, refers_to: 1 });
      expect(session[answer.refers_to]?.input).toBe(of);
    },
  );

  test.each(TURNS)(
    '$name: done again it leaves the same bytes, and the file holds what the words meant',
    async (turn) => {
      const { workspace, after } = await begun(turn);
      const before = filesIn(workspace);
      const [path, content] = meantBy(turn).file;
      expect(before[path]).not.toBe(content);
      const { code, stderr } = await called(
        'task',
        turn.task,
        '--workspace',
        workspace,
        ...after,
        ...turn.args,
        '-o',
        at(`${turn.name}-out`),
      );
      expect(code, stderr).toBe(0);
      expect(readFileSync(at(`${turn.name}-out`, 'run.ledger.jsonl'), 'utf8')).toBe(turn.ledger);
      expect(filesIn(workspace)).toEqual({ ...before, [path]: content });
      expect(content).toBe(ORACLE[turn.name]?.(before, path));
      expect((await called('verify', at(`${turn.name}-out`, 'run.ledger.jsonl'))).code).toBe(0);
    },
  );

  test('without the turns before it none of them is understood, and nothing is written', async () => {
    for (const turn of TURNS) {
      const workspace = begunIn(at(`${turn.name}-alone`), turn);
      const { code, stdout } = await called('task', turn.task, '--workspace', workspace, ...turn.args);
      expect([code, /perceiver_gave_up, (\w+)\)/.exec(stdout)?.[1]]).toEqual([1, 'no_such_turn']);
      expect(filesIn(workspace)).toEqual(turn.files);
    }
  });
});
