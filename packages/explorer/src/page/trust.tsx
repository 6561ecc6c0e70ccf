/**
 * The trust bar: five checks, each with mark, word, code and record, and one sentence. Green is a check that
 * held, and nothing else. Source: explorer/X1, explorer/X6.
 */
import { CHECKS, type CheckName, type CheckResult } from '@assay/verifier';
import type { VNode } from 'preact';
import type { Checked, News } from '../data/calls.js';

const MARKS: { readonly [result in CheckResult]: string } = { held: '✔', failed: '✘', not_checked: '–' };
const NAMES: { readonly [check in CheckName]: string } = {
  integrity: 'integrity',
  rederivation: 're-derivation',
  completeness: 'completeness',
  authorship: 'authorship',
  time: 'time',
};

/** The verdict in a word. */
export function verdictWord(result: CheckResult): string {
  return result.replace('_', ' ');
}

/** A check by its name in the page. */
export function checkName(check: CheckName): string {
  return NAMES[check];
}

/** The mark of a verdict. */
export function chooseMark(result: CheckResult): string {
  return MARKS[result];
}

/** The bar, before and after the checks: a line of chips that opens; open where a check failed. */
export function TrustBar({
  checked,
  news,
}: {
  readonly checked: Checked | null;
  readonly news: News;
}): VNode {
  const isBad =
    checked !== null && CHECKS.some((check) => checked.document.checks[check].verdict === 'failed');
  return (
    <section class={`trust ${isBad ? 'bad' : ''}`} aria-label="What was checked here">
      <details open={isBad}>
        <summary class="chips">
          {CHECKS.map((check) => (
            <CheckChip key={check} check={check} checked={checked} />
          ))}
        </summary>
        {checked === null ? null : (
          <div class="five">
            {CHECKS.map((check) => (
              <CheckView key={check} check={check} checked={checked} />
            ))}
          </div>
        )}
        <p class="sentence" role="status">
          {checked === null ? (
            <>
              <b>Checking…</b> {news.records} records, {megabytes(news.bytes)}
            </>
          ) : (
            <>
              <b>{checked.sentence}</b>{' '}
              {checked.mayGrow ? 'The run is still open; the page follows it. ' : ''}
              Checked in this page, from the bytes ({Math.round(checked.ms)} ms). A file cannot vouch for
              itself: <code>assay verify report.html</code>
            </>
          )}
        </p>
      </details>
    </section>
  );
}

function CheckChip({
  check,
  checked,
}: {
  readonly check: CheckName;
  readonly checked: Checked | null;
}): VNode {
  if (checked === null)
    return (
      <span class="check wait" data-check={check}>
        … {NAMES[check]}
      </span>
    );
  const { verdict, code, record } = checked.document.checks[check];
  return (
    <span
      class={`check ${verdict}`}
      data-check={check}
      data-verdict={verdict}
      data-code={code ?? ''}
      data-record={record ?? ''}
    >
      <span class="glyph" aria-hidden="true">
        {MARKS[verdict]}
      </span>{' '}
      {NAMES[check]} <span class="away">{verdictWord(verdict)}</span>
    </span>
  );
}

function CheckView({ check, checked }: { readonly check: CheckName; readonly checked: Checked }): VNode {
  const { verdict, code, record } = checked.document.checks[check];
  const { says, at } = checked.reasons[check];
  return (
    <div class={`check ${verdict}`}>
      <b>{NAMES[check]}</b>
      <span class="state">
        {verdictWord(verdict)}
        {code === null ? '' : ` · ${code}`}
      </span>
      <span class="what">
        {says}
        {at === '' ? null : record === null ? ` (${at})` : <a href={`#/record/${record}`}> ({at})</a>}
      </span>
    </div>
  );
}

/** A size in words. */
export function megabytes(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
