import { describe, expect, it } from 'vitest';
import { hashCanonical, orThrow, type Json, type Request } from '@assay/kernel';
import {
  defaultPolicy,
  parseInterpretations,
  SeedText,
  type Interpretation,
  type InterpretationsBody,
} from '@assay/kernel/intent';
import { humanPort } from '../../src/index.ts';
import { HUMAN_PROPOSER, proposeByHand } from '../../src/human/propose.ts';
import { openSession, reply, type HumanAnswer } from '../../src/human/session.ts';

const TEXT =
  'Keep audit logs at least 6 months, unless a customer objects. If a disk is ' +
  'full,\nadmins may delete logs. The tone should be friendly. Keep backups.';

function bodyOf(n = 1, seed_text = TEXT): InterpretationsBody {
  return {
    slot: 'human',
    seed_hash: orThrow(hashCanonical(seed_text)),
    seed_text,
    n,
    pin: [{ modality: 'must', atom: { key: 'region', op: '=', value: 'EU', unit: null } }],
  };
}

/** A dialogue whose person types some lines and then is gone; what was shown and asked is kept. */
function typing(...lines: readonly string[]): {
  readonly shown: string[];
  readonly asked: string[];
  readonly say: (line: string) => void;
  readonly ask: (prompt: string) => Promise<string | null>;
} {
  const [shown, asked, left]: [string[], string[], string[]] = [[], [], [...lines]];
  return {
    shown,
    asked,
    say: (line) => void shown.push(line),
    ask: (prompt) => {
      asked.push(prompt);
      return Promise.resolve(left.shift() ?? null);
    },
  };
}

const CLAIM = [
  'Keep audit logs at least 6 months',
  'must',
  'log.age >= 6 months',
  '',
  'unless a customer objects',
  '',
];
const END = ['', '', '', ''];

async function readingsBy(...lines: readonly string[]): Promise<readonly Interpretation[]> {
  const { value, failure } = await proposeByHand(bodyOf(), typing(...lines));
  expect(failure).toBeNull();
  return orThrow(parseInterpretations(value, new SeedText(TEXT)));
}

describe('a reading given by a person', () => {
  it('is what the machine takes: words, modality, measure, scope', async () => {
    const seed = new SeedText(TEXT);
    const [reading, ...rest] = await readingsBy(
      ...CLAIM,
      '',
      'Backups are logs.',
      '',
      'Logs are kept.',
      'keep-six-months',
      'yes',
    );
    expect(rest).toEqual([]);
    expect(reading).toMatchObject({
      name: 'keep-six-months',
      assumptions: ['Backups are logs.'],
      intent_summary: 'Logs are kept.',
    });
    const [claim] = reading?.commits ?? [];
    expect(claim).toMatchObject({
      kind: 'requirement',
      modality: 'must',
      quote: { start: 0, end: 33 },
      atom: { key: 'log.age', op: '>=', value: { n: 6, scale: 0 }, unit: 'month' },
      scope: { actor: null, condition: null },
    });
    expect(
      claim?.scope.exception === null || claim === undefined ? null : seed.slice(claim.scope.exception),
    ).toBe('unless a customer objects');
  });

  it('words over a line end, first and last words, and a place chosen', async () => {
    const [reading] = await readingsBy(
      'If a disk is full, admins may delete logs',
      'may',
      '',
      'If ... full',
      '',
      'admins',
      'Keep',
      '2',
      'must',
      '',
      '',
      '',
      '',
      ...END,
      'y',
    );
    const [first, second] = reading?.commits ?? [];
    expect(first).toMatchObject({
      modality: 'may',
      quote: { start: 62, end: 103 },
      scope: { condition: { start: 62, end: 79 }, actor: { start: 81, end: 87 } },
    });
    expect(second?.quote).toEqual({ start: 134, end: 138 });
  });

  it('a question of a class', async () => {
    const [reading] = await readingsBy('friendly', 'question', 'vague', ...END, 'yes');
    expect(reading?.commits).toMatchObject([
      { kind: 'question', atom: { key: 'question', op: '=', value: 'vague', unit: null } },
    ]);
  });

  it('several readings, up to the number asked for, each with a name of its own', async () => {
    const dialogue = typing(
      ...CLAIM,
      ...END,
      'yes',
      'Keep backups',
      'must',
      '',
      '',
      '',
      '',
      ...END,
      'other',
      'yes',
    );
    const { value } = await proposeByHand(bodyOf(2), dialogue);
    expect((value as unknown as readonly Interpretation[]).map(({ name }) => name)).toEqual([
      'by-hand',
      'other',
    ]);
    expect(dialogue.shown).toContain('Another reading has this name.');
  });
});

describe('what is shown', () => {
  it('the request line by line, the pin, and the claims before they are proposed', async () => {
    const dialogue = typing(...CLAIM, ...END, 'yes');
    await proposeByHand(bodyOf(), dialogue);
    for (const line of TEXT.split('\n')) expect(dialogue.shown).toContain(`  | ${line}`);
    expect(dialogue.shown).toContain('  must region = EU');
    expect(dialogue.shown.slice(-2)).toEqual([
      'by-hand:',
      '  1  must "Keep audit logs at least 6 months"   log age ≥ 6 month   exception "unless a customer objects"',
    ]);
    expect(dialogue.asked.at(-1)).toBe('propose this, yes or no');
  });
});

describe('what cannot be taken is said and asked again', () => {
  it.each([
    ['words that are not there', ['no such words'], 'do not stand in the request'],
    ['a modality unknown', ['Keep backups', 'shall'], 'must not, should, may, or question'],
    ['a class unknown', ['friendly', 'question', 'tone'], 'vague, relative_date'],
    ['no measure', ['Keep backups', 'must', 'two of them'], 'KEY OP VALUE UNIT'],
    ['a key of other letters', ['Keep backups', 'must', 'Log-Age = true'], 'A key is'],
    ['a measure out of joint', ['Keep backups', 'must', 'backup < true'], 'do not go together'],
    [
      'a number that is not in the words',
      ['Keep backups', 'must', 'backup.age >= 2 years'],
      'cannot be read in the words',
    ],
    ['a place that is none', ['Keep', '3'], 'a number from 1 to 2'],
    ['neither yes nor no', [...CLAIM, ...END, 'maybe'], 'yes or no'],
    ['a reading without claims', ['', ''], 'at least one claim'],
  ])('%s', async (_name, lines, said) => {
    const dialogue = typing(...lines);
    await proposeByHand(bodyOf(), dialogue);
    expect(dialogue.shown.join('\n')).toContain(said);
    expect(dialogue.asked.at(-1)).toBe(dialogue.asked.at(said.includes('at least one') ? 0 : -2));
  });

  it('words that are too long for a quote', async () => {
    const long = `The list is ${'long '.repeat(60)}indeed.`;
    const dialogue = typing('The list ... indeed');
    await proposeByHand(bodyOf(1, long), dialogue);
    expect(dialogue.shown.join('\n')).toContain('more than 240 characters');
  });
});

describe('taking back and giving up', () => {
  it(':undo takes back the claim begun, then the last one', async () => {
    const [reading] = await readingsBy(
      ...CLAIM,
      'Keep backups',
      'must',
      ':undo',
      ':undo',
      'friendly',
      'should',
      '',
      '',
      '',
      '',
      ...END,
      'yes',
    );
    expect(reading?.commits.map(({ modality }) => modality)).toEqual(['should']);
  });

  it(':undo takes back an assumption, and nothing where there is nothing', async () => {
    const [reading] = await readingsBy(':undo', ...CLAIM, '', 'Wrong.', ':undo', 'Right.', '', '', '', 'yes');
    expect(reading?.assumptions).toEqual(['Right.']);
  });

  it.each([
    ['input_ended', CLAIM],
    ['quit', [...CLAIM, ':quit']],
    ['not_confirmed', [...CLAIM, ...END, 'no']],
  ])('%s: a final failure, no reading', async (code, lines) => {
    const answer: HumanAnswer = await proposeByHand(bodyOf(), typing(...lines));
    expect(answer).toEqual({ value: null, failure: { code: 'denied', final: true, detail: { code } } });
  });

  it('the dialogue is a pure decider: the same line from the same place gives the same', () => {
    const { session } = openSession(bodyOf());
    expect(reply(session, 'Keep backups')).toEqual(reply(session, 'Keep backups'));
    expect(session.claims).toEqual([]);
  });
});

describe('as a port', () => {
  const request: Request = {
    id: '1.0',
    kind: 'interpretations',
    body: bodyOf(defaultPolicy.max_interpretations) as unknown as Json,
    accepts: ['human'],
    attempts: 2,
  };

  it('speaks as a person; the same call is not asked twice', async () => {
    const dialogue = typing(...CLAIM, ...END, 'no', 'yes');
    const port = humanPort(dialogue);
    expect([port.source, port.proposer]).toEqual(['human', HUMAN_PROPOSER]);
    const call = { key: 'k', signal: new AbortController().signal };
    const answer = await port.perform(request, call);
    expect(answer).toMatchObject({ value: [{ name: 'by-hand' }] });
    expect(await port.perform(request, call)).toEqual(answer);
    expect(await port.perform(request, { ...call, key: 'again' })).toMatchObject({
      failure: { code: 'denied', final: true },
    });
  });
});
