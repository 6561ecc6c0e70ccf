/**
 * Sentences of the patterns by chance, from a seed, each with its demands. Rows of the table are the patterns;
 * `{slots}` are filled from the lists below.
 *
 * @module
 */
import { parseSentences } from './sentences.mjs';

const list = (text) => text.split('|');
const THINGS = list(
  'The server|Each driver|A visitor|Every invoice|The night nurse|Payments|The red and the blue lamp|' +
    'Our shop|Members|The p99 latency|All records|The front door|The nurse on duty|Guests and staff|It|You',
);
const ACTS = list(
  'send a receipt to the buyer|close the gate|record the weight of the box|be encrypted|show the total and the tax|' +
    'sign the form|name the user who made the change|keep the keys in a box|show the text "at most 5 MB"|' +
    'print the date, the price and the seat',
);
const BARE = list('store card numbers|enter the vault|be left open|print the full address|use the old key');
const ORDERS = list(
  'Send a receipt|Close the gate|Record the weight|Sign the form|Print the date and the price',
);
const NOUNS = list('guest|driver under contract|member|new user');
const AMOUNTS = list(
  '5 s=5 s|300 ms=300 ms|20 MB=20 MB|1,200 EUR=1200 EUR|2 working days=2 working_day|7 days=7 d|1.5 kg=1.5 kg|' +
    '40 %=40 %|twelve hours=12 h|-5 °C=-5 degC|500 requests per second=500 req/s|80 EUR per month=80 EUR/month|' +
    '3 guests=3 guest',
);
const SPANS = list('5 s=5 s|300 ms=300 ms|2 working days=2 working_day|7 days=7 d|twelve hours=12 h');
const DATES = list(
  '1 March 2027=2027-03-01 date|2028-10-31=2028-10-31 date|18:30=18:30 clock|31 December 2029=2029-12-31 date',
);
const CONDITIONS = list(
  'the door is open|the user is not logged in|a payment over 50 EUR fails|nobody is in the room|it rains|' +
    'the pump, the valve or the lamp stops|the order is older than 30 days|the pump or the valve stops|a guard waves',
);
const SAID = list(
  'at most=<=|no more than=<=|a maximum of=<=|at least=>=|no less than=>=|a minimum of=>=|exactly==',
);
const STRICT = list('under=<|below=<|less than=<|over=>|above=>|more than=>');
const OPPOSITE = { '<': '>=', '>': '<=' };
const LEADS = list('If|When|While|Where|Whenever|Once|As long as');
const TRAILS = list('if|when|while|whenever|once|as long as');

/** A sequence of numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `count` sentences from a seed, as the sets have them. */
export function generateSentences(count, seed = 20_260_101) {
  const random = randomFrom(seed);
  const pick = (values) => values[Math.floor(random() * values.length)];
  const pair = (values) => /^(.*?)=(.*)$/.exec(pick(values)).slice(1);
  const low = (text) => text.charAt(0).toLowerCase() + text.slice(1);
  const force = () => pick(['must', 'shall', 'should']);
  const modal = (word) => (word === 'shall' ? 'must' : word);

  /** One clause with its demands: patterns 1 to 16. */
  const clauses = [
    (thing, act = pick(ACTS), word = force()) => [`${thing} ${word} ${act}`, [`${modal(word)} «${act}»`]],
    (thing, act = pick(BARE)) => [
      `${thing} ${pick(['must not', 'shall not', 'must never'])} ${act}`,
      [`must_not «${act}»`],
    ],
    (thing, act = pick(ACTS)) => [`${thing} ${pick(['may', 'need not'])} ${act}`, [`may «${act}»`]],
    (_thing, act = pick(BARE)) => [
      `${pick([`No ${pick(NOUNS)}`, 'Nobody'])} may ${act}`,
      [`must_not «${act}»`],
    ],
    (_thing, act = pick(BARE)) => [`Only ${pick(NOUNS)}s may ${act}`, [`must «${act}» || may «${act}»`]],
    (thing, word = force(), [amount, is] = pair(AMOUNTS), [said, op] = pair(SAID)) => [
      `${thing} ${word} ${pick(['take', 'need', 'use', 'cost', 'last', 'weigh', 'hold', 'reach'])} ${said} ${amount}`,
      [`${modal(word)} ${op} ${is}`],
    ],
    (thing, word = force(), [amount, is] = pair(AMOUNTS), [said, op] = pair(STRICT)) => [
      `${thing} ${word} ${pick(['be', 'stay', 'weigh'])} ${said} ${amount}`,
      [`${modal(word)} ${op} ${is}`],
    ],
    (thing, [amount, is] = pair(AMOUNTS)) => [`${thing} must not exceed ${amount}`, [`must <= ${is}`]],
    (thing, [amount, is] = pair(AMOUNTS), [said, op] = pair(['more than=>', 'less than=<'])) => [
      `${thing} must not ${pick(['take', 'need', 'cost', 'last'])} ${said} ${amount}`,
      [`must ${OPPOSITE[op]} ${is}`],
    ],
    (thing, [amount, is] = pair(SPANS)) => [
      `${thing} must ${pick(['answer', 'close the gate', 'be repaired'])} within ${amount}`,
      [`must <= ${is}`],
    ],
    (
      thing,
      [date, is] = pair(DATES),
      [word, op] = pair(['by=<=', 'before=<', 'after=>', 'on==', 'no later than=<=']),
    ) =>
      word === 'on' && is.endsWith('clock')
        ? [`${thing} must start at ${date}`, [`must = ${is}`]]
        : [`${thing} must ${pick(['arrive', 'be finished', 'start'])} ${word} ${date}`, [`must ${op} ${is}`]],
    (thing, [amount, is] = pair(SPANS)) => [
      `${thing} must keep the box ${pick(['for', 'at'])} ${amount}`.replace(' at ', ' for '),
      [`must = ${is}`],
    ],
    (thing) => [`${thing} must hold between 5 and 9 kg`, ['must >= 5 kg', 'must <= 9 kg']],
    (_thing) => [`At least 95 % of ${pick(['letters', 'requests'])} must arrive`, ['must >= 95 %']],
    (_thing) => [`At most 3 trucks may wait at the dock`, ['must <= 3 truck']],
    (_thing) => [
      `${pick(['Orders', 'Payments'])} over 500 EUR must be approved`,
      ['must «be approved» if «over 500 EUR»'],
    ],
    (
      _thing,
      [verdict, word] = pair([
        'required=must',
        'recommended=should',
        'optional=may',
        'allowed=may',
        'not allowed=must_not',
        'forbidden=must_not',
      ]),
    ) => [`${pick(['A signature', 'The old key'])} is ${verdict}`, [`${word} «is ${verdict}»`]],
  ];
  /** Orders, labels: patterns 8, 9, 23. */
  const orders = [
    (_thing, order = pick(ORDERS)) => [order, [`must «${order.slice(1)}»`]],
    (_thing, act = pick(ACTS.slice(0, 3))) => [`Please ${act}`, [`must «${act}»`]],
    (_thing, act = pick(BARE)) => [`${pick(['Do not', 'Never'])} ${act}`, [`must_not «${act}»`]],
  ];
  const label = ([amount, is] = pair(AMOUNTS), [said, op] = pair(SAID)) => [
    `Budget: ${said} ${amount}`,
    [`must ${op} ${is}`],
  ];
  const clause = () => pick(clauses)(pick(THINGS));

  /** Scopes and joints: patterns 18 to 22, 25. */
  function sentence() {
    const kind = random();
    if (kind < 0.05) return label();
    const [text, demands] = random() < 0.15 ? pick(orders)() : clause();
    const isScoped = demands.length > 1 || demands[0].includes(' if ');
    const condition = pick(CONDITIONS);
    const under = (scope) =>
      demands.map((one) =>
        one
          .split(' || ')
          .map((way) => `${way} ${scope} «${condition}»`)
          .join(' || '),
      );
    if (kind < 0.25 && !demands[0].includes(' if ')) {
      const lead = `${pick(LEADS)} ${condition}, ${random() < 0.2 ? 'then ' : ''}${low(text)}`;
      if (random() > 0.3 || demands.length > 1) return [lead, under('if')];
      const act = pick(ACTS);
      return [
        `${lead}, otherwise ${low(pick(THINGS))} must ${act}`,
        [...under('if'), `must «${act}» except «${condition}»`],
      ];
    }
    if (kind < 0.4 && !isScoped) return [`${text} ${pick(TRAILS)} ${condition}`, under('if')];
    if (kind < 0.5 && !isScoped) {
      const trail = `${text}${random() < 0.3 ? ',' : ''} unless ${condition}`;
      if (random() > 0.3) return [trail, under('except')];
      const act = pick(ACTS);
      return [
        `${trail}; in that case ${low(pick(THINGS))} must ${act}`,
        [...under('except'), `must «${act}» if «${condition}»`],
      ];
    }
    if (kind < 0.6 && !isScoped) {
      const [more, others] = clause();
      return [`${text}${pick([', and ', ', but ', '; '])}${low(more)}`, [...demands, ...others]];
    }
    if (kind < 0.65 && !isScoped)
      return [`${text} ${pick(['because of the cash', 'so that the cash is safe'])}`, demands];
    return [text, demands];
  }
  return parseSentences(
    Array.from({ length: count }, () => {
      const [text, demands] = sentence();
      return `${text}. => ${demands.join(' ; ')}`;
    }).join('\n'),
  );
}
