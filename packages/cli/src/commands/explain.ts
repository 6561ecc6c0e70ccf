/**
 * `assay explain`: why a run decided as it did, and what would have decided otherwise.
 *
 * @module
 */
import { runView } from '@assay/kernel';
import type { Blueprint, Explanation, RefusalReport } from '@assay/kernel/intent';
import type { Context } from './context.js';
import { EXIT, type ExitCode } from '../problems/exit.js';
import { nameOf } from '../files/read.js';
import { soundLedger } from '../files/ledger.js';
import { deriveRecords, isOfController, type DerivedRun } from './explain/derived.js';
import { explained } from './explain/explain-document.js';
import { flipLines, suggestionLines } from './explain/flip-lines.js';
import { pinnableLines } from './explain/pinnable.js';
import { readingLines, share } from './explain/reading-lines.js';
import { TWO_COUNTS } from './run/coverage-note.js';
import { show, styled, type Shown } from '../terminal/shown.js';

/** Modules of the user's own machines and views. */
export type ExplainOptions = { readonly machine: readonly string[] };

/**
 * Derives a ledger again and explains it: intent and controller in their own words, any other machine by the
 * picture of its view. Nothing is explained that does not re-derive: exit 3. Of a machine without a view the
 * verdicts and records are printed: exit 4.
 */
export async function explain(
  { output }: Context,
  path: string,
  { machine: modules }: ExplainOptions,
): Promise<ExitCode> {
  const { records } = await soundLedger(path);
  const run = runView(records);
  if (run._tag === 'Right' && (modules.length > 0 || !OWN_WORDS.has(run.right.genesis.machine.name)))
    return (await import('./explain/picture.js')).explainPicture(output, path, run.right, records, modules);
  if (isOfController(records)) {
    // Loaded only where a ledger names it.
    const { document, lines } = (await import('./explain/control.js')).explainControl(records, path);
    output.document(document);
    for (const line of lines) output.line(line);
    return EXIT.done;
  }
  const derived = deriveRecords(records, nameOf(path));
  const { document, suggestion } = await explained(derived, path);
  const { explanation, pinnable } = document;
  const refusal = derived.artifacts['refusal_report'] as RefusalReport | undefined;
  output.document(document);
  output.line(headline(derived, explanation));
  for (const line of reasonLines(refusal)) output.line(line);
  for (const line of [
    ...readingLines(derived, explanation),
    ...countsLine(explanation),
    ...flipLines(explanation.flips, derived.grounds),
    ...pinnableLines(pinnable, explanation.readings.length),
    ...suggestionLines(suggestion),
  ])
    output.line(line);
  return EXIT.done;
}

const OWN_WORDS: ReadonlySet<string> = new Set(['intent', 'controller']);

/** Beside the criterion, what `assay show` and `assay run` call covered. */
function countsLine({ readings }: Explanation): readonly Shown[] {
  return readings.some(({ parts }) => parts.length > 0)
    ? [styled('faint', show`two counts  ${TWO_COUNTS}: that one is the blueprint's (assay show)`)]
    : [];
}

const TIES = {
  none: ', and there is no other',
  total: ' by its total',
  name: ', of equal totals the first by name',
  commitments: ', of equal totals and names the first by the hash of its commitments',
} as const;

function headline(
  { file, status, head, artifacts }: DerivedRun,
  { readings, margin, tie_break }: Explanation,
): Shown {
  const blueprint = artifacts['blueprint'] as Blueprint | undefined;
  const [first] = readings.filter(({ fate }) => fate === 'first');
  const what =
    status === 'success'
      ? show`decided ${styled('good', show`"${blueprint?.intent.name ?? ''}"`)}`
      : styled('open', show`refused`);
  const ahead =
    first === undefined
      ? show`no reading is left`
      : show`"${first.name}" is first${TIES[tie_break]}${tie_break === 'none' ? '' : `, ${share(margin)} ahead`}`;
  return show`${styled('strong', show`${head.run_id}`)}   ${what}   ${ahead}   ${file}, derived again`;
}

function reasonLines(refusal: RefusalReport | undefined): readonly Shown[] {
  return (refusal?.reasons ?? []).map(
    ({ code }, index) =>
      show`${(index === 0 ? 'because' : '').padEnd(12)}${code}: ${refusal?.policy_suggestions[index] ?? ''}`,
  );
}
