/**
 * A deterministic corpus of payloads like those an agent records: eight kinds, nested objects, text with
 * escapes and beyond ASCII, doubles, arrays. The same on every machine: `record.bench.mjs` prints its hash.
 */

const WORDS = (
  'the a of to and request plan budget sensor pump valve record evidence claim graph node ' +
  'retry limit store field answer window model ' +
  ('tool search result order price pressure temperature schedule because within before ' +
    'after every never should must until approved ') +
  ('refused pending "quoted" path\\to\\file line\nbreak tab\tstop naïve façade Zürich 東京 ' +
    'データ проверка θερμό 😀 👩‍🔬 – “so”')
).split(' ');
const NAMES = [
  'search_web',
  'read_file',
  'run_query',
  'send_mail',
  'convert_unit',
  'list_events',
  'fetch_page',
];
const UNITS = ['tokens_in', 'tokens_out', 'ms', 'micro_usd', 'bytes'];

/** `count` payloads as `{kind, payload}`, from a seed. Means: about 1.3 KB of canonical text. */
export function corpus(count, seed = 20_261_122) {
  const random = generator(seed);
  const kinds = Object.keys(KINDS);
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length];
    return { kind, payload: KINDS[kind](random) };
  });
}

const KINDS = {
  message: (random) => ({
    role: random.pick(['user', 'assistant', 'system']),
    content: random.text(40, 340),
    conversation_id: random.hex(32),
    turn: random.integer(400),
    attachments: random.list(0, 3, () => ({
      name: `${random.text(1, 2)}.pdf`,
      bytes: random.integer(4e6),
      sha256: random.hex(64),
    })),
  }),
  tool_call: (random) => ({
    tool: random.pick(NAMES),
    call_id: `call_${random.hex(24)}`,
    arguments: {
      query: random.text(4, 30),
      limit: random.integer(50),
      filters: {
        language: random.pick(['en', 'de', 'ja', null]),
        after: random.stamp(),
        tags: random.list(0, 6, () => random.word()),
      },
      dry_run: random.chance(0.2),
    },
    budget: random.spent(),
    reason: random.text(20, 110),
  }),
  tool_result: (random) => ({
    call_id: `call_${random.hex(24)}`,
    ok: random.chance(0.9),
    exit_code: random.integer(3),
    stdout: random.list(2, 34, () => random.text(3, 14)).join('\n'),
    stderr: random.chance(0.3) ? random.text(5, 30) : '',
    spent: random.spent(),
    started_at: random.stamp(),
  }),
  retrieval: (random) => ({
    index: 'notes-v3',
    query: random.text(4, 12),
    hits: random.list(2, 8, (rank) => ({
      rank,
      id: random.hex(16),
      score: random.double(),
      title: random.text(3, 9),
      snippet: random.text(10, 45),
      url: `https://example.org/${random.hex(10)}?q=${random.integer(1e6)}`,
    })),
    took_ms: random.double() * 40,
  }),
  plan: (random) => ({
    goal: random.text(8, 20),
    steps: random.list(3, 9, (step) => ({
      id: `s${step}`,
      title: random.text(3, 8),
      after: step === 0 ? [] : [`s${random.integer(step)}`],
      minutes: random.integer(240),
      owner: random.pick(['agent', 'person', null]),
    })),
    assumptions: random.list(0, 4, () => random.text(6, 16)),
    version: random.integer(20),
  }),
  measurement: (random) => ({
    sensor: {
      id: `pump-${random.integer(90)}`,
      site: random.pick(['Zürich', '東京', 'Århus', 'Austin']),
      unit: 'kPa',
    },
    at_us: 1_760_000_000_000_000 + random.integer(1e9),
    samples: random.list(8, 64, () => Math.round(random.double() * 1e6) / 1e3),
    mean: random.double() * 100,
    drift: random.double() * 1e-7,
    quality: { valid: random.chance(0.95), gaps: random.integer(4), calibrated: random.stamp() },
    note: random.text(20, 110),
  }),
  verdict: (random) => ({
    claim: { id: random.hex(64), text: random.text(10, 30), kind: random.pick(['fact', 'forecast', 'rule']) },
    evidence: random.list(1, 5, () => ({
      record_hash: random.hex(64),
      weight: random.double(),
      supports: random.chance(0.7),
    })),
    status: random.pick(['held', 'failed', 'not_checked']),
    confidence: random.double(),
    explanation: random.text(20, 160),
  }),
  failure: (random) => ({
    code: random.pick(['timeout', 'unavailable', 'malformed', 'denied']),
    final: random.chance(0.3),
    detail: {
      message:
        `Unexpected token "${random.word()}" at line ${random.integer(900)}\n\tat ` +
        `${random.pick(NAMES)} ` +
        `(C:\\agent\\tools\\${random.hex(6)}.js:${random.integer(300)}:${random.integer(80)})`,
      stack: random.list(
        3,
        16,
        () =>
          `    at ${random.pick(NAMES)} (/srv/agent/${random.hex(12)}.js:${random.integer(900)}:${random.integer(80)})`,
      ),
      retry_after_ms: random.chance(0.5) ? random.integer(60_000) : null,
      request: {
        id: random.hex(32),
        attempt: random.integer(5) + 1,
        headers: {
          accept: 'application/json',
          'x-trace': random.hex(32),
          'content-length': random.integer(9999),
        },
      },
    },
    spent: random.spent(),
  }),
};

/** Choices from a 32-bit xorshift, so that no engine's own generator matters. */
function generator(seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const integer = (below) => next() % below;
  const list = (least, most, make) =>
    Array.from({ length: least + integer(most - least + 1) }, (_, index) => make(index));
  const pick = (options) => options[integer(options.length)];
  const word = () => pick(WORDS);
  const hex = (digits) => list(digits, digits, () => '0123456789abcdef'[integer(16)]).join('');
  return {
    integer,
    list,
    pick,
    word,
    hex,
    double: () => next() / 2 ** 32,
    chance: (share) => next() / 2 ** 32 < share,
    text: (least, most) => list(least, most, word).join(' '),
    stamp: () => {
      const [month, day, hour] = [1 + integer(12), 1 + integer(28), integer(24)].map((part) =>
        String(part).padStart(2, '0'),
      );
      return `2026-${month}-${day}T${hour}:00:00Z`;
    },
    spent: () =>
      Object.fromEntries(UNITS.slice(0, 1 + integer(UNITS.length)).map((unit) => [unit, integer(100_000)])),
  };
}
