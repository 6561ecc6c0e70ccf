/** The plan notation: what its page says is read, and faults name their line and what fits there (language/P2). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findNearest, perceiveByRules, planByRules, readPlan, TEMPLATES } from '@assay/proposers/tasks';
import { CALLS, FILTERS, OPERATIONS } from '../../src/tasks/forms.ts';

const PAGE = readFileSync(new URL('../../../../docs/formats/plan-notation.md', import.meta.url), 'utf8');
const cell = (text: string): string => text.replaceAll('\\|', '|');

/** The line and the fault of a text; null where it is a plan. */
function fault(text: string): readonly [number, string] | null {
  const read = readPlan(text);
  return read._tag === 'Left' ? [read.left.line, read.left.fits] : null;
}

describe('docs/formats/plan-notation.md', () => {
  it('each plan and each example is read', () => {
    const blocks = [...PAGE.matchAll(/```plan\n([^]*?)```/g)].map(([, plan = '']) => plan);
    const rows = [...PAGE.matchAll(/^\|.*\| `([^`]*)` \|$/gm)].map(([, plan = '']) => cell(plan));
    const examples = rows.filter((plan) => CALLS.has(plan.split(' ', 1)[0] ?? ''));
    expect([blocks.length, examples.length]).toEqual([2, 19]);
    for (const plan of [...blocks, ...examples])
      expect({ plan, fault: fault(plan) }).toEqual({ plan, fault: null });
  });

  it('each fault is the one of its line', () => {
    const rows = [...PAGE.matchAll(/^\| `(.*?)` \| (\d+) \| (.*) \|$/gm)];
    expect(rows).toHaveLength(5);
    for (const [, plan = '', line, said = ''] of rows)
      expect([plan, fault(cell(plan))]).toEqual([plan, [Number(line), cell(said)]]);
  });

  it('says every call, filter and operation', () => {
    for (const call of CALLS.keys()) expect(PAGE).toContain(`| \`${call}\` |`);
    const forms = [...FILTERS, ...OPERATIONS.files, ...OPERATIONS.text].map(([form]) => form);
    for (const form of forms) {
      const words = form
        .replace('PART', 'TEXT')
        .replace('MATCH', 'PATTERN')
        .replace('VALUE', 'NAME')
        .replace(/^(largest|smallest|newest|oldest)(?: N)?$/, '$1 [N]');
      expect([form, PAGE.includes(`\`${words}\``)]).toEqual([form, true]);
    }
  });
});

describe('a fault', () => {
  it.each([
    ['', 1, 'no call: find, read'],
    ['# nothing', 1, 'no call: find, read'],
    ['let "a" -> A', 1, 'no call: find, read'],
    ['"find" *.md', 1, 'no call "find"'],
    ['Find *.md', 1, 'no call "Find"'],
    ['read a.txt -> A\n\n  write A', 3, 'write TEXT or NAME to PATH'],
    ['read a.txt -> A\nwrite A to "b', 2, 'a quote is not closed'],
    ['write "a\n" to b', 1, 'a quote is not closed'],
    ['write "\\d" to b', 1, 'behind a backslash stands n, t, " or another backslash'],
    ['write "a" to b"', 1, 'a quote is not closed'],
    ['find *.md -> a', 1, '"-> NAME" ends the line'],
    ['find *.md -> A B', 1, '"-> NAME" ends the line'],
    ['find *.md |', 1, 'of files: names'],
    ['find', 1, 'find PATTERN'],
    ['find in docs', 1, 'find PATTERN'],
    ['find Makefile', 1, 'a name without *, ?, [ or . stands in quotes: "Makefile"'],
    ['find *.{md,txt}', 1, 'a pattern is signs'],
    ['find [a', 1, 'a set is closed'],
    ['find [!]', 1, 'a set is closed'],
    ['find [^].txt', 1, 'a set is closed'],
    ['find *.md larger 3MB', 1, 'a name without'],
    [
      'find *.md in docs larger 3MB',
      1,
      'no filter "larger": directly in FOLDER, in FOLDER, except PATTERN or PATH',
    ],
    ['find *.md in docs *.txt', 1, 'no filter "*.txt"'],
    ['find * larger than 3', 1, 'larger than SIZE: SIZE is a whole number and a unit'],
    ['find * larger than 3 MB', 1, 'larger than SIZE: '],
    ['find * in ../x', 1, 'in FOLDER: ../x is no path inside the workspace'],
    ['find * in a in b', 1, '"in FOLDER" beside "in FOLDER": one of them'],
    ['find * in a directly in b', 1, '"directly in FOLDER" beside "in FOLDER"'],
    ['find * empty smaller than 3B', 1, '"smaller than SIZE" beside "empty"'],
    ['find * largest 3 newest', 1, '"newest" beside "largest N"'],
    ['find * except docs/*.md', 1, 'except PATTERN or PATH: a pattern has no "/", and a path no *, ? or ['],
    ['find * except ../a', 1, 'except PATTERN or PATH: ../a is no path inside the workspace'],
    ['find * largest 0', 1, 'largest N: a whole number from 1'],
    ['find * containing TODO', 1, 'containing TEXT: a text stands in quotes: "TODO"'],
    ['find * containing ""', 1, 'containing TEXT: a text that is not empty'],
    ['find * changed after 2026-02-30', 1, 'changed after DATE: DATE is a day'],
    ['find * changed before yesterday', 1, 'changed before DATE: DATE is a day'],
    ['find * changed since 2026-02-20', 1, 'a name without'],
    ['read docs/ -> A', 1, 'a file, not a folder: find * in docs/ -> NAME'],
    ['read A', 1, 'no name A above; a path of this form stands in quotes: "A"'],
    ['read /etc/passwd', 1, '/etc/passwd is no path inside the workspace'],
    ['read ~/a.txt', 1, '~/a.txt is no path inside the workspace'],
    ['read "" -> A', 1, '"" is no path'],
    ['read a.txt | lines with ERROR', 1, 'lines with TEXT: a text stands in quotes: "ERROR"'],
    ['read a.txt | first 0', 1, 'first N: a whole number'],
    ['read a.txt | replace "" with "x"', 1, 'replace TEXT with TEXT: a text that is not empty'],
    ['read a.txt | add B', 1, 'add TEXT or NAME: no name B above'],
    ['read a.txt | count | sort', 1, 'a number takes no operation'],
    ['let a -> A', 1, 'a text stands in quotes: "a"'],
    ['let A -> B', 1, 'no name A above'],
    ['write hello to a.txt', 1, 'a text stands in quotes: "hello"; a name begins with a capital'],
    ['write "a" to docs/', 1, 'a file, such as docs/result.txt'],
    ['write "a" to *.txt', 1, 'a path has no * or ?'],
    ['copy a.txt to a.txt', 1, 'two different paths'],
    ['copy README to docs/', 1, 'a path of this form stands in quotes: "README"'],
    ['find *.md -> A; copy A to b/', 2, 'A is a name; here fits a path'],
    ['find *.md -> A; move A to b', 2, 'files of a name are moved into a folder, with / at its end: b/'],
    ['find *.md | names -> A; delete A', 2, 'A is a text; here fits files'],
    ['find *.md | count -> A; read A', 2, 'A is a number; here fits files'],
    ['read a -> A; expect A', 2, 'expect count(NAME)'],
    ['read a -> A; expect count(A)', 2, 'expect count(NAME)'],
    ['read a -> A; expect B = "x"', 2, 'no name B above'],
    ['read a -> A; expect A > "x"', 2, 'A is a text; here fits = or !='],
    ['read a -> A; expect A = 3', 2, 'a text stands in quotes: "3"'],
    ['read a -> A; expect count(A) = "3"', 2, 'a number, or the name of one, not 3'],
    ['read a | count -> A; expect count(A) = 3', 2, 'A is a number; here fits A alone'],
    ['read a | count -> A; read b -> B; expect A = B', 3, 'B is a text; here fits a number'],
    ['read a -> A; answer B', 2, 'no name B above'],
    ['read a -> A; answer A; answer A', 3, 'the answer is given in line 2 already'],
    ['read a -> A; answer "A"', 2, 'A is no name'],
  ])('%j: line %i', (text, line, said) => {
    expect(fault(text)).toEqual([line, expect.stringContaining(said)]);
    expect(perceiveByRules({ text })).toMatchObject({
      left: { code: 'not_understood', detail: expect.stringContaining(said) },
    });
  });

  it('stands in time that is linear, whatever the text: 10,000 lines, open quotes, long words', () => {
    const texts = [
      'find *.md -> A\n'.repeat(10_000),
      'expect A = 1\n'.repeat(10_000),
      '"'.repeat(200_001),
      'write "a" to b\n'.repeat(10_000),
      `find ${'*'.repeat(200_000)}`,
      `read a ${'| sort '.repeat(50_000)}-> A`,
      `find ${'* '.repeat(50_000)}`,
      '#'.repeat(500_000),
      '\\"'.repeat(100_000),
      ';'.repeat(500_000),
      `write "${'\\n'.repeat(100_000)}`,
    ];
    const start = process.cpuUsage().user;
    expect(texts.map((text) => fault(text)?.[0] ?? null)).toEqual([2, 1, 1, 65, null, 1, 1, 1, 1, 1, 1]);
    expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(10);
    expect(fault(`read a -> A\n# x\n${'write "a" to b\n'.repeat(64)}`)).toEqual([
      66,
      'a plan has at most 64 calls',
    ]);
  });
});

describe('a plan', () => {
  it('is the same however it is laid out', () => {
    const lines = ['find *.md in docs -> A', 'expect count(A)>=1', 'let A|names->B', 'write B to "b c.txt"'];
    const read = (text: string): unknown => {
      const plan = readPlan(text);
      return plan._tag === 'Left' ? plan : plan.right.lines.map(({ line: _, says: __, ...rest }) => rest);
    };
    const spaced =
      '\t find  *.md in docs   -> A # all\n\n#nothing; here\n' +
      'expect count ( A ) >= 1;let A | names -> B;\r\nwrite B to "b c.txt"';
    expect(read(spaced)).toEqual(read(lines.join('\n')));
    expect(read(lines.join(';'))).toEqual(read(lines.join('\n')));
  });

  it('days are those of UTC, to the millisecond', () => {
    for (const day of ['1970-01-01', '2000-02-29', '2026-11-28', '2100-03-01', '2024-12-31']) {
      const plan = readPlan(`find * changed after ${day} changed before ${day} -> A`);
      const [found] = plan._tag === 'Right' ? plan.right.lines : [];
      expect(found).toMatchObject({
        input: { modified_from: Date.parse(day) + 86_400_000, modified_to: Date.parse(day) - 1 },
      });
    }
  });

  it('asks for its tools alone, and for no more to be checked than is allowed; the second time it is refused', () => {
    const tool = (name: string) => ({ name, class: 'read', reversible: true, about: '' }) as const;
    const body = {
      round: 0,
      text: 'find *.tmp -> Old; expect count(Old) > 0; delete Old',
      task: { label: 'plan', intent: 'x', constraints: { scope: null, deadline_us: null } },
      tools: ['find_files', 'remove_file'].map(tool),
      must_not: { tools: [], targets: [], rules: [] },
      limits: { subtasks: 1, criteria: 2 },
    };
    expect(planByRules(body)).toMatchObject({
      right: {
        subtasks: [
          {
            tools: ['find_files', 'remove_file'],
            success_criteria: [{ text: 'expect count(Old) > 0' }, { text: 'delete Old' }],
          },
        ],
      },
    });
    const code = (more: object): string => {
      const plan = planByRules({ ...body, ...more });
      return plan._tag === 'Left' ? plan.left.code : 'planned';
    };
    expect(code({ tools: [tool('find_files')] })).toBe('tool_unavailable');
    expect(code({ must_not: { tools: ['remove_file'], targets: [], rules: [] } })).toBe('no_way_left');
    expect(code({ limits: { subtasks: 1, criteria: 1 } })).toBe('no_way_left');
    expect(code({ round: 1 })).toBe('plan_failed');
    expect(code({ text: 'clean up' })).toBe('not_understood');
    expect(code({ text: 'clean up', task: { ...body.task, intent: body.text } })).toBe('planned');
  });
});

describe('templates', () => {
  it('are plans, and words call for them: the best three', () => {
    expect(Object.keys(TEMPLATES)).toHaveLength(17);
    for (const plan of Object.keys(TEMPLATES))
      expect({ plan, fault: fault(plan) }).toEqual({ plan, fault: null });
    for (const [words, calls] of [
      ['please delete all the temporary files', 'delete Old'],
      ['which file takes up the most space?', 'largest'],
      ['what is the average of the price column', 'column amount'],
      ['Make a BACKUP of my notes', 'backup/'],
      ['put all pictures into a folder', 'move Pictures'],
      ['how many words are in my essay', 'count words'],
    ] as const)
      expect([words, findNearest(words)[0]]).toEqual([words, expect.stringContaining(calls)]);
    expect(findNearest('how many files are there, and how many lines').length).toBe(3);
    expect(findNearest('xyzzy')).toEqual([]);
  });
});
