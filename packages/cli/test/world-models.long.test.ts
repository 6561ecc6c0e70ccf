/** Worlds whose minds are a model's server: what it says is decided on, prose and strangers' actions are charged. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { scripted, type Scripted, type Step } from '../../models/test/tools/scripted-server.ts';
import { hasLoopback } from '../../../test/lib/loopback.ts';
import { argv, temporaryFolder } from './lib/assay.ts';
import { calledWith, envOf, named } from './lib/models.ts';

const folder = join(temporaryFolder(), 'models');
const servers: Scripted[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

const transfer = {
  op: 'invoke',
  id: 'genesis_ledger_api',
  method: 'transfer',
  args: { to: 'bob', amount: 1_000 },
};
const begin = {
  op: 'invoke',
  id: 'genesis_calls_api',
  method: 'begin',
  args: { target: 'oracle', body: 'a season word, please', max_output: 50 },
};
const sleep = { op: 'invoke', id: 'genesis_agents_api', method: 'sleep', args: { for_us: 3_600_000_000 } };
const says = (value: object): Step => ({ text: JSON.stringify(value), usage: { input: 200, output: 20 } });

async function live(name: string, step: (asked: string, call: number) => Step, ...more: readonly string[]) {
  mkdirSync(join(folder, name), { recursive: true });
  const server = await scripted('compatible', (call, { body }) => step(JSON.stringify(body), call));
  servers.push(server);
  const world = join(folder, name, 'world.json');
  const config = {
    agents: { initial: ['ann', 'bob'], mind: 'asked', crash: { base_us: 1, max: 2 } },
    resources: { llm_rate_per_min: 50_000 },
  };
  writeFileSync(
    world,
    JSON.stringify({ config, artifacts: [{ id: 'oracle', content: { model: 'small' } }] }),
  );
  const out = join(folder, name, 'out');
  const mind = named('compatible', server.url);
  const ended = await calledWith(
    envOf(server.url),
    ...argv`world run ${world} --mind ${mind} --until 8s -o ${out}`,
    ...more,
  );
  const records = readFileSync(join(out, 'run.ledger.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly payload: Payload });
  const decided = JSON.stringify(records.filter(({ kind }) => kind === 'decision'));
  return {
    ended,
    server,
    text: JSON.stringify(records),
    decided,
    said: records.filter(({ kind }) => kind === 'proposal'),
  };
}
type Payload = {
  readonly failure: { readonly code: string; readonly final: boolean } | null;
  readonly source: string;
  readonly provenance: { readonly seen_decision?: number };
};

it.skipIf(!hasLoopback)(
  'acts, calls a model that is an artifact, and sleeps',
  { timeout: 60_000 },
  async () => {
    const { ended, text, decided, said } = await live('acts', (asked) => {
      if (asked.includes('a season word, please')) return says({ text: 'lingering snow' });
      const isAnn = asked.includes('\\"id\\":\\"ann\\"');
      return says({
        actions: isAnn && !asked.includes('\\"call\\":\\"ann.0\\"') ? [transfer, begin] : [sleep],
      });
    });
    expect(ended.code).toBe(0);
    expect(text).toContain('lingering snow');
    // The model's own words stand where they are evidence of it; no request and no event holds them.
    expect(decided).not.toContain('a season word, please');
    expect(text).toContain('"t":"slept"');
    const acts = said.filter(({ payload }) => payload.source === 'live_model');
    expect(acts.length).toBeGreaterThanOrEqual(4);
    expect(acts.some(({ payload }) => typeof payload.provenance.seen_decision === 'number')).toBe(true);
  },
);

it.skipIf(!hasLoopback)(
  'prose, and what acts for somebody else, is final, charged and freezes',
  { timeout: 60_000 },
  async () => {
    const { text, said } = await live('prose', (asked) =>
      asked.includes('\\"id\\":\\"ann\\"')
        ? { text: 'I would rather talk.', usage: { input: 200, output: 20 } }
        : says({ agent: 'ann', actions: [transfer] }),
    );
    const failures = said.flatMap(({ payload }) => (payload.failure === null ? [] : [payload.failure]));
    expect(failures.length).toBeGreaterThanOrEqual(4);
    expect(failures.every(({ code, final }) => code === 'malformed' && final)).toBe(true);
    expect(text.match(/"t":"froze","y":"crash_loop"/g)).toHaveLength(2);
    expect(text).not.toContain('"t":"did"');
  },
);

it.skipIf(!hasLoopback)('stops where the budget would be passed', { timeout: 60_000 }, async () => {
  const { ended, server, said } = await live(
    'budget',
    () => says({ actions: [transfer] }),
    ...argv`--budget output_tokens=33500`,
  );
  expect(server.received.length).toBeLessThan(60);
  const spent = said.reduce(
    (sum, { payload }) =>
      sum + ((payload as never as { spent: { output_tokens?: number } }).spent.output_tokens ?? 0),
    0,
  );
  expect(spent).toBeLessThanOrEqual(33_500);
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/budget/i);
});
