/**
 * Answers as a model could write them. All of them are synthetic: written by hand for tests, and no model
 * said them.
 */
import type { WireAnswer } from '@assay/kernel/intent-prompts';

type WireReading = WireAnswer['readings'][number];
type WireCommit = WireReading['commits'][number];

/** A request with two demands that can be measured. */
export const REQUEST = 'Keep audit logs for 90 days. Pages must load within 2 seconds.';

const NO_SCOPE = { actor: null, condition: null, exception: null };

/** A commit, a requirement unless said otherwise. */
export const commit = (
  quote: string | null,
  atom: WireCommit['atom'] = null,
  given: Partial<WireCommit> = {},
): WireCommit => ({ kind: 'requirement', modality: 'must', quote, atom, scope: NO_SCOPE, ...given });

/** A reading of some commits. */
export const reading = (
  name: string,
  commits: readonly WireCommit[],
  given: Partial<WireReading> = {},
): WireReading => ({
  name,
  intent_summary: 'Logs are kept and pages load.',
  assumptions: [],
  commits,
  contradictions: [],
  aliases: [],
  ...given,
});

/** The reading of {@link REQUEST} that the words give. */
export const LITERAL: WireReading = reading('literal', [
  commit('Keep audit logs for 90 days', { key: 'audit_logs.retention', op: '>=', value: 90, unit: 'd' }),
  commit('Pages must load within 2 seconds', { key: 'pages.load_time', op: '<=', value: 2, unit: 's' }),
]);

/** An answer, as text. */
export const said = (
  readings: readonly WireReading[] = [LITERAL],
  confidence: number | null = null,
): string => JSON.stringify({ readings, confidence } satisfies WireAnswer);
