/** What a run does outside is compared as its outcome is: a request to a tool or a person, gone or made anew. */
import { expect, test } from 'vitest';
import {
  advance,
  field,
  isObject,
  ok,
  openRequests,
  openRun,
  orThrow,
  type Json,
  type Machine,
  type Source,
} from '@assay/kernel';
import type { Account } from '@assay/kernel/view';
import { encodeFile } from '@assay/verifier/attacks';
import { impact, NO_CHANGE, redecider, type Override } from '@assay/verifier/impact';
import { sha256 } from '../tools/runs.ts';

type State = { readonly policy: Json };

const flag = (policy: Json, name: string): Json => (isObject(policy) ? (field(policy, name) ?? null) : null);

const whoMails = (policy: Json): readonly Source[] => [
  'tool',
  ...(flag(policy, 'rule') === true ? (['rule'] as const) : []),
  ...(flag(policy, 'person') === true ? (['human'] as const) : []),
];

const opening = (policy: Json): string => (flag(policy, 'checks') === 'first' ? 'check' : 'ask');

/** Asks a rule, tells somebody by a tool where its policy says so, and ends well either way. */
const mailer: Machine<State, Json, State, Json> = {
  name: 'mailer',
  version: 1,
  open: ({ policy }) =>
    ok({
      state: { policy: null },
      decision: {
        events: [{ policy }],
        asks: [{ kind: opening(policy), body: null, accepts: ['rule', 'human'], attempts: 1 }],
      },
    }),
  parse: (value) => ok(value),
  decide: ({ policy }, { request }) => {
    if (request.kind === 'ask' && flag(policy, 'checks') === 'then')
      return ok({ events: [], asks: [{ kind: 'check', body: null, accepts: ['rule'], attempts: 1 }] });
    const mails = flag(policy, 'mail') === true && request.kind === 'ask';
    return ok(
      mails
        ? {
            events: [],
            asks: [
              {
                kind: 'mail',
                body: flag(policy, 'to') ?? { to: 'ada' },
                accepts: whoMails(policy),
                attempts: 1,
              },
            ],
          }
        : {
            events: [],
            artifacts: { result: { paid: flag(policy, 'pays'), scores: { loser: flag(policy, 'weight') } } },
            outcome: { status: 'success', reasons: [] },
          },
    );
  },
  evolve: (_state, event) => event,
  encode: (state) => state,
  decode: (json) => ok(json as unknown as State),
};

const account: Account = { result: ['/scores'] };
const view = { account } as never;
const machines = [redecider(mailer, { sha256 }, view)];
const rest = { confidence: null, failure: null, at_us: null, spent: {}, cites: [], provenance: {} };

/** A run under this policy, each request answered. */
function recorded(policy: Json): Uint8Array {
  const genesis = { run_id: 'r', ts_base: 't', policy, input: null, base: null, engine: null };
  const opened = orThrow(openRun(mailer, genesis, { sha256 }));
  let { run } = opened;
  const records = [...opened.records];
  for (let [next] = openRequests(run); next !== undefined; [next] = openRequests(run)) {
    const source =
      next.kind === 'ask' || flag(policy, 'by') === 'rule' ? ('rule' as const) : ('tool' as const);
    const step = orThrow(advance(run, { ...rest, request_id: next.id, source, proposer: 'p', value: 1 }));
    ({ run } = step);
    records.push(...step.records);
  }
  return encodeFile(records);
}

function judge(policy: Json, ...overrides: readonly Override[]) {
  return orThrow(impact([recorded(policy)], { machines, change: { ...NO_CHANGE, overrides }, sha256 }));
}

const POLICY = { mail: true, rule: false, person: false, by: 'tool', pays: 10, weight: 3 };
const set = (path: string, value: Json): Override => ({ path, value });

test('a request to a tool that is no longer made flips a run that ends the same', () => {
  expect(judge(POLICY, set('policy.mail', false))).toMatchObject({
    class: 'flipped',
    flip: { turn: { kind: 'effect', name: 'mail', was: { to: 'ada' }, would_be: null } },
  });
});

test('one that is made anew flips it too, though nobody ever answered it', () => {
  expect(judge({ ...POLICY, mail: false }, set('policy.mail', true))).toMatchObject({
    class: 'flipped',
    flip: { turn: { kind: 'effect', was: null, would_be: { to: 'ada' } } },
    unknown: [{ kind: 'mail' }],
  });
});

test('one that is lost flips a run that waits for an answer nobody gave, and what is unknown stays', () => {
  expect(judge({ ...POLICY, checks: null }, set('policy.checks', 'then'))).toMatchObject({
    class: 'flipped',
    flip: { turn: { kind: 'effect', name: 'mail', would_be: null } },
    unknown: [{ kind: 'check' }],
  });
});

test('not one that followed from an answer which the run was not given: it may come later', () => {
  expect(judge({ ...POLICY, checks: null }, set('policy.checks', 'first'))).toMatchObject({
    class: 'cannot_be_known',
    flip: null,
  });
});

test('it is told with the tool that it is for', () => {
  const to = { tool: 'send_email' };
  expect(judge({ ...POLICY, to }, set('policy.mail', false))).toMatchObject({
    flip: { turn: { kind: 'effect', name: 'mail send_email', was: to } },
  });
});

test('one that a rule may answer as well is an effect if a tool answered it; so is who may answer', () => {
  const both = { ...POLICY, rule: true };
  expect(judge(both, set('policy.mail', false))).toMatchObject({ class: 'flipped' });
  expect(judge({ ...both, by: 'rule' }, set('policy.mail', false))).toMatchObject({ class: 'same_end' });
  expect(judge(POLICY, set('policy.person', true))).toMatchObject({
    class: 'flipped',
    flip: { turn: { kind: 'effect', name: 'mail' } },
  });
});

test('what an artifact only tells of the way is the same end; any other figure of it is not', () => {
  expect(judge(POLICY, set('policy.weight', 4))).toMatchObject({ class: 'same_end', flip: null });
  expect(judge(POLICY, set('policy.pays', 11))).toMatchObject({
    class: 'flipped',
    flip: { turn: { kind: 'figures', name: 'result', field: '/paid' } },
  });
});
