/**
 * A policy to start with: the least that lets past sessions through, and three rules that most people want. It is
 * tried on the sessions that it was made of. Source: gate/G18.
 *
 * @module
 */
import { compareText, orThrow, type Json } from '@assay/kernel';
import { readField, readText } from '@assay/kernel/shape';
import { isLike, isPlainPath, OPERATORS, testValue } from '../policy/conditions.js';
import { judge, type Called } from '../policy/judge.js';
import { readPolicy, type Policy, type PolicyFile, type RuleFile as Rule } from '../policy/policy.js';
import { groupByTool, type Call, type Session } from './session.js';

/** The three rules that a suggested policy adds, in the order in which they are tried. */
export const WANTED = ['secrets', 'destructive commands', 'mail or push after the web'] as const;
/** A suggested policy, and what it would have said of the calls that it was made of. */
export type Suggestion = {
  readonly policy: PolicyFile;
  readonly allowed: number;
  readonly asked: number;
  readonly refused: readonly (readonly [rule: string, calls: number])[];
};

const COMMANDS = ['command', 'cmd'];
const ADDRESSES = ['url', 'uri'];
const PATHS = ['file_path', 'filename', 'file', 'notebook_path', 'path'];

const SECRETS = ['*.env', '*.env.*', '*.pem', '*id_rsa*', '*id_ed25519*', '*/.ssh/*', '*/.aws/*'];
const KEY_WORDS = ['*.pem*', '*id_rsa*', '*id_ed25519*', '*/.ssh/*', '*/.aws/*'];
const ENV_WORDS = ['* .env*', '*/.env*', '*".env*', "*'.env*", '*@.env*', '*=.env*', '*<.env*'];
/** Files that show how a secret one is written. */
const SAMPLES = ['*.env.example', '*.env.sample', '*.env.template', '*.env.dist'];
const DESTRUCTIVE = [
  ...['rm -rf', 'rm -fr', 'rm -r', 'rm -R', 'git reset --hard', 'git clean', 'git push --force'],
  ...['git push -f', 'dd', 'mkfs', 'shred', 'chmod -R', 'chown -R'],
];
/** The same where the flag stands elsewhere, or the program is called by its path. */
const DESTRUCTIVE_WORDS = [
  ...['*git*push*--force*', '*git*push* -f*', '*git*push* +*', '*git*push*--delete*', '*git*push* :*'],
  ...['*git*reset*--hard*', '*git -* clean*', '*find *-delete*'],
];
/** Flags of `rm` that take folders, alone or behind others. */
const RECURSIVE = [
  ...['', ...'dfiIv', 'fv', 'vf'].flatMap((others) => [` -${others}r*`, ` -${others}R*`]),
  ' --rec*',
];
const PUSH_FLAGS = { like: '*git -* push*' };
const PUSHES = ['git push', 'gh', 'mail', 'sendmail', 'scp', 'rsync', 'npm publish'];
const MAILS = ['*mail*', '*Mail*', '*send_message*', '*post_message*', '*SendMessage*', '*git_push*'];
const WEB_TOOL = /fetch|brows|web|http|crawl|scrape/i;
const WEB_TOOLS = ['*fetch*', '*Fetch*', '*browse*', '*WebSearch*', '*web_search*'];
const WEB_COMMANDS = ['curl *', 'wget *', '* curl *', '* wget *'];

/** Programs of which the second word says what is done. */
const WITH_VERB = /^(?:git|npm|npx|yarn|pnpm|cargo|go|docker|kubectl|gh|pip|uv|make|bun|dotnet|terraform)$/;
/** So many patterns, or exact commands, a rule has at most. */
const PATTERNS_MAX = 8;
const COMMANDS_MAX = 60;
const TEXT_MAX = 1_024;
/** More rules than a person reads, and fewer than a policy may have. */
const RULES_MAX = 900;

/**
 * A policy of these sessions. Each tool is narrowed to the commands, folders or hosts that it was used with where all
 * of its calls allow that; it asks where nothing matches, a rule cannot be judged, or its like was refused once.
 */
export function suggestPolicy(sessions: readonly Session[]): Suggestion {
  const all = sessions.flatMap((session) => session.calls);
  const isRefused = ({ end }: Call): boolean => (end?.by ?? null) !== null;
  const calls = all.filter((call) => !isRefused(call)).map(readCall);
  const deny = listDenied(all.map(readCall));
  const denying = orThrow(readPolicy({ gate: 1, otherwise: 'ask', unjudged: 'ask', deny }));
  const isUndenied = (call: Called): boolean => judge(denying, call, []).verdict !== 'deny';
  const refused = coverCalls('ask', all.filter(isRefused).map(readCall).filter(isUndenied));
  const ask = refused.map((rule) => ({ ...rule, reason: 'was refused in a session' }));
  const asking = orThrow(readPolicy({ gate: 1, ask }));
  const allow = coverCalls(
    'allow',
    calls.filter((call) => isUndenied(call) && judge(asking, call, []).verdict !== 'ask'),
  );
  const policy: PolicyFile = {
    gate: 1,
    otherwise: 'ask',
    unjudged: 'ask',
    allow: allow.map(shortenRule),
    ask: listAsked(ask, allow),
    deny,
  };
  return { policy, ...tryPolicy(orThrow(readPolicy(policy)), sessions) };
}

/** What was refused, and other ways to read the web than those that are allowed, marked as these are. */
function listAsked(refused: readonly Rule[], allow: readonly Rule[]): readonly Rule[] {
  const web = allow.filter(({ marks }) => marks !== undefined);
  if (web.length === 0)
    return [
      ...refused.filter(({ tool }) => !isLike(WEB_TOOLS, String(tool))),
      { id: 'the web', tool: WEB_TOOLS, marks: 'web' },
    ];
  const others = web.flatMap(({ tool, when, marks = 'web' }) => {
    const isTool = typeof tool === 'string' && WEB_TOOL.test(tool);
    const tests = Object.entries(when ?? {}).map(([at, not]) => [
      at,
      isTool ? { not } : { like: WEB_COMMANDS, not },
    ]);
    return when === undefined
      ? []
      : [{ id: `the web: ${String(tool)}`, tool, when: Object.fromEntries(tests) as typeof when, marks }];
  });
  return [...refused, ...others];
}

/** A rule without conditions in short. */
function shortenRule(rule: Rule): Rule | string {
  const { tool } = rule;
  return Object.keys(rule).length === 1 && typeof tool === 'string' && !/[()]/.test(tool) ? tool : rule;
}

/** A call as the rules see it in a ledger. */
function readCall({ tool, principal, input }: Call): Called {
  return { tool, principal, input: input?.json ?? null };
}

function tryPolicy(policy: Policy, sessions: readonly Session[]): Omit<Suggestion, 'policy'> {
  const refused = new Map<string, number>(WANTED.map((name) => [name, 0]));
  let [allowed, asked] = [0, 0];
  for (const { calls } of sessions) {
    const labels = new Map<string, readonly string[]>();
    for (const call of calls.map(readCall)) {
      const own = labels.get(call.principal) ?? [];
      const { verdict, rules, marks } = judge(policy, call, own);
      if (verdict === 'allow') allowed += 1;
      else if (verdict === 'ask') asked += 1;
      const rule = WANTED.find((name) => rules.some(({ id }) => id.startsWith(name))) ?? '';
      if (verdict === 'deny') refused.set(rule, (refused.get(rule) ?? 0) + 1);
      if (verdict !== 'deny') labels.set(call.principal, [...new Set([...own, ...marks])]);
    }
  }
  return { allowed, asked, refused: [...refused] };
}

/** The three rules; that of secrets for each place of a path that the calls have. */
function listDenied(calls: readonly Called[]): readonly Rule[] {
  const places = PATHS.filter((key) => key === 'path' || calls.some(({ input }) => hasText(input, key)));
  const rule = (name: (typeof WANTED)[number], more: string, rest: Omit<Rule, 'id'>): Rule => ({
    ...{ id: more === '' ? name : `${name}: ${more}`, ...rest },
  });
  return [
    ...places.map((key) =>
      rule('secrets', key, { tool: '*', when: { [`/${key}`]: { like: SECRETS, not: { like: SAMPLES } } } }),
    ),
    rule('secrets', 'command', { tool: '*', when: { '/command': { like: KEY_WORDS } } }),
    rule('secrets', '.env', {
      tool: '*',
      when: {
        '/command': {
          like: ENV_WORDS,
          not: { like: SAMPLES.map((sample) => `${sample}*`), not: { like: '*.env*.env*' } },
        },
      },
    }),
    rule('destructive commands', '', { tool: '*', when: { '/command': { command: DESTRUCTIVE } } }),
    rule('destructive commands', 'flags', { tool: '*', when: { '/command': { like: DESTRUCTIVE_WORDS } } }),
    rule('destructive commands', 'rm', {
      tool: '*',
      when: { '/command': { command: 'rm', like: RECURSIVE.map((flag) => `*${flag}`) } },
    }),
    rule('destructive commands', 'rm by another program', {
      tool: '*',
      when: {
        '/command': { like: RECURSIVE.map((flag) => `* rm${flag}`), not: { like: '*git rm *' } },
      },
    }),
    rule('mail or push after the web', 'command', {
      ...{ tool: '*', after: 'web', when: { '/command': { command: PUSHES } } },
    }),
    rule('mail or push after the web', 'flags', {
      tool: '*',
      after: 'web',
      when: { '/command': PUSH_FLAGS },
    }),
    rule('mail or push after the web', 'tool', { tool: MAILS, after: 'web' }),
  ];
}

type Cover = 'allow' | 'ask';

/** The least rules that let all these calls through, or ask about them, tool by tool. */
function coverCalls(effect: Cover, calls: readonly Called[]): readonly Rule[] {
  const tools = [...groupByTool(calls)].toSorted(([a], [b]) => compareText(a, b));
  const narrow = tools.flatMap(([tool, same]) => coverTool(effect, tool, same));
  return narrow.length <= RULES_MAX ? narrow : [{ tool: tools.map(([tool]) => tool) }];
}

/** The same for one tool, as far as they are to be read. */
function coverTool(effect: Cover, tool: string, calls: readonly Called[]): readonly Rule[] {
  const marks: Pick<Rule, 'marks'> = WEB_TOOL.test(tool) ? { marks: 'web' } : {};
  const rules = narrowTool(effect, tool, calls).map((rule) => ({ ...rule, ...marks }));
  const policy = orThrow(readPolicy({ gate: 1, [effect]: rules }));
  const isEnough = rules.length > 0 && calls.every((call) => judge(policy, call, []).verdict === effect);
  return isEnough ? rules : [{ tool, ...marks }, ...rules.filter((rule) => rule.marks !== marks.marks)];
}

function narrowTool(effect: Cover, tool: string, calls: readonly Called[]): readonly Rule[] {
  const read = (keys: readonly string[]): readonly [key: string, texts: readonly string[]] | null => {
    const key = keys.find((each) => calls.every(({ input }) => hasText(input, each)));
    return key === undefined ? null : [key, [...new Set(calls.map(({ input }) => readText(input, key)))]];
  };
  const [commands, addresses, paths] = [COMMANDS, ADDRESSES, PATHS].map(read);
  if (commands) return allowCommands(tool, ...commands);
  if (addresses) {
    const hosts = addresses[1].map((url) => /^https?:\/\/([a-z0-9.-]+)/i.exec(url)?.[1] ?? '');
    const host = [...new Set(hosts.map((name) => name.toLowerCase()))].toSorted(compareText); // ascii
    return host.length <= COMMANDS_MAX && !host.includes('')
      ? [{ tool, when: { [`/${addresses[0]}`]: { host } } }]
      : [];
  }
  // A folder is too much to ask about, for one file in it.
  if (paths && effect === 'ask' && paths[1].length <= COMMANDS_MAX && paths[1].every(isShort))
    return [{ tool, when: { [`/${paths[0]}`]: paths[1] } }];
  const glob = paths ? findFolders(paths[1]) : [];
  return paths && glob.length > 0 ? [{ tool, when: { [`/${paths[0]}`]: { glob } } }] : [];
}

function hasText(input: Json, key: string): boolean {
  return typeof readField(input, key) === 'string';
}

/** Plain commands by their first words, all others as they are; those that read the web apart. */
function allowCommands(tool: string, key: string, commands: readonly string[]): readonly Rule[] {
  const isWeb = (text: string): boolean => testValue({ like: WEB_COMMANDS }, text, 'every') === 'yes';
  return [false, true].flatMap((reads): readonly Rule[] => {
    const own = commands.filter((text) => isWeb(text) === reads);
    const marks = reads ? { marks: 'web' } : {};
    const plain = own.filter((text) => !OPERATORS.test(text) && takeWords(text) !== null);
    const words = [...new Set(plain.map((text) => takeWords(text) ?? ''))].toSorted(compareText);
    const exact = own.filter((text) => !plain.includes(text)).toSorted(compareText);
    if (words.length > COMMANDS_MAX || exact.length > COMMANDS_MAX || !exact.every(isShort))
      return reads ? [{ tool, when: { [`/${key}`]: { like: WEB_COMMANDS } }, ...marks }] : [];
    return [
      ...(words.length === 0 ? [] : [{ tool, when: { [`/${key}`]: { command: words } }, ...marks }]),
      ...(exact.length === 0 ? [] : [{ tool, when: { [`/${key}`]: exact }, ...marks }]),
    ];
  });
}

function isShort(text: string): boolean {
  return text.length <= TEXT_MAX;
}

/** The words that say what a command does; null where they are no plain ones. */
function takeWords(text: string): string | null {
  const [first = '', second = ''] = text.split(' ');
  if (!/^[\w./-]+$/.test(first)) return null;
  return WITH_VERB.test(first) && /^[\w:-]+$/.test(second) ? `${first} ${second}` : first;
}

/** At most so many folders that hold all paths, as patterns; none where paths do not say what they mean. */
function findFolders(paths: readonly string[]): readonly string[] {
  if (!paths.every((path) => path !== '' && isPlainPath(path))) return [];
  let folders = paths.map((path) => (/\.[^/]*$/.test(path) ? path.replace(/\/?[^/]*$/, '') : path));
  for (;;) {
    const own = [...new Set(folders)].toSorted(compareText);
    const kept = own.filter((folder) => !own.some((other) => folder.startsWith(`${other}/`)));
    if (kept.includes('')) return [];
    if (kept.length <= PATTERNS_MAX) return kept.map((folder) => `${folder}/**`);
    const deepest = Math.max(...kept.map((folder) => folder.split('/').length));
    folders = kept.map((folder) =>
      folder.split('/').length === deepest ? folder.slice(0, Math.max(0, folder.lastIndexOf('/'))) : folder,
    );
  }
}
