/** The verbs that start a run, go on with one, or tell a shared one something. */
import type { Usages, Verb } from './verb.js';

const MODELS: Usages = {
  '--llm <name=value>*':
    'a model parameter: max_output_tokens, temperature, top_p, seed, timeout=SECONDS, prices=FILE; ' +
    'or a limit: budget.output_tokens=N, budget.input_tokens=N, budget.usd_micros=N',
};

const KEPT: Usages = {
  '--set <path=value>*':
    'a field by its path or the end of it (of a plan: limits.depth=3); policy=@FILE for several; run_id=NAME',
  '--store <url>': 'keep the run in a store: file:DIR, sqlite:PATH or postgres://USER@HOST/DATABASE',
  '-o, --output <folder>': 'write run.ledger.jsonl and the results to this folder',
  '--submit': 'queue the run for the workers of the store (see assay work) instead of driving it here',
};

/** What carries the runs of a fleet: the same for all its verbs, so that one line of settings serves them. */
export const ENGINE: Usages = {
  '--engine <name>':
    'what carries the runs of a fleet to its workers: dbos, in the same database, or bullmq:redis://HOST ' +
    '(default: dbos); only work connects to it',
};

/** Where a fleet is. */
const FLEET: Usages = { '--store <url>': 'the store of the fleet: postgres://USER@HOST/DATABASE', ...ENGINE };

/** What a plan is held against. */
const BOUNDS: Usages = {
  '--cap <row=amount>*':
    'another bound, such as cost=500usd, "cost<500usd" or deadline=24h (default: of the plan)',
};

/** How far a world goes, and who lives in it. */
const LIVED: Usages = {
  '--mind <name>':
    'who lives in it: a module of minds (default: minds.mjs of the folder), llm:PROVIDER/MODEL or recorded:FILE',
  '--budget <unit=amount>*': 'of models: stop before more is spent, such as usd_micros=1000000',
  '--until <time>': 'pause at this time of the world, such as 90s, 10m or 2h',
  '--records <count>': 'pause once the ledger holds so many records',
  '--step': 'pause after one step',
  '--inject <file>': 'lines as of world apply, each given at its at_us',
};

/** Verbs of runs. */
export const START: readonly Verb[] = [
  {
    name: 'demo',
    args: { '[text]': 'a request of your own' },
    help: 'decide a sample request, then attack its evidence in three ways',
    load: async () => (await import('../commands/demo.js')).demo,
  },
  {
    name: 'run',
    args: { '[request]': 'a file, - for standard input, or a quoted text' },
    help: 'decide a request and record the evidence',
    options: {
      '--pin <pin>*': 'a fixed fact: key=value, or a JSON file of them',
      '--proposer <name>*': 'who answers: rules, human, recorded:FILE or llm:PROVIDER/MODEL (default: rules)',
      ...KEPT,
      ...MODELS,
    },
    load: async () => (await import('../kits/intent/kit.js')).run,
  },
  {
    name: 'resume',
    args: { '<run>': 'STORE#RUN (STORE if it has one run), or the folder that -o named' },
    help: 'resume a stored run or task',
    options: {
      '--proposer <name>*':
        'who answers: SLOT=NAME for a run; for a task as in task (default: as the run was begun)',
      '--workspace <folder>': 'of a task or a plan: the folder it was begun in',
      '--set <check.name=command>*': 'of a plan: the command of a check, which is never taken from a ledger',
      '--confirm <tool:target>*': 'of a task: allow an action that cannot be undone',
      '--memory <url>': 'of a task: the memory it was begun with',
      '--library <url>': 'of a plan: the library it was begun with',
      '-o, --output <folder>': 'write run.ledger.jsonl and the results to this folder',
      ...LIVED,
      ...MODELS,
    },
    load: async () => (await import('../commands/resume.js')).resume,
  },
  {
    name: 'answer',
    machine: true,
    args: {
      '<run>': 'STORE#RUN, a store with one run, or the folder that -o named',
      '[request]':
        'the id of a request, its kind, such as confirm, hire, dream or forget, or a task of a plan',
      '[answer...]':
        'words such as yes or "no: REASON", JSON, or @FILE; without them what is asked is printed',
    },
    help: 'answer what a run asks a person; tell a memory something',
    options: {
      '--by <name>': 'who answers, as it is recorded (default: your user name)',
      '--store <url>': 'the store of the run, where it is named by its id alone',
      ...ENGINE,
      '--proposer <name>*': 'of a memory: who words new rules, rules or llm:PROVIDER/MODEL (default: rules)',
      ...MODELS,
    },
    after: `
examples
  assay answer out                             what the run asks
  assay answer out confirm "no: keep it"       then go on with assay resume
  assay answer out build "cost 7000 EUR, 5 hours"   what a task of a plan came to
  assay answer file:./memory dream now
  assay answer file:./memory forget "tool:shell: that was another machine"`,
    load: async () => (await import('../commands/answer.js')).answer,
  },
  {
    name: 'task',
    args: { '<task>': 'a file, or what to do: calls, one a line, or words for a model' },
    help: 'do a task in a folder and record the evidence',
    options: {
      '--workspace <folder>': 'the folder to work in; files outside it are not touched',
      '--proposer <name>*':
        'who plays the roles: rules, recorded:FILE or llm:PROVIDER/MODEL; R2=NAME sets one role (default: rules)',
      '--allow <tool>*': 'a tool the task may use (default: every file tool)',
      '--confirm <tool:target>*': 'allow an action that cannot be undone, without asking',
      '--after <ledger>*':
        'an earlier run that the task refers to, for a model that reads it; the latest last',
      '--memory <url>':
        'a memory to read first and update afterwards, such as file:./memory or file:./memory#RUN',
      ...KEPT,
      ...MODELS,
    },
    after: `
examples
  assay task "find *.txt largest | names -> Name; write Name to report.md" --workspace work -o out
  assay task "find *.txt | count -> N; write N to count.txt" --workspace work
  assay task "delete old.txt" --workspace work --confirm remove_file:old.txt
  assay resume out --workspace work --confirm remove_file:old.txt    go on with what waited
Without a model a task is a plan, one call a line; for any other words the nearest plans are printed.`,
    load: async () => (await import('../kits/controller/kit.js')).doTask,
  },
  {
    name: 'plan',
    args: {
      '[goal]':
        'a goal in quotes; a plan in JSON or YAML; a PSPLIB file; or a template: cli, web-service, library or ' +
        'data-pipeline, also with ,size=PARTS,rate=AMOUNT an hour',
    },
    help: 'plan a goal: what it costs, whether it fits, and the least that makes it fit',
    options: {
      ...BOUNDS,
      '--proposer <name>*':
        'who answers: rules (the plan itself), human, solver, recorded:FILE or llm:PROVIDER/MODEL (default: rules)',
      '--workspace <folder>': 'carry the plan out: an agent does each task in this folder',
      '--track': 'people carry the plan out: it stays open, and each task is answered with what it came to',
      '--library <url>': 'tools, goals and requests shared with other plans, such as file:./library',
      ...KEPT,
      ...MODELS,
    },
    after: `
examples
  assay plan cli,size=4,rate=60usd --cap cost=900usd --cap deadline=24h -o out
  assay plan plan.yaml --cap 'cost<500usd' -o out
  assay plan "a tool that renames photos by date" --cap cost=500usd --proposer llm:openai/MODEL -o out`,
    load: async () => (await import('../kits/planner/kit.js')).plan,
  },
  {
    name: 'check',
    args: {
      '[what]':
        'a plan or a template, a policy or settings of Claude Code (.json), a verification-pack.json, or a contract (.js)',
      '[against]':
        'of a pack: observations {check_id, observed, unit, source}; of a contract: cases; as JSON',
    },
    help: 'check a plan (does it fit?), a policy (what does nothing?), a pack (was it kept?) or a contract',
    options: BOUNDS,
    load: async () => (await import('../commands/check.js')).check,
  },
  {
    name: 'gate',
    args: {
      '[server...]':
        'behind --: a server of the Model Context Protocol, as a command with its arguments or as a URL',
    },
    help: 'put a policy in front of live tool calls, and record the evidence',
    options: {
      '--policy <file>!': 'the policy (see assay check)',
      '--store <url>': 'keep the runs in a store (default: the folder runs beside the policy)',
      '--hook': 'answer a hook of Claude Code, on standard input',
      '--models <url>': 'stand in front of language models: chat completions of OpenAI, with --http',
      '--hold <seconds>': 'how long a call waits for a person, where the client cannot ask one (default: 50)',
      '--http <address>': 'serve at [HOST:]PORT',
      '--tokens <file>': 'over HTTP: who may call, {"TOKEN": "who"}',
    },
    after: `
examples
  assay gate --policy policy.json -- npx -y some-mcp-server ./folder
  assay gate --policy policy.json --hook        as a hook of PreToolUse and PostToolUse
  assay gate --policy policy.json --models https://api.openai.com/v1 --http 8080 --tokens tokens.json
                                                (the models' key: ASSAY_UPSTREAM_KEY)`,
    load: async () => (await import('../commands/gate.js')).gate,
  },
  {
    name: 'world',
    help: 'let agents act in a world',
    below: [
      {
        name: 'run',
        args: { '<world>': 'a folder with world.json and minds.mjs, or a file of config and artifacts' },
        help: 'let minds live in a world and record the evidence',
        options: {
          '--seed <number>': 'what its minds draw from (default: 1)',
          ...LIVED,
          '--serve <[host:]port>': 'let agents from outside act over MCP; with --tokens',
          '--tokens <file>': 'of agents from outside: {"TOKEN": "agent"}',
          ...KEPT,
          ...MODELS,
        },
        after: `
examples
  assay world run examples/worlds/task-board --seed 7
  assay world run examples/worlds/task-board --until 10m -o out
  assay resume out --mind examples/worlds/task-board/minds.mjs --until 20m`,
        load: async () => (await import('../kits/ecology/run.js')).runWorld,
      },
      {
        name: 'sweep',
        args: { '<world>': 'a folder with world.json and minds.mjs, or a file of config and artifacts' },
        help: 'compare settings of a world: the same seeds under each, on all cores',
        options: {
          '--seeds <from..to>!': 'such as 1..200',
          '--vary <key=values>*':
            'required: a setting as of --set, or ID.content.PATH of an artifact, with values: mint.slots=1,2',
          '--measure <name>': 'what is compared on screen: minted, gini_ppm or scrip.AGENT',
          '--mind <module>': 'who lives in it (default: minds.mjs of the folder)',
          '-o, --output <folder>!':
            'write sweep.json and the ledgers of the worst and the best seed to this folder',
        },
        after: `
examples
  assay world sweep examples/worlds/mint-race --seeds 1..200 --vary rex.content.bids=100,90,110 \\
    --vary mint.auction=uniform,all_pay --vary mint.ubi.split=bid_independent,equal -o sweep`,
        load: async () => (await import('../kits/ecology/sweep.js')).sweep,
      },
      {
        name: 'apply',
        args: {
          '<world>': 'config and artifacts, as JSON',
          '<actions>': 'one action, clock reading, score, effect or order a line; - for standard input',
        },
        help: 'drive a world with a file of actions and record the evidence',
        options: KEPT,
        load: async () => (await import('../kits/ecology/kit.js')).applyActions,
      },
    ],
  },
  {
    name: 'mcp',
    machine: true,
    help: 'serve runs to MCP clients over stdio or HTTP',
    options: {
      '--store <url>':
        'keep runs in a store: file:DIR, sqlite:PATH or postgres://USER@HOST/DATABASE (default: in memory)',
      '--proposer <name>*':
        'proposers that clients may name: rules, recorded:FILE or llm:PROVIDER/MODEL (default: rules); client: let ' +
        'clients answer open requests, as models',
      '--workspace <folder>': 'let clients have tasks done in this folder',
      '--http <[host:]port>': 'serve over HTTP; other hosts than 127.0.0.1 need a token in ASSAY_MCP_TOKEN',
      ...MODELS,
    },
    load: async () => (await import('../commands/mcp.js')).mcp,
  },
  {
    name: 'submit',
    machine: true,
    args: { '<file>': 'a genesis a line: {"policy", "input", "run_id"?, "ts_base"?}; - for standard input' },
    help: 'queue runs for the workers of a store: all lines or none',
    options: {
      ...FLEET,
      '--tenant <name>': 'who the runs belong to: workers may limit the runs of each (default: none)',
      '--priority <number>': 'higher goes first (default: 0)',
      '--at <time>': 'not before this time, such as 10m, 17:00 or 2026-12-24T18:00:00Z',
    },
    after: `
--machine names the machine: --machine tally@1
examples
  assay submit polls.jsonl --machine tally@1 --store postgres://127.0.0.1/runs`,
    load: async () => (await import('../commands/submit.js')).submit,
  },
  {
    name: 'work',
    help: 'drive queued runs of a store, until Ctrl-C or SIGTERM',
    options: {
      ...FLEET,
      '--with <file>': 'an ES module that exports machines and ports: your code, which is run',
      '--concurrency <runs>': 'runs driven at once (default: 8)',
      '--tenant-limit <runs>': 'runs of one tenant driven at once, over all workers (default: no limit)',
      '--log <folder>': 'a run makes no call before its opening is in this log and cosigned',
      '--witness <key>*': 'with --log: the public key of a witness that must have cosigned (default: any)',
      '--lease-ms <ms>': 'after this silence other workers take the runs (default: 5000)',
    },
    after: `
examples
  assay work --with work.mjs --store postgres://127.0.0.1/runs
  assay work hold RUN --store postgres://127.0.0.1/runs      stop a run, until it is retried`,
    load: async () => (await import('../commands/work.js')).work,
    below: [
      {
        name: 'hold',
        args: { '<run>': 'a run of the fleet' },
        help: 'stop a run until work retry',
        load: async () => (await import('../commands/work.js')).hold,
      },
      {
        name: 'retry',
        args: { '<run>': 'a run of the fleet' },
        help: 'queue a held or failed run again',
        load: async () => (await import('../commands/work.js')).retry,
      },
    ],
  },
];
