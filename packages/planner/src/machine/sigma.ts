/**
 * Confidence along the path, exact. Source: 000 §6; dec-K45 to dec-K51.
 *
 * @module
 */
import type { GoalNode } from './node.js';
import { getNode, type PlannerState } from './state.js';

const PPM = 1_000_000n;

/** A product of confidences: `parts` over `scale`, a power of a million. */
type PathSigma = { readonly parts: bigint; readonly scale: bigint };

/** The product along the path to a node, of a build from the build on; null where one is not known. */
export function sigmaPath(state: PlannerState, key: string): PathSigma | null {
  let [parts, scale] = [1n, 1n];
  for (let at: string | null = key; at !== null; ) {
    const { sigma_ppm, parent, kind }: GoalNode = getNode(state, at);
    if (sigma_ppm === null) return null;
    parts *= BigInt(sigma_ppm);
    scale *= PPM;
    at = kind === 'build' ? null : parent;
  }
  return { parts, scale };
}

/** True where a product reaches a threshold in ppm; equality passes (dec-K50). */
export function reaches(sigma: PathSigma | null, tau: number): boolean {
  return sigma !== null && sigma.parts * PPM >= BigInt(tau) * sigma.scale;
}

/** A product in ppm, rounded down. */
export function sigmaPpm(sigma: PathSigma | null): number | null {
  return sigma === null ? null : Number((sigma.parts * PPM) / sigma.scale);
}

/** The node of least confidence on the path to a node, the deepest of equals. Source: dec-K51. */
export function weakestOn(state: PlannerState, key: string): string {
  let [weakest, least] = [key, Number.MAX_SAFE_INTEGER];
  for (let at: string | null = key; at !== null; ) {
    const { sigma_ppm, parent, kind }: GoalNode = getNode(state, at);
    if (sigma_ppm !== null && sigma_ppm < least) [weakest, least] = [at, sigma_ppm];
    at = kind === 'build' ? null : parent;
  }
  return weakest;
}

/** The least product over the leaves that are delivered. Source: law-C7. */
export function sigmaSystem(state: PlannerState): PathSigma | null {
  const open: { readonly key: string; readonly above: PathSigma }[] = [
    { key: state.root, above: { parts: 1n, scale: 1n } },
  ];
  let least: PathSigma | null = null;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { sigma_ppm, children, status, decomposed } = getNode(state, next.key);
    if (status === 'superseded' || sigma_ppm === null) continue;
    const here = { parts: next.above.parts * BigInt(sigma_ppm), scale: next.above.scale * PPM };
    if (!decomposed) least = least === null || isLess(here, least) ? here : least;
    for (const key of children) open.push({ key, above: here });
  }
  return least;
}

function isLess(a: PathSigma, b: PathSigma): boolean {
  return a.parts * b.scale < b.parts * a.scale;
}
