/**
 * A memory as the command knows it: what a person may tell it, and who words the rules it decides on.
 *
 * @module
 */
import type { Json } from '@assay/kernel';
import { LOCAL, memory } from '@assay/controller/memory';
import { distilPort, nowAfter } from '@assay/controller/memory-shell';
import { shownModel } from '../options/llm.js';
import { misuse, badValue } from '../problems/problem.js';
import type { Rest, Shell, Words } from '../start/kit.js';
import { liveDrive, modelOptions } from '../start/model-failures.js';
import { textIn, valueIn } from '../terminal/shown.js';

/** Rules that are worded at once. */
const CONCURRENCY = 4;

const clockIn = (state: Parameters<typeof valueIn>[0]): number => Number(valueIn(state, 'clock_us'));

const MOMENT: Words = {
  usage: 'now, or a DATE such as 2026-11-22',
  form: /^(?:now|(?<at>[0-9]\S*))$/,
  value: ({ at }, _, state) => ({ at_us: tellingMoment(at, clockIn(state)) }),
};

/** The clock of a memory never goes back, so no answer may lie far ahead of now. */
const check = (value: Json, state: Json): void => {
  const at_us = valueIn(value, 'at_us');
  if (typeof at_us === 'number') tellingMoment(String(at_us), clockIn(state));
};

/** Memories, which tasks share. */
export const memoryKit: Shell = {
  machine: memory,
  answers: {
    dream: { check, asks: () => 'promote, demote and fade what is due', words: [MOMENT] },
    end: { check, asks: () => 'close this memory for good', words: [MOMENT] },
    forget: {
      check,
      asks: () => 'forget a tag, or one of its Megrams; the ledger keeps the reason',
      words: [
        {
          usage: 'SPACE [ENTITY [ID]]: REASON, such as "tool:shell path:/etc: that was another machine"',
          // Something of the reason is seen: spaces, line ends and marks of no width say none.
          form: /^(?<space>\S+)(?: (?<entity>\S+)(?: (?<id>[0-9a-f]{64}))?)?: (?<why>.*[^\p{C}\p{Z}\s].*)$/su,
          value: ({ space = '', entity = LOCAL, id = null, why = '' }, _, state) => ({
            ...{ space, entity, id, why },
            at_us: tellingMoment(undefined, clockIn(state)),
          }),
        },
      ],
    },
    distil: {
      asks: (body) => `a rule in words: ${textIn(body, 'polarity')} ${textIn(body, 'space')}`,
      words: [{ usage: 'the rule', form: /^(?<text>[^{].*)$/s, value: ({ text = '' }) => ({ text }) }],
    },
  },
  rest,
};

/** Rules get their words from the evidence, or from the model that is named. Raises `Stop`: those of models. */
async function rest(...[context, flags, journal]: Parameters<NonNullable<Shell['rest']>>): Promise<Rest> {
  const [name = 'rules'] = flags.proposer;
  const of =
    (port: typeof distilPort): Rest['ports'] =>
    ({ kind }) =>
      kind === 'distil' ? port : null;
  if (name === 'rules') return { ports: of(distilPort) };
  if (!name.startsWith('llm:'))
    throw badValue(
      'unknown writer of rules',
      `--proposer ${shownModel(name, context.env)}`,
      'give rules or llm:PROVIDER/MODEL',
    );
  const { modelNamed } = await import('../options/models.js');
  const { portOf, units } = await modelNamed(name, modelOptions(context, flags));
  const { distilTask } = await import('@assay/controller/prompts');
  return {
    ports: of(portOf([distilTask])),
    live: liveDrive({ units: new Set(units), slots: CONCURRENCY, journal, flags }),
  };
}

/**
 * The moment that is named: whole microseconds since 1970, or a date such as 2026-11-22 or
 * 2026-11-22T10:00:00Z. Raises `Stop`: `at`.
 */
export function parseMoment(text: string): number {
  const us = /^[0-9]{1,16}$/.test(text)
    ? Number(text)
    : /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+Z)?$/.test(text)
      ? Date.parse(text) * 1_000
      : Number.NaN;
  if (Number.isSafeInteger(us) && us >= 0) return us;
  throw badValue(
    'not a valid date or time',
    text,
    'give 2026-11-22, 2026-11-22T10:00:00Z or whole microseconds since 1970',
  );
}

/**
 * Furthest that a telling may lie ahead of now, and of what is recorded: a day. A memory's clock never goes
 * back, so a slip of a year would stay.
 */
const AHEAD_US_MAX = 86_400_000_000;

/**
 * When a memory is told something: the moment that is named, else now. `clock_us`: its own clock. Raises
 * `Stop`: `bad_value`, `at_ahead`.
 */
function tellingMoment(at: string | undefined, clock_us: number): number {
  const now_us = nowAfter(clock_us);
  if (at === undefined) return now_us;
  const at_us = parseMoment(at);
  if (at_us - now_us > AHEAD_US_MAX)
    throw misuse(
      'at_ahead',
      `this is more than a day after ${dated(now_us)}, and the clock of a memory never goes back; nothing was changed`,
      at,
      'say now to use the current time',
    );
  return at_us;
}

/** A moment for a person. */
export function dated(us: number): string {
  return new Date(us / 1_000).toISOString().replace('.000Z', 'Z');
}
