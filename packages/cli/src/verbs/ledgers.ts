/** The verbs that look at ledgers, check, change, or keep them. */
import { ENGINE } from './start.js';
import type { Usages, Verb } from './verb.js';

/** What a ledger may be given as. */
const LEDGER =
  'a ledger, the folder of -o, a report, STORE#RUN such as file:DIR#RUN (STORE if it has one run), or - for stdin';
const LOG = 'the folder of the log';
const STORE = 'file:DIR, sqlite:PATH or postgres://USER@HOST/DATABASE';

/** What is changed in recorded runs. */
const CHANGE: Usages = {
  '--set <path=value>*':
    'change a field, such as policy.weights.order=7; PATH alone removes it; input=@FILE from JSON',
  '--policy <file>': 'another policy: fields laid over the recorded ones, of a gate the whole policy',
  '--without <name>*': 'remove the answers of a proposer, slot or source',
};

/** Verbs of ledgers. */
export const LEDGERS: readonly Verb[] = [
  {
    name: 'whatif',
    args: { '<ledger>': LEDGER },
    help: 'replay the answers of a run under a changed policy or input',
    machine: true,
    options: {
      ...CHANGE,
      '-o, --output <file>': 'write the ledger of the fork to this file',
    },
    load: async () => (await import('../commands/whatif.js')).whatif,
  },
  {
    name: 'impact',
    args: { '<where...>': 'ledgers, folders of ledgers or traces, traces of agents, stores, or STORE#RUN' },
    help: 'decide many recorded runs again under a change: which decisions flip',
    machine: true,
    options: {
      ...CHANGE,
      '--expect <file>': 'none, or an earlier report (--json) whose flips are accepted',
      '-o, --output <file>*': 'also write a report: JUnit to FILE.xml, else Markdown for a pull request',
    },
    after: `
Without another change, --machine FILE is the change: its code decides in the place of the machine of that name.
With --set or --without it is the machine that recorded the runs.
examples
  assay impact golden --set policy.weights.order=60000 --expect none
  assay impact sqlite:./runs.db --policy new-policy.json -o summary.md
  assay impact golden --machine my-machine.mjs --expect accepted.json`,
    load: async () => (await import('../commands/impact.js')).impact,
  },
  {
    name: 'blame',
    args: {
      '<ledger>': LEDGER,
      '[policies...]': 'two policies, as JSON, or one to compare with the recorded',
    },
    help: 'find the fields in which two policies differ that flip a run, and from which value on',
    machine: true,
    load: async () => (await import('../commands/blame.js')).blame,
  },
  {
    name: 'record',
    args: { '<ledger>': LEDGER },
    help: 'save the model answers of a run, to repeat it without a model',
    options: {
      '-o, --output <file>!': 'the file to write',
      '--slot <slot>*': 'a slot or role to record, such as R3 (default: all that language models answered)',
    },
    load: async () => (await import('../commands/record.js')).record,
  },
  {
    name: 'import',
    args: { '<place...>': 'traces: files, folders such as ~/.claude/projects, or - for standard input' },
    help: 'read past sessions of agents: which tools they called, and a ledger for each session',
    options: {
      '-o, --output <folder>': 'write the ledgers to this empty folder (default: only tell what was found)',
      '--keep <bytes>': 'longest text and result that a ledger holds; longer ones by hash (default: 2048)',
    },
    load: async () => (await import('../commands/import.js')).importTraces,
  },
  {
    name: 'show',
    args: {
      '<ledger>': LEDGER,
      '[part]':
        'only the records; one of them, by its number; a result, such as plan; or a panel, such as tags',
    },
    help: 'show what a run decided, why, and what would change it; a memory, a library; or records',
    machine: true,
    options: {
      '--format <text|markdown|mermaid|csv>':
        'a screen, Markdown, diagrams, or a table: of tasks, or of the panel that is named',
      '--agent <id>':
        'of a world: the statement of account of this agent, each debit and credit with its record',
    },
    defaults: { format: 'text' },
    load: async () => (await import('../commands/show.js')).show,
  },
  {
    name: 'audit',
    args: { '[ledgers...]': `${LEDGER}; with --follow one store` },
    help: 'report problems across runs: routes, loops, drift, tool health',
    options: {
      '--every <records>': 'report after each N records',
      '--follow <interval>': 'audit runs as they end, with a report each 5m, 30s or 1h',
    },
    load: async () => (await import('../commands/audit.js')).audit,
  },
  {
    name: 'verify',
    args: { '[files...]': `${LEDGER}; none to verify only a --proof` },
    help: 'verify ledgers: five checks, each with a verdict',
    machine: true,
    options: {
      '--head <line>': 'a head line you kept: assay-head:1:COUNT:HASH',
      '--expect <k=v>*':
        'an expected machine=, policy=, input= or run=; signers=N: so many trusted keys have signed',
      '--with <folder>': 'a folder of cited ledgers, openings (NAME.openings.jsonl) and blobs (blobs/SHA256)',
      '--signature <file>*': 'a file of signed heads, made by assay head --sign',
      '--trust <key>*': 'a public key you trust, as a line or a file',
      '--proof <file>*': 'a file of proofs, made by assay prove',
      '--log <path>': 'the folder of a log of runs, or a file made from it for this run',
      '--witness <key>*': 'a public key of a witness of that log',
      '--checks <list>':
        'hash: only the hash chain; twice: with a second encoder too; all: exit 4 if any check was not done; ' +
        'any: exit 0 even if rederivation was not possible',
      '--limit <k=v>*': 'stop at records=N, bytes=N or seconds=N',
      '--junit <file>': 'also write a JUnit report',
    },
    load: async () => (await import('../commands/verify.js')).verify,
  },
  {
    name: 'report',
    args: { '<ledger>': `${LEDGER}; with --serve also a folder of ledgers, or a store such as file:./runs` },
    help: 'write a ledger as one page that checks it in a browser, or serve runs while they grow',
    machine: true,
    options: {
      '-o, --output <file>': 'the page to write, such as report.html',
      '--serve [port]':
        'serve to a browser on this machine instead (default: a free port); BROWSER=none opens none',
      '--with <folder>': 'also hold the openings and blobs of this folder that the ledger cites',
    },
    load: async () => (await import('../commands/report.js')).report,
  },
  {
    name: 'tamper',
    args: { '<ledger>': LEDGER, '<edit|drop|swap|truncate|rehash|rederive>': 'how to forge the copy' },
    help: 'forge a copy of a ledger and see which check fails',
    machine: true,
    options: {
      '-o, --output <file>!': 'the file to write',
    },
    load: async () => (await import('../commands/tamper.js')).tamper,
  },
  {
    name: 'keygen',
    args: { '<file>': 'the file for the secret key; it must not exist' },
    help: 'make a key pair to sign heads: FILE and FILE.pub',
    load: async () => (await import('../commands/keygen.js')).keygen,
  },
  {
    name: 'head',
    args: { '<ledger>': LEDGER },
    help: 'print the head line of a ledger, or sign its head',
    options: {
      '--sign <key>': 'sign the head with this secret key, made by assay keygen',
      '-o, --output <file>': 'with --sign: append the signed head to this file',
    },
    load: async () => (await import('../commands/head.js')).head,
  },
  {
    name: 'prove',
    args: { '<ledger>': LEDGER, '[record]': 'prove this record, counted from 0' },
    help: 'make a proof that a ledger has a record, or extends an earlier head',
    options: {
      '--since <count>': 'prove that the ledger extends its head of N records',
      '--count <count>': 'use the head of N records (default: all)',
      '--tree <file>': 'cache the Merkle tree in this file',
      '--show-record': 'include the record in the proof',
      '-o, --output <file>': 'append the proof to this file',
    },
    load: async () => (await import('../commands/keygen.js')).prove,
  },
  {
    name: 'export',
    args: {
      '<ledger>': LEDGER,
      '<jsonl|csv|in-toto>': 'one row per record, or an in-toto statement about the head',
    },
    help: 'print a ledger in a format for other tools',
    load: async () => (await import('../commands/export.js')).exportTo,
  },
  {
    name: 'test',
    args: { '[folder]': 'the folder of fixtures and forgeries' },
    help: 'replay golden fixtures and verify that forgeries fail',
    defaults: { folder: 'golden-fixtures' },
    machine: true,
    options: {
      '--lock <new|again>':
        'move each X.ledger.jsonl to X/ledger.jsonl, and save its result; again: replace what is locked',
    },
    load: async () => (await import('../commands/test.js')).test,
  },
  {
    name: 'diff',
    args: { '<a>': LEDGER, '<b>': 'another ledger' },
    help: 'show where two runs first differ, and why',
    machine: true,
    load: async () => (await import('../commands/diff.js')).diff,
  },
  {
    name: 'store',
    help: 'list, copy or check stored runs',
    below: [
      {
        name: 'list',
        args: { '<store>': STORE },
        help: 'list the runs of a store, or of its fleet',
        options: {
          '--limit <runs>': 'list at most so many (of a fleet: 100 by default)',
          '--after <run>': 'the next page: runs that come after this one',
          '--fleet': 'list from the table of the fleet, without reading a ledger',
          '--state <queued|driving|waiting|closed|failed>': 'of a fleet: only runs in this state',
          '--tenant <name>': 'of a fleet: only runs of this tenant',
          ...ENGINE,
        },
        load: async () => (await import('../commands/store/list.js')).listRuns,
      },
      {
        name: 'copy',
        args: {
          '<from>': 'the store to copy from, such as file:./runs; with #RUN only that run',
          '<to>': 'the store to copy to, such as sqlite:./runs.db',
        },
        help: 'copy runs to another store and verify both sides',
        machine: true,
        load: async () => (await import('../commands/store/copy.js')).copyRuns,
      },
      {
        name: 'check',
        args: { '<store>': STORE },
        help: 'check that a store can be read and written',
        load: async () => (await import('../commands/store/list.js')).checkStore,
      },
    ],
  },
  {
    name: 'log',
    help: 'log all runs of a store in one tree, so that none can be left out',
    below: [
      {
        name: 'append',
        help: 'log the openings and ends of the runs of a store',
        options: {
          '--log <folder>!': LOG,
          '--store <store>!': STORE,
          '--key <file>!': 'sign with this secret key, made by assay keygen',
          '--follow': 'continue, a batch each 200 ms, until interrupted',
          '--abandon <run=code>*': 'log that this run was given up, and why',
          '--by <name>': 'who gives it up',
        },
        load: async () => (await import('../commands/log/append.js')).appendLog,
      },
      {
        name: 'witness',
        help: 'cosign the newest checkpoint of a log, if it extends the last one',
        options: {
          '--log <folder>!': LOG,
          '--key <file>!': 'cosign with this secret key, another than that of the log',
          '--state <file>!': 'the file of the last checkpoint that this witness cosigned',
          '--follow': 'continue with each new checkpoint, until interrupted',
        },
        load: async () => (await import('../commands/log/witness.js')).cosignLog,
      },
      {
        name: 'check',
        help: 'check that a log and a store hold the same runs',
        options: {
          '--log <folder>!': LOG,
          '--store <store>!': STORE,
          '--trust <key>*': 'the public key of the log, as a line or a file',
          '--witness <key>*': 'the public key of a witness that must have cosigned',
          '--since <file>': 'a copy of an earlier checkpoint, which the log must extend',
        },
        load: async () => (await import('../commands/log/check.js')).checkLog,
      },
      {
        name: 'prove',
        args: { '<run>': 'the id of a run' },
        help: 'make a proof that a log has a run, for verify --log',
        options: { '--log <folder>!': LOG, '-o, --output <file>': 'write the proof to this file' },
        load: async () => (await import('../commands/log/prove.js')).proveLogged,
      },
    ],
  },
  {
    name: 'doctor',
    help: 'check this installation, and the fleet of a store',
    options: {
      '--store <url>': 'also name the workers of this fleet, and what they serve',
      ...ENGINE,
    },
    load: async () => (await import('../commands/doctor.js')).doctor,
  },
];
