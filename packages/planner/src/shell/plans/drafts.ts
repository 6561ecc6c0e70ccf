/**
 * What the templates are made of: tasks with minutes for the whole and for each of `size` things.
 *
 * @module
 */

/** The names of the templates. */
export type TemplateName = 'cli' | 'web-service' | 'library' | 'data-pipeline';

/** Low, mid and high. */
export type Minutes = readonly [low: number, mid: number, high: number];

/** Another way to do a task, in percent of its minutes. Confidences are ppm. */
type Other = {
  readonly id: string;
  readonly method: string;
  readonly percent: number;
  readonly confidence: number;
};

/** A task of a template. */
export type Draft = {
  readonly id: string;
  readonly title: string;
  readonly kind: 'research' | 'build' | 'evaluation';
  readonly after: readonly string[];
  readonly once: Minutes;
  readonly each: Minutes;
  readonly confidence: number;
  readonly others: readonly Other[];
};

const NONE: Minutes = [0, 0, 0];

function draft(
  kind: Draft['kind'],
  id: string,
  title: string,
  after: readonly string[],
  [once, each]: readonly [once: Minutes, each: Minutes],
  confidence: number,
  others: readonly Other[] = [],
): Draft {
  return { id, title, kind, after, once, each, confidence, others };
}

function other(id: string, method: string, percent: number, confidence: number): Other {
  return { id, method, percent, confidence };
}

/** Tests, a manual and a release, as every template ends. The last one waits for all. */
function ending(built: readonly string[], thing: string): readonly Draft[] {
  return [
    draft(
      'evaluation',
      'tests',
      `test each ${thing}`,
      built,
      [
        [30, 60, 120],
        [15, 30, 60],
      ],
      600_000,
      [
        other('examples', 'examples of the main paths only', 50, 450_000),
        other('properties', 'properties over generated inputs', 80, 500_000),
      ],
    ),
    draft(
      'build',
      'manual',
      `describe each ${thing}`,
      built,
      [
        [30, 60, 90],
        [5, 10, 20],
      ],
      800_000,
      [other('generated', 'reference generated from the code', 40, 600_000)],
    ),
    draft(
      'evaluation',
      'release',
      'release it and try it on a clean machine',
      ['tests', 'manual'],
      [[30, 60, 120], NONE],
      700_000,
    ),
  ];
}

/** Each template: its goal in words, and its tasks. */
export const DRAFTS: Readonly<
  Record<TemplateName, { readonly goal: (size: number) => string; readonly tasks: readonly Draft[] }>
> = {
  cli: {
    goal: (size) => `a command line tool with ${size} commands`,
    tasks: [
      draft(
        'research',
        'scope',
        'agree on commands, options and exit codes',
        [],
        [
          [30, 60, 120],
          [5, 10, 20],
        ],
        700_000,
      ),
      draft(
        'build',
        'options',
        'read options and print help',
        ['scope'],
        [
          [60, 120, 240],
          [5, 10, 20],
        ],
        700_000,
        [other('published', 'a published parser of options', 40, 800_000)],
      ),
      draft(
        'build',
        'commands',
        'write what each command does',
        ['scope'],
        [
          [30, 60, 120],
          [60, 120, 240],
        ],
        500_000,
        [other('libraries', 'existing libraries behind each command', 60, 400_000)],
      ),
      ...ending(['options', 'commands'], 'command'),
    ],
  },
  'web-service': {
    goal: (size) => `a web service with ${size} endpoints`,
    tasks: [
      draft(
        'research',
        'contract',
        'agree on requests, answers and errors',
        [],
        [
          [60, 120, 240],
          [10, 15, 30],
        ],
        700_000,
      ),
      draft(
        'build',
        'storage',
        'design and write the storage',
        ['contract'],
        [
          [120, 240, 480],
          [10, 20, 40],
        ],
        600_000,
        [other('hosted', 'a hosted database with its own interface', 50, 600_000)],
      ),
      draft(
        'build',
        'endpoints',
        'write the endpoints',
        ['contract'],
        [
          [60, 120, 240],
          [45, 90, 180],
        ],
        500_000,
        [other('generated', 'handlers generated from the contract', 60, 450_000)],
      ),
      draft('build', 'access', 'sign in, rights and limits', ['contract'], [[120, 240, 480], NONE], 500_000, [
        other('provider', 'an identity provider', 40, 650_000),
      ]),
      draft(
        'build',
        'operation',
        'deploy, watch and restore',
        ['storage', 'endpoints', 'access'],
        [[120, 240, 480], NONE],
        500_000,
        [other('platform', 'a managed platform', 50, 600_000)],
      ),
      ...ending(['operation'], 'endpoint'),
    ],
  },
  library: {
    goal: (size) => `a library with ${size} functions`,
    tasks: [
      draft(
        'research',
        'interface',
        'agree on names, types and errors',
        [],
        [
          [60, 120, 240],
          [5, 10, 20],
        ],
        700_000,
      ),
      draft('build', 'functions', 'write the functions', ['interface'], [NONE, [45, 90, 180]], 600_000, [
        other('wrapped', 'wrap an existing library', 50, 450_000),
      ]),
      draft(
        'build',
        'packaging',
        'build, types and package',
        ['interface'],
        [[60, 120, 240], NONE],
        700_000,
        [other('template', 'a package template', 40, 700_000)],
      ),
      ...ending(['functions', 'packaging'], 'function'),
    ],
  },
  'data-pipeline': {
    goal: (size) => `a data pipeline from ${size} sources`,
    tasks: [
      draft(
        'research',
        'sources',
        'look at the sources and their faults',
        [],
        [
          [60, 120, 240],
          [30, 60, 120],
        ],
        500_000,
      ),
      draft(
        'build',
        'schema',
        'agree on the schema that comes out',
        ['sources'],
        [
          [60, 120, 240],
          [10, 15, 30],
        ],
        600_000,
      ),
      draft(
        'build',
        'readers',
        'read each source',
        ['schema'],
        [
          [30, 60, 120],
          [60, 120, 240],
        ],
        500_000,
        [other('connectors', 'published connectors', 40, 500_000)],
      ),
      draft(
        'build',
        'steps',
        'clean, join and store',
        ['schema'],
        [
          [120, 240, 480],
          [30, 60, 120],
        ],
        400_000,
        [other('queries', 'queries inside the database', 60, 500_000)],
      ),
      draft(
        'build',
        'schedule',
        'run it on a schedule and report what fails',
        ['readers', 'steps'],
        [[60, 120, 240], NONE],
        600_000,
        [other('scheduler', 'a hosted scheduler', 50, 650_000)],
      ),
      ...ending(['schedule'], 'source'),
    ],
  },
};
