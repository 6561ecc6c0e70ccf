import { describe, expect, it } from 'vitest';
import type { Json } from '@assay/kernel';
import { isBlocked, OUTPUT_MAX, type JudgeBody, type Tool } from '../src/index.js';
import { parseAnswer } from '../src/protocol/answers.js';
import { callKind, contradictionOf, EVIDENCE_RULES, evidenceLine } from '../src/protocol/evidence.js';
import { called, criterion, planOf, play, policyWith, replayed, willing } from './lib/playing.js';

const TOOLS: readonly Tool[] = [
  { name: 'write_file', class: 'write', reversible: true, available: true },
  { name: 'shell', class: 'shell', reversible: true, available: true },
];

const kindOf = (input: string): string => callKind({ tool: 'shell', input }, TOOLS);

describe('a line of evidence', () => {
  it('shows an output of up to 200 units whole, and of a longer one 200 units, its size and its digest', () => {
    const digest = 'a'.repeat(64) as never;
    expect(evidenceLine(called('shell', 'ls', 'x'.repeat(200), { digest }))).toBe(
      `shell: ls → ${'x'.repeat(200)}`,
    );
    expect(evidenceLine(called('shell', 'ls', 'x'.repeat(201), { digest, output_bytes: 9_000 }))).toBe(
      `shell: ls → ${'x'.repeat(200)}… [9000 bytes, sha256 ${digest}]`,
    );
    expect(evidenceLine(called('shell', 'ls', 'x'.repeat(201)))).toBe(
      `shell: ls → ${'x'.repeat(200)}… [201 bytes]`,
    );
  });
});

describe('what is kept of an output (003 §R3, dec-B8)', () => {
  const handedIn = (output: string, claim: string): unknown =>
    parseAnswer(
      { status: 'completed', output: claim, tool_calls: [called('shell', 'ls', output)] } as unknown as Json,
      { kind: 'execute' },
    );

  it(
    'is a head and a tail of 4,000 units together with the mark between them; more is turned ' +
      'away, of a call as of the claim',
    () => {
      expect([EVIDENCE_RULES.head_tail, EVIDENCE_RULES.first, OUTPUT_MAX]).toEqual([4_000, 200, 4_064]);
      expect(handedIn('x'.repeat(4_064), 'y'.repeat(4_064))).toMatchObject({ _tag: 'Right' });
      expect(handedIn('x'.repeat(4_065), '')).toMatchObject({
        left: { code: 'bad_execution', detail: { path: '/tool_calls/0/output' } },
      });
      expect(handedIn('', 'y'.repeat(4_065))).toMatchObject({
        left: { code: 'bad_execution', detail: { path: '/output' } },
      });
    },
  );

  it('of an input as of an output a judge is shown 200 units, never half a sign', () => {
    const line = evidenceLine(
      called('shell', `${'i'.repeat(199)}\u{1f600}more`, `${'o'.repeat(199)}\u{1f600}more`),
    );
    expect(line).toBe(`shell: ${'i'.repeat(199)} → ${'o'.repeat(199)}… [205 bytes]`);
  });
});

describe('a command that only looks', () => {
  it('is known by every command of its pipeline, whatever stands in quotes', () => {
    expect(
      ['ls', 'ls -l | sort | head -3', "sha256sum 'a > b; c' d", `grep -r -F -e 'a|b' . | wc -l`].map(kindOf),
    ).toEqual(['look', 'look', 'look', 'look']);
    expect(
      ['mv a b', 'ls | tee x', 'ls > x', 'ls; rm x', "ls '", "ls 'a' $(rm x)", 'ls "$(rm x)"', ''].map(
        kindOf,
      ),
    ).toEqual(['act', 'act', 'act', 'act', 'look', 'act', 'act', 'act']);
  });

  it(
    'is none where an option or an operand has it write, run or remove something, also in ' +
      'quotes, in a group of letters or cut short',
    () => {
      const acts = [
        'uniq a b',
        'uniq -c a b',
        "uniq a 'b'",
        'uniq -- -a -b',
        'uniq - b',
        'sort -o f f',
        'sort -uo f f',
        'sort -uof f',
        "sort '-o' f f",
        'sort \\-o f f',
        'sort "-"o f f',
        'sort --o=f f',
        'sort --output f f',
        'sort --compress-program=rm f',
        'sort {-o,f} f',
        'find . "-delete"',
        'file -C -m f',
        `ls "a\\" 'b" > f ''`,
      ];
      expect(acts.filter((line) => kindOf(line) !== 'act')).toEqual([]);
      const looks = [
        'uniq',
        'uniq -c',
        'uniq a',
        'sort -u f g',
        'sort -k2,2n f',
        'grep -o x f',
        'ls -o',
        'find . -name a -o -name b',
        'find . -name "{a}"',
        `ls "a\\"b"`,
      ];
      expect(looks.filter((line) => kindOf(line) !== 'look')).toEqual([]);
    },
  );

  it('is none where a pattern of file names could stand for what is written to, or for an option that acts', () => {
    const acts = [
      'uniq *',
      'uniq a?',
      'uniq -c [ab]',
      'ls | uniq *',
      'sort *',
      'sort -u *.txt',
      'sort -- ?',
      'sort [-]*',
      'sort -n*',
      'find *',
      'find . -name *.md',
      'file *',
    ];
    expect(acts.filter((line) => kindOf(line) !== 'act')).toEqual([]);
    const looks = [
      'ls *',
      'cat *.md | uniq -c',
      'wc -l *',
      'grep -c x *',
      'sort ./*',
      'sort notes-*.txt',
      'file ./*',
      "uniq 'a*'",
      'uniq a\\*',
      'sort "*"',
      "find . -name '*.md'",
      'find docs/*',
    ];
    expect(looks.filter((line) => kindOf(line) !== 'look')).toEqual([]);
  });

  it('after a failed act shows nothing, whichever command it is (003 §R4a)', () => {
    const failed = called('write_file', '{"content":"x","path":"a"}', 'no_space: a', { status: 'error' });
    const look = called('shell', 'sha256sum a', 'a\n');
    expect(contradictionOf([failed, look], TOOLS)).toMatchObject({ code: 'primary_call_failed' });
  });
});

describe('nothing that is called after a failed act can stand for it', () => {
  const tools = policyWith().tools;
  const failed = called('write_file', 'report.md', 'ENOSPC', { status: 'error' });
  const looks = [
    'ls report.md',
    'ls report.md 2>/dev/null',
    '/bin/ls report.md',
    'ls report.md && true',
    '(ls report.md)',
    'stat report.md; ls',
    'find . -name report.md -print -exec true ;',
  ];

  it.each(looks)('%s after a failed write', (line) => {
    expect(contradictionOf([failed, called('shell', line)], tools)).toMatchObject({
      code: 'primary_call_failed',
    });
  });

  it.each(['find_files', 'read_file'])('ls after a failed %s, where that was all that was done', (tool) => {
    expect(
      contradictionOf([called(tool, 'report.md', 'no', { status: 'error' }), called('shell', 'ls')], tools),
    ).toMatchObject({ code: 'primary_call_failed' });
  });

  it('a find that deletes acts, and an act done again with success stands', () => {
    expect(
      contradictionOf(
        [called('shell', 'find . -name a -delete', 'no', { status: 'error' }), called('shell', 'ls')],
        tools,
      ),
    ).toMatchObject({ code: 'primary_call_failed' });
    expect(contradictionOf([failed, called('write_file', 'report.md')], tools)).toBeNull();
    expect(
      contradictionOf(
        [failed, called('write_file', 'log.md'), called('write_file', 'report.md'), called('shell', 'ls')],
        tools,
      ),
    ).toBeNull();
  });

  it.each([
    ['of the same tool on another input', 'write_file', 'report.md', 'write_file', 'log.md'],
    ['of another tool on the same input', 'write_file', 'report.md', 'remove_file', 'report.md'],
    [
      'of the same tool on the same path with other content',
      'write_file',
      '{"content":"the report","path":"report.md"}',
      'write_file',
      '{"content":"","path":"report.md"}',
    ],
    ['of the same command on other operands', 'shell', 'cp a report.md', 'shell', 'cp x y'],
    [
      'of the same command on the same operands, told to do nothing',
      'shell',
      'cp a report.md',
      'shell',
      'cp --help a report.md',
    ],
    ['that only begins alike', 'shell', 'tee report.md', 'shell', 'tee report.md.bak'],
    ['that looks, after a look that failed', 'read_file', 'report.md', 'read_file', 'log.md'],
  ])('an act %s', (_, tool, input, later, other) => {
    expect(
      contradictionOf([called(tool, input, 'no', { status: 'error' }), called(later, other)], tools),
    ).toMatchObject({ code: 'primary_call_failed', line: `${tool}: ${input} → [error] no` });
    expect(
      contradictionOf(
        [called(tool, input, 'no', { status: 'error' }), called(later, other), called(tool, input)],
        tools,
      ),
    ).toBeNull();
  });
});

describe('what a result rests on', () => {
  const tools = policyWith().tools;

  it('is what was done: a look that failed before it takes nothing away', () => {
    const missing = called('read_file', 'report.md', 'not_found', { status: 'error' });
    expect(contradictionOf([missing, called('write_file', 'report.md')], tools)).toBeNull();
    expect(contradictionOf([missing, called('find_files', '*.md', '')], tools)).toMatchObject({
      code: 'primary_call_failed',
    });
  });

  it(
    'is no look that failed and stands alone, whatever a plan says of it: beside the act ' +
      'that it looks after it is an answer',
    () => {
      const gone = called('read_file', 'old.md', 'not_found: old.md', { status: 'error' });
      expect(contradictionOf([gone], tools)).toMatchObject({ code: 'primary_call_failed' });
      expect(contradictionOf([gone, called('read_file', 'old.md', 'here again')], tools)).toBeNull();
      expect(contradictionOf([called('remove_file', 'old.md', 'removed'), gone], tools)).toBeNull();
    },
  );

  it('an act that was cut short is no completion; a look or a search whose output was cut is an answer', () => {
    const cut = (tool: string, input: string): unknown =>
      contradictionOf([called(tool, input, 'x', { status: 'truncated' })], tools);
    expect([cut('write_file', 'a'), cut('shell', 'mv a b')]).toMatchObject([
      { code: 'cut_without_completion' },
      { code: 'cut_without_completion' },
    ]);
    expect([cut('read_file', 'a'), cut('find_files', 'a'), cut('shell', 'ls')]).toEqual([null, null, null]);
  });

  it('an empty search that ran is an answer', () => {
    expect(contradictionOf([called('find_files', '*.xyz', '')], tools)).toBeNull();
    expect(contradictionOf([called('shell', 'grep -r x .', '')], tools)).toBeNull();
  });

  it.each(['error', 'denied', 'timeout', 'interrupted'] as const)(
    'an empty search that did not run through (%s) is none',
    (status) => {
      expect(contradictionOf([called('find_files', '*.xyz', '', { status })], tools)).toMatchObject({
        code: 'primary_call_failed',
        line: `find_files: *.xyz → [${status}] `,
      });
    },
  );

  it('a judge hears of an empty search as of any other answer, and may accept it (003 §R4a)', () => {
    const seen: (readonly string[])[] = [];
    const played = play(policyWith(), {
      ...willing,
      plan: () => ({
        value: planOf([
          {
            criteria: [criterion('it is said whether there is a pdf')],
            uses: [{ tool: 'find_files', target: '*.pdf' }],
          },
        ]),
      }),
      execute: () => ({
        value: {
          status: 'completed',
          output: 'there is none',
          tool_calls: [called('find_files', '*.pdf', '')],
        },
      }),
      judge: (body: JudgeBody) => {
        seen.push(body.tool_calls);
        return {
          value: {
            verdicts: body.criteria.map(({ id }) => ({
              criterion: id,
              verdict: 'pass',
              failure_class: null,
              evidence: 'the search ran',
            })),
            what_was_wrong: null,
            what_to_do: null,
          },
        };
      },
    });
    expect([seen, played.result?.directive]).toEqual([[['find_files: *.pdf → ']], 'accept']);
    replayed(played);
  });
});

describe('a blocked input under another spelling', () => {
  it.each(['a', './a', 'a/', '//a', ' a', './/a', '{"path":"a"}'])('%j is blocked as a, or /a', (target) => {
    const list = [{ tool: 'read_file', target: target === '//a' ? '/a' : 'a' }];
    expect(isBlocked({ tool: 'read_file', target }, list)).toBe(true);
    expect(isBlocked({ tool: 'read_file', target: 'ab' }, list)).toBe(false);
  });
});
