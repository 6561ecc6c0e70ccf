/** The world `cold-start` by its recording: what its README tells, and the same bytes however often it is stopped. */
import { readFileSync } from 'node:fs';
import { drive, memoryStore } from '@assay/host';
import { orThrow, type EvidenceRecord, type Json } from '@assay/kernel';
import { expect, it } from 'vitest';
import { ecologyMachine, resolveConfig } from '../src/index.js';
import { openPorts, parseMindRecording, watchWorld } from '../src/shell/index.js';
import { getAccount } from '../src/world/state.js';
import { freshEngine } from '../tools/engine.js';
import { PLAIN } from '../tools/world.js';

const read = (name: string): Json =>
  JSON.parse(
    readFileSync(new URL(`../../../examples/worlds/cold-start/${name}`, import.meta.url), 'utf8'),
  ) as Json;

/** Plays the recording, some answers a drive. */
async function play(steps: number) {
  const { config, artifacts } = read('world.json') as unknown as {
    config: Json;
    artifacts: readonly object[];
  };
  const recording = orThrow(parseMindRecording(read('recording.json')));
  const engine = freshEngine();
  const given = artifacts.map((one) => ({ ...PLAIN, ...one }));
  const genesis = {
    run_id: 'cold',
    ts_base: 'T',
    policy: orThrow(resolveConfig(config)),
    input: { artifacts: given },
  };
  const store = memoryStore();
  const records: EvidenceRecord[] = [];
  for (let start: unknown = { ...genesis, engine: engine.id }; ; start = 'cold') {
    const before = records.length;
    const watched = watchWorld(ecologyMachine(engine));
    const { end, run } = orThrow(
      await drive(watched.machine, start as never, {
        store,
        steps,
        ports: openPorts({ watched, recording }),
        onEvent: (event) => {
          if (event.type === 'append') records.push(...event.records);
        },
      }),
    );
    if (records.length === before) return { end, state: run.state, records };
  }
}

it('tells who made what, who was paid, who is broke; nothing in it is said to be of a model', async () => {
  const { end, state, records } = await play(1_000);
  expect(end).toBe('waiting');
  const scrip = ['ada', 'ben', 'cleo', 'dora'].map((id) => getAccount(state, id).amounts.scrip);
  expect(scrip).toEqual([68_600, 98_900, 0, 42_000]);
  expect(state.minted.sorted()).toEqual([['mint', 15_500]]);
  expect(state.calls.get('ben.0')?.ended?.result).toBe('zansetsu (lingering snow)');
  const codes = records.flatMap(({ kind, payload }) =>
    kind === 'decision'
      ? [...JSON.stringify(payload).matchAll(/"c":"([A-Z_]+)"/g)].map(([, code]) => code)
      : [],
  );
  expect(codes).toEqual(['ACCESS_DENIED', 'INSUFFICIENT_FUNDS', 'INSUFFICIENT_FUNDS']);
  const sources = records.flatMap(({ kind, payload }) =>
    kind === 'proposal' ? [(payload as { source: string }).source] : [],
  );
  expect(new Set(sources)).toEqual(new Set(['synthetic']));
});

it('is the same to the byte however often it is taken up again', async () => {
  const [whole, pieces] = [await play(1_000), await play(7)];
  expect(pieces.records.at(-1)?.record_hash).toBe(whole.records.at(-1)?.record_hash);
});
