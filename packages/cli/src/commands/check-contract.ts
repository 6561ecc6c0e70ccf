/** `assay check CONTRACT CASES`: a contract against a table of cases, with the fuel of each. */
import { DEFAULT_CONFIG, GLUE, parseCharge, parseVerdict } from '@assay/ecology';
import { admit, field, isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import type { Engine } from '@assay/ecology/sandbox';
import { readJson, shortenName, readText } from '../files/read.js';
import { EXIT, misuse, type ExitCode, type Stop } from '../problems/problem.js';
import { textIn, padded, show, styled } from '../terminal/shown.js';
import type { Context } from '../call/output.js';

/** A case: what is asked, what the contract finds when it asks back, and the verdict that is expected. */
type Case = {
  readonly name: string;
  readonly ask: JsonObject;
  readonly balances: JsonObject;
  /** By id: content, and what else is known of them. */
  readonly artifacts: ReadonlyMap<string, JsonObject>;
  readonly now_us: number;
  readonly expect: JsonObject;
};

type Charge = Exclude<ReturnType<typeof parseCharge>, string>;

type Judged = {
  readonly name: string;
  readonly fuel: number;
  readonly verdict: Json;
  readonly holds: boolean;
};

const FORMAT = 'see docs/formats/ecology.md, "Cases"';
const KEYS = ['name', 'ask', 'balances', 'artifacts', 'now_us', 'expect'];
const QUESTION: JsonObject = {
  artifact_id: 'artifact',
  action: 'read',
  requester_id: 'requester',
  content: null,
  context: { owner: 'owner', creator: 'owner', version: 1, method: null },
};

/**
 * Asks a contract each question and compares what it says. Exit 0 where all cases hold, 1 where one does not or the
 * contract cannot be deployed. Raises `Stop`: `bad_cases`, and those of reading a file.
 */
export async function checkContract({ output }: Context, file: string, casesPath: string): Promise<ExitCode> {
  const code = await readText(file);
  const cases = casesIn(await readJson(casesPath), shortenName(casesPath));
  const engine = await (await import('@assay/ecology/sandbox/node')).nodeEngine();
  const refused = engine.check(GLUE + code, 'check_permission');
  if (refused !== null) {
    const why = 'text' in refused ? `${refused.outcome}: ${refused.text}` : refused.outcome;
    output.document({ contract: shortenName(file), refused: why, cases: [] });
    output.data(show`${shortenName(file)} ${styled('bad', show`cannot be deployed`)}: ${why}`);
    return EXIT.no;
  }
  const judged = cases.map((one) => judge(engine, code, one));
  output.document({ contract: shortenName(file), refused: null, cases: judged });
  for (const { name, fuel, verdict, holds } of judged)
    output.line(
      show`${padded(styled(holds ? 'good' : 'bad', show`${holds ? 'holds' : 'differs'}`), 8)} ${String(fuel).padStart(9)} fuel  ${name}: ${JSON.stringify(verdict)}`,
    );
  const held = judged.filter(({ holds }) => holds).length;
  output.brief(show`${held} of ${judged.length} cases hold`);
  return held === judged.length ? EXIT.done : EXIT.no;
}

function judge(engine: Engine, code: string, one: Case): Judged {
  const { name, ask, expect } = one;
  const charges: Charge[] = [];
  const ended = engine.run({
    source: GLUE + code,
    name: 'check_permission',
    values: JSON.stringify([question(ask)]),
    fuel: DEFAULT_CONFIG.contracts.max_fuel,
    host: (text) => answerTo(JSON.parse(text) as Json, one, charges),
  });
  const verdict =
    ended.outcome === 'value' ? readVerdict(ended.text, charges) : { allowed: false, ended: ended.outcome };
  // Code that broke down refuses too, but nobody meant it to.
  const isMeant = ended.outcome === 'value' || Object.hasOwn(expect, 'ended');
  const holds =
    isMeant && Object.entries(expect).every(([key, wanted]) => isSame(verdict[key] ?? null, wanted));
  return { name, fuel: ended.fuel, verdict, holds };
}

function question(ask: JsonObject): JsonObject {
  const { context } = ask;
  return {
    ...QUESTION,
    ...ask,
    context: {
      ...(QUESTION['context'] as JsonObject),
      ...(isObject(context ?? null) ? (context as JsonObject) : {}),
    },
  };
}

const NOT_THERE = {
  success: false,
  error_code: 'NOT_FOUND',
  error_message: 'there is no such artifact',
  price_paid: 0,
};

/** What a contract may ask, and reads; anything else is not there in a case. */
function answerTo(request: Json, { balances, artifacts, now_us }: Case, charges: Charge[]): string | null {
  if (!isObject(request)) return null;
  const { op } = request;
  const artifact = artifacts.get(textIn(request, 'id'));
  if (op === 'get_artifact_info')
    return JSON.stringify(artifact === undefined ? null : { ...artifact, content: undefined });
  if (op === 'read') {
    const { id = null, version = 1, content = null } = artifact ?? {};
    return JSON.stringify(
      artifact === undefined ? NOT_THERE : { success: true, result: { id, version, content }, price_paid: 0 },
    );
  }
  if (op === 'now') return String(now_us);
  if (op === 'get_balance') return JSON.stringify(field(balances, textIn(request, 'id')) ?? 0);
  if (op !== 'charge') return null;
  const charge = parseCharge(request);
  if (typeof charge !== 'string') charges.push(charge);
  return JSON.stringify(typeof charge !== 'string');
}

function readVerdict(text: string, charged: readonly Charge[]): JsonObject {
  const value = JSON.parse(text) as Json;
  const verdict = parseVerdict(value);
  if (typeof verdict === 'string') return { allowed: false, why: verdict, answer: value };
  const { allowed, reason } = verdict;
  const charges = [...charged, ...verdict.charges].map(
    ({ to, amount, from }): Json => ({
      to,
      amount,
      ...(from === null ? {} : { from }),
    }),
  );
  return {
    allowed,
    ...(reason === '' ? {} : { reason }),
    ...(charges.length === 0 ? {} : { charges }),
  };
}

function isSame(a: Json, b: Json): boolean {
  const [one, other] = [admit(a), admit(b)];
  return one._tag === 'Right' && other._tag === 'Right' && one.right.text === other.right.text;
}

function casesIn(value: Json, place: string): readonly Case[] {
  if (!isArray(value)) throw badCases(place, 'cases are a list');
  return value.map((one, at) => {
    if (!isObject(one)) throw badCases(`${place}/${at}`, 'a case is an object');
    const odd = Object.keys(one).find((key) => !KEYS.includes(key));
    if (odd !== undefined) throw badCases(`${place}/${at}/${odd}`, 'unknown key');
    const { ask = {}, balances = {}, artifacts = [], now_us = 0, expect = null } = one;
    if (!isObject(ask) || !isObject(balances))
      throw badCases(`${place}/${at}`, 'ask and balances are objects');
    if (!Number.isSafeInteger(now_us)) throw badCases(`${place}/${at}/now_us`, 'a time is an integer');
    if (!isObject(expect) || Object.keys(expect).length === 0)
      throw badCases(`${place}/${at}/expect`, 'a case expects something');
    const name = textIn(one, 'name') || `case ${at + 1}`;
    const known = artifactsIn(artifacts, `${place}/${at}/artifacts`);
    return { name, ask, balances, artifacts: known, now_us: Number(now_us), expect };
  });
}

function artifactsIn(listed: Json, place: string): ReadonlyMap<string, JsonObject> {
  if (!isArray(listed)) throw badCases(place, 'artifacts are a list');
  return new Map(
    listed.map((each, at) => {
      if (!isObject(each) || textIn(each, 'id') === '')
        throw badCases(`${place}/${at}`, 'an artifact has an id');
      return [textIn(each, 'id'), { version: 1, ...each }];
    }),
  );
}

function badCases(place: string, why: string): Stop {
  return misuse('bad_cases', why, place, FORMAT);
}
