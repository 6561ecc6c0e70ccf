/**
 * What each state writes: energy f, preference sigma and rate k. The numbers of the sources as data;
 * a writer names the state and never a number. Source: 002 §6c; dec-M2.
 */
import { tagKind, type TagKind, type TagName } from './tag.js';

/** The directives of the goal gradient, as memory names them. Source: 002 §6c. */
export const DIRECTIVES = [
  'abandon',
  'accept',
  'change_approach',
  'success',
  'break_symmetry',
  'change_path',
  'refine',
] as const;
/** One of {@link DIRECTIVES}. */
export type MemoryDirective = (typeof DIRECTIVES)[number];

/** What a Megram says happened: a directive, feedback on a rule, a promotion or a demotion. */
export const MEGRAM_STATES = [...DIRECTIVES, 'feedback', 'promoted', 'demoted'] as const;
/** One of {@link MEGRAM_STATES}. */
export type MegramState = (typeof MEGRAM_STATES)[number];

/** Energy 0 to 1,000,000, preference −1,000,000 to 1,000,000, rate in parts per million and day. */
export type Quantity = { readonly f_ppm: number; readonly sigma_ppm: number; readonly k_ppm_per_day: number };

/**
 * The quantization matrix, as printed: f, sigma, k. Rates 0.05, 0.2 and 0.5 per day are half-lives of 13.86,
 * 3.47 and 1.39 days. Source: 002 §6c.
 */
export const MATRIX: Readonly<Record<MemoryDirective, Quantity>> = Object.freeze({
  abandon: row(950_000, -1_000_000, 50_000),
  accept: row(900_000, 1_000_000, 50_000),
  change_approach: row(850_000, -1_000_000, 50_000),
  success: row(800_000, 1_000_000, 50_000),
  break_symmetry: row(750_000, 1_000_000, 50_000),
  change_path: row(300_000, 0, 200_000),
  refine: row(100_000, 500_000, 500_000),
});

/** The rate of what was a rule and is one no more. Source: 002 §6e. */
export const DEMOTED_RATE = 50_000;

/** Which kinds of tag a directive may write to. Source: 002 §6b; dec-M1, dec-M2. */
const WRITES_TO: Readonly<Record<MemoryDirective, readonly TagKind[]>> = Object.freeze({
  abandon: ['intent'],
  accept: ['intent'],
  success: ['intent'],
  change_approach: ['tool'],
  break_symmetry: ['tool'],
  change_path: ['path'],
  refine: ['path', 'tool'],
});

/** True where a directive may write to a tag. */
export function mayWrite(directive: MemoryDirective, tag: TagName): boolean {
  const kind = tagKind(tag);
  return kind !== null && WRITES_TO[directive].includes(kind);
}

/**
 * What a directive writes at a tag: its row, but no positive preference at a path, which is where something
 * failed. Source: 002 §6c; dec-M2.
 */
export function quantify(directive: MemoryDirective, tag: TagName): Quantity {
  const quantity = MATRIX[directive];
  return tagKind(tag) === 'path' && quantity.sigma_ppm > 0 ? { ...quantity, sigma_ppm: 0 } : quantity;
}

/**
 * What feedback on a rule writes: the row of an anti-pattern, turned against the rule. The sources write a
 * negative preference because their rules are practices; against a prohibition the opposite counts, or
 * the complaint would confirm it. Source: 002 §6g, RecordNegativeFeedback; dec-M18.
 */
export function feedbackAgainst(ruleSigma_ppm: number, tag: TagName): Quantity {
  const { f_ppm, k_ppm_per_day } = MATRIX.change_approach;
  const sigma_ppm = ruleSigma_ppm < 0 ? 1_000_000 : -1_000_000;
  return { f_ppm, k_ppm_per_day, sigma_ppm: tagKind(tag) === 'path' ? Math.min(0, sigma_ppm) : sigma_ppm };
}

/** True for the name of a directive. */
export function isDirective(name: string): name is MemoryDirective {
  return DIRECTIVES.some((directive) => directive === name);
}

function row(f_ppm: number, sigma_ppm: number, k_ppm_per_day: number): Quantity {
  return Object.freeze({ f_ppm, sigma_ppm, k_ppm_per_day });
}
