/**
 * `assay world sweep`: one world under several settings, with the same seeds in each: what differs, and how surely.
 *
 * @module
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '@assay/kernel';
import { resolveConfig, type Config } from '@assay/ecology';
import { makeDraw } from '@assay/ecology/shell';
import { mean, quantileSorted, sampleWithReplacement } from 'simple-statistics';
import type { Context } from '../../call/output.js';
import { writeNew } from '../../files/write.js';
import { makeThreads, threadsIn } from '../../files/threads.js';
import { openedUnder } from '../../options/settings.js';
import { EXIT, type ExitCode, badValue } from '../../problems/problem.js';
import { padded, show, styled } from '../../terminal/shown.js';
import { readCast } from './run.js';
import type { ArmTask, Measures } from './sweep-thread.js';
import { readWorld, type World } from './world-file.js';

type SweepFlags = {
  readonly seeds: string;
  readonly vary: readonly string[];
  readonly output: string;
  readonly mind?: string;
  readonly measure?: string;
};

type Varied = { readonly key: string; readonly values: readonly string[] };

/** A setting of all that is varied, and what each seed came to. */
type Arm = {
  readonly setting: readonly string[];
  readonly task: Omit<ArmTask, 'seed' | 'keep'>;
  measures: Measures[];
};

/** The difference that one value makes against the first of its key, everything else alike. */
export type Difference = {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly others: readonly string[];
  readonly measure: string;
  readonly mean: number;
  /** 95 %, by resampling seeds. */
  readonly interval: readonly [number, number];
  /** False where under one of both settings it pays to bid something else than the truth. */
  readonly isTruthful: boolean;
  /** The rules that are the reason, of either setting. */
  readonly untruthful: readonly string[];
};

const SEEDS_MAX = 10_000;
const ARMS_MAX = 64;

/** Plays every setting with every seed, writes `sweep.json` and the worst and best ledger. Raises `Stop`. */
export async function sweep({ output, env }: Context, path: string, flags: SweepFlags): Promise<ExitCode> {
  const seeds = readSeeds(flags.seeds);
  const varied = flags.vary.map(readVaried);
  const keys = varied.map(({ key }) => key);
  if (varied.length === 0 || new Set(keys).size < keys.length)
    throw badValue('name what is varied, each once', '--vary', 'give such as --vary mint.slots=1,2');
  const world = await readWorld(path);
  const cast = await readCast(flags.mind ?? world.minds, path);
  const settings = varied.reduce<readonly (readonly string[])[]>(
    (all, { values }) => all.flatMap((one) => values.map((value) => [...one, value])),
    [[]],
  );
  if (settings.length > ARMS_MAX)
    throw badValue(`${settings.length} settings`, '--vary', `give at most ${ARMS_MAX}`);
  const arms: Arm[] = [];
  for (const setting of settings)
    arms.push({
      setting,
      task: {
        ...(await applySetting(world, keys, setting)),
        minds: cast.path,
        isEngineNeeded: world.isEngineNeeded,
        end_us: world.end_us ?? 3_600_000_000,
      },
      measures: [],
    });
  mkdirSync(flags.output, { recursive: true });
  const plan = `${settings.length} settings, ${seeds.length} seeds each`;
  const live = output.live(
    (done: number) => show`${done} of ${settings.length * seeds.length} worlds played: ${plan}`,
  );
  const threads = makeThreads<ArmTask, Measures>(threadsIn(env) ?? availableParallelism(), 'sweep', null);
  const began = performance.now();
  try {
    const tasks = arms.flatMap((arm) => seeds.map((seed, at) => ({ arm, at, seed })));
    let next = 0;
    let done = 0;
    await Promise.all(
      threads.asks.map(async (ask) => {
        for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) {
          task.arm.measures[task.at] = await ask({ ...task.arm.task, seed: task.seed, keep: null });
          done += 1;
          live.show(done);
        }
      }),
    );
    live.end();
    const measure = chooseMeasure(flags.measure, arms, keys);
    const [ask] = threads.asks;
    const kept = ask === undefined ? [] : await keepExtremes(ask, arms, seeds, measure, flags.output);
    const differences = compareArms(varied, arms);
    const document = {
      world: path,
      seeds: flags.seeds,
      seconds: Math.round((performance.now() - began) / 100) / 10,
      measure,
      arms: arms.map(({ setting, task, measures }) => ({
        setting: Object.fromEntries(keys.map((key, at) => [key, setting[at] ?? ''])),
        truthful: listUntruthful(task.policy).length === 0,
        means: Object.fromEntries(
          Object.keys(measures[0] ?? {}).map((name) => [
            name,
            round(mean(measures.map((one) => one[name] ?? 0))),
          ]),
        ),
      })),
      differences,
      kept,
    };
    await writeNew([
      {
        path: join(flags.output, 'sweep.json'),
        bytes: new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`),
      },
    ]);
    tell(
      output,
      differences.filter((one) => one.measure === measure),
      measure,
      seeds.length,
    );
    for (const file of kept) output.line(show`kept        ${file}`);
    output.line(show`written     ${join(flags.output, 'sweep.json')}   ${document.seconds} s`);
    output.document(document);
    return EXIT.done;
  } finally {
    live.end();
    threads.end();
  }
}

function readSeeds(text: string): readonly number[] {
  const [, from = '', to = ''] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? [];
  const count = Number(to) - Number(from) + 1;
  if (from === '' || count < 2 || count > SEEDS_MAX)
    throw badValue(
      `a set of seeds is FROM..TO, 2 to ${SEEDS_MAX} of them`,
      `--seeds ${text}`,
      'give such as 1..200',
    );
  return Array.from({ length: count }, (_, at) => Number(from) + at);
}

function readVaried(text: string): Varied {
  const [, key = '', list = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  const values = list.split(',');
  if (key === '' || values.length < 2 || new Set(values).size < values.length || values.includes(''))
    throw badValue('two different values at least', `--vary ${text}`, 'give such as --vary mint.slots=1,2');
  return { key, values };
}

/** Policy and input under a setting. A key is a path as of --set, or `ID.content.PATH` of an artifact. */
async function applySetting(
  { policy, input }: World,
  keys: readonly string[],
  setting: readonly string[],
): Promise<{ readonly policy: JsonObject; readonly input: JsonObject }> {
  let artifacts = (input as { readonly artifacts: readonly JsonObject[] }).artifacts;
  const set: string[] = [];
  for (const [at, key] of keys.entries()) {
    const [, id, place = ''] = /^(.+?)\.content\.(.+)$/.exec(key) ?? [];
    const value = setting[at] ?? '';
    if (!artifacts.some((one) => one['id'] === id)) set.push(`${key}=${value}`);
    else
      artifacts = artifacts.map((one) =>
        one['id'] === id
          ? { ...one, content: setInside(one['content'] ?? null, place.split('.'), value) }
          : one,
      );
  }
  const whole = { policy: policy as JsonObject, input: { artifacts } as unknown as JsonObject };
  const opened = await openedUnder(whole, set);
  const resolved = resolveConfig(opened.policy);
  if (resolved._tag === 'Right') return { ...opened, policy: resolved.right as unknown as JsonObject };
  throw badValue(
    `not a setting of this world: ${JSON.stringify(resolved.left.detail)}`,
    '--vary',
    'see docs/formats/ecology.md',
  );
}

function setInside(content: Json, [key = '', ...rest]: readonly string[], value: string): Json {
  const inner = isObject(content) ? content : {};
  return {
    ...inner,
    [key]: rest.length === 0 ? parseValue(value) : setInside(inner[key] ?? null, rest, value),
  };
}

function parseValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** What is told first: what is named, the scrip of the agent whose content is varied, or what was minted. */
function chooseMeasure(given: string | undefined, arms: readonly Arm[], keys: readonly string[]): string {
  const names = Object.keys(arms[0]?.measures[0] ?? {});
  if (given !== undefined && !names.includes(given))
    throw badValue('no such measure', `--measure ${given}`, `give one of ${names.join(', ')}`);
  const own = keys.map((key) => `scrip.${key.split('.content.')[0]}`).find((name) => names.includes(name));
  return given ?? own ?? 'minted';
}

/** Rules under which a bidder gains by another bid than what it expects: other auctions, an equal share of the pot. */
function listUntruthful(policy: JsonObject): readonly string[] {
  const { mint } = policy as unknown as Config;
  return [
    ...(mint.auction === 'uniform' ? [] : [`mint.auction=${mint.auction}`]),
    ...(mint.ubi.split === 'bid_independent' ? [] : [`mint.ubi.split=${mint.ubi.split}`]),
  ];
}

function compareArms(varied: readonly Varied[], arms: readonly Arm[]): readonly Difference[] {
  return arms.flatMap((arm) =>
    varied.flatMap(({ key, values }, at) => {
      const [from = ''] = values;
      const to = arm.setting[at] ?? '';
      const base = arms.find(({ setting }) =>
        setting.every((value, k) => value === (k === at ? from : arm.setting[k])),
      );
      if (base === undefined || to === from) return [];
      const rules = [base, arm].flatMap(({ task }) => listUntruthful(task.policy));
      const others = varied.flatMap((other, k) => (k === at ? [] : [`${other.key}=${arm.setting[k] ?? ''}`]));
      return Object.keys(arm.measures[0] ?? {}).map((measure): Difference => {
        const pairs = arm.measures.map(
          (one, seed) => (one[measure] ?? 0) - (base.measures[seed]?.[measure] ?? 0),
        );
        return {
          ...{ key, from, to, others, measure },
          mean: round(mean(pairs)),
          interval: resample(pairs),
          isTruthful: rules.length === 0,
          untruthful: [...new Set(rules)],
        };
      });
    }),
  );
}

const RESAMPLES = 1_000;

/** The 95 % interval of a mean, by resampling under one seed for all. */
function resample(values: readonly number[]): readonly [number, number] {
  if (values.every((value) => value === values[0])) return [round(values[0] ?? 0), round(values[0] ?? 0)];
  const draw = makeDraw('sweep', 'resample');
  const random = (): number => draw(2 ** 32) / 2 ** 32;
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(sampleWithReplacement([...values], values.length, random)),
  );
  means.sort((one, other) => one - other);
  return [round(quantileSorted(means, 0.025)), round(quantileSorted(means, 0.975))];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Plays the worst and the best seed of all again, and keeps their ledgers. */
async function keepExtremes(
  ask: (task: ArmTask) => Promise<Measures>,
  arms: readonly Arm[],
  seeds: readonly number[],
  measure: string,
  folder: string,
): Promise<readonly string[]> {
  const all = arms.flatMap((arm, at) =>
    arm.measures.map((one, k) => ({ arm, at, seed: seeds[k] ?? 0, value: one[measure] ?? 0 })),
  );
  all.sort((one, other) => one.value - other.value);
  const kept: string[] = [];
  for (const [name, found] of [
    ['worst', all[0]],
    ['best', all.at(-1)],
  ] as const) {
    if (found === undefined) continue;
    const keep = join(folder, `${name}-arm${found.at + 1}-seed${found.seed}`);
    await ask({ ...found.arm.task, seed: found.seed, keep });
    kept.push(join(keep, 'run.ledger.jsonl'));
  }
  return kept;
}

function tell(output: Context['output'], rows: readonly Difference[], measure: string, seeds: number): void {
  const [unit, format] =
    measure === 'gini_ppm'
      ? ['%', (n: number) => (n / 10_000).toFixed(1)]
      : ['scrip', (n: number) => (n / 1_000).toFixed(3)];
  output.line(show`${measure}: mean difference over ${seeds} seeds in ${unit}, 95 % interval`);
  for (const { key, from, to, others, mean: middle, interval, untruthful } of rows) {
    const [low, high] = interval;
    const sign = low > 0 ? styled('good', show`more`) : high < 0 ? styled('bad', show`less`) : show`same`;
    const label = untruthful.length === 0 ? '' : `   not truthful: ${untruthful.join(', ')}`;
    const what = padded(show`${key}: ${from} → ${to}`, 42);
    output.line(
      show`${what} ${sign} ${padded(show`${format(middle)} [${format(low)}, ${format(high)}]`, 28)} ${others.join(', ')}${label}`,
    );
  }
}
