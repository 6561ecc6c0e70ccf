/**
 * Overview: what was decided, why, what is open, who answered; and where a check failed, that and nothing else.
 * Source: explorer/X1, explorer/X6.
 */
import { field, isObject, type Json } from '@assay/kernel';
import { CHECKS } from '@assay/verifier';
import type { VNode } from 'preact';
import type { Ask, Checked } from '../data/calls.js';
import { PanelView, Unfolded } from './blocks.js';
import { Said, Words } from './text.js';
import { Lists, Transcript } from './transcript.js';
import { checkName, megabytes } from './trust.js';

/** The first page. A view that tells the story itself has a panel `transcript`. */
export function Overview({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  const panels = checked.picture?.panels.filter(({ page }) => page === 'overview') ?? [];
  const own = panels.find(({ id }) => id === 'transcript');
  return (
    <>
      <Headline checked={checked} />
      {own === undefined ? null : <PanelView panel={own} />}
      {own !== undefined || isFailed(checked) ? null : <Transcript ask={ask} checked={checked} />}
      {own === undefined || isFailed(checked) ? null : (
        <Unfolded title="every answer: by who gave it, with time and cost">
          {() => <Transcript ask={ask} checked={checked} />}
        </Unfolded>
      )}
      {panels
        .filter((panel) => panel !== own)
        .map((panel) => (
          <PanelView key={panel.id} panel={panel} />
        ))}
      {isFailed(checked) ? null : <Lists ask={ask} checked={checked} />}
      <About checked={checked} />
    </>
  );
}

/** True where nothing that the file claims counts. */
export function isFailed({ document: { checks } }: Checked): boolean {
  return checks.integrity.verdict === 'failed' || checks.rederivation.verdict === 'failed';
}

function Headline({ checked }: { readonly checked: Checked }): VNode {
  const { picture, document } = checked;
  const failed = CHECKS.find((check) => document.checks[check].verdict === 'failed');
  if (failed !== undefined && (failed === 'integrity' || failed === 'rederivation'))
    return <Broken checked={checked} check={failed} />;
  if (picture === null && document.checks.rederivation.verdict === 'held')
    return (
      <div class="head open">
        <h1>{document.outcome === 'open' ? 'Still open' : `Ended: ${document.outcome}`}</h1>
        <p class="subject">{checked.reasons.rederivation.says}</p>
        <p class="because">Its machine has no view: the transcript is made from the records alone.</p>
      </div>
    );
  if (picture === null)
    return (
      <div class="head open">
        <h1>Decisions not recomputed</h1>
        <p class="subject">{checked.reasons.rederivation.says}</p>
        <p class="because">
          What this run decided is not shown here, since it could not be derived again. Its records are in the
          ledger; check them with <code>assay verify</code>.
        </p>
      </div>
    );
  return (
    <div class={`head ${picture.tone}`}>
      <h1>{picture.verdict}</h1>
      <p class="subject">
        <Words text={picture.subject} />
      </p>
      <p class="because">
        <Words text={picture.because} />
      </p>
      {document.outcome === 'open' ? (
        <p class="because">The run is still open. The verdicts cover the records so far.</p>
      ) : null}
    </div>
  );
}

/** The first failing record, with what was expected and what stands there. */
function Broken({
  checked,
  check,
}: {
  readonly checked: Checked;
  readonly check: 'integrity' | 'rederivation';
}): VNode {
  const { code, record, detail } = checked.document.checks[check];
  const of = (key: string): Json | undefined => (isObject(detail) ? field(detail, key) : undefined);
  const place = of('path') ?? of('field');
  return (
    <div class="head bad">
      <h1>Do not rely on this file</h1>
      <p class="subject">
        {checkName(check)} failed{record === null ? '' : ' at '}
        {record === null ? null : <a href={`#/record/${record}`}>record {record}</a>}:{' '}
        {checked.reasons[check].says} <code>{code}</code>
      </p>
      <dl class="sides">
        {typeof place === 'string' ? <Side name="where" value={place} /> : null}
        {of('expected') === undefined ? null : <Side name="expected" value={of('expected') ?? null} />}
        {of('got') === undefined ? null : <Side name="found" value={of('got') ?? null} />}
      </dl>
      <p class="because">
        {checked.fault === null
          ? ''
          : `Line ${checked.fault.line} of the ledger, from byte ${checked.fault.byte} on. `}
        See the record on the ledger page. Ask the sender for the file again.
      </p>
      {checked.run === null ? null : (
        <p class="because">
          <i>The file says</i> it is run <Said text={checked.run.id} /> of <Said text={checked.run.machine} />
          .
        </p>
      )}
    </div>
  );
}

function Side({ name, value }: { readonly name: string; readonly value: Json }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Said text={typeof value === 'string' ? value : JSON.stringify(value)} />
      </dd>
    </>
  );
}

function About({ checked }: { readonly checked: Checked }): VNode {
  const { picture, sources, people, run, head, records, bytes } = checked;
  return (
    <dl class="about card">
      {isFailed(checked) ? (
        <>
          <dt>so far as</dt>
          <dd>
            <i>the file says</i>
          </dd>
        </>
      ) : null}
      {picture === null || picture.asked.length === 0 ? null : (
        <>
          <dt>asked</dt>
          <dd class="asked">
            <Words text={picture.asked} />
          </dd>
        </>
      )}
      <dt>answers from</dt>
      <dd>
        {sources.length === 0 ? 'no answers yet' : null}
        {sources.map(({ name, count }) => (
          <span key={name} class={`chip src-${name}`}>
            {count} {name.replaceAll('_', ' ')}
          </span>
        ))}
        {people.length === 0 ? null : (
          <>
            {' '}
            people:{' '}
            {people.slice(0, 8).map((name) => (
              <Said key={name} text={name} />
            ))}
          </>
        )}
      </dd>
      {run === null ? null : (
        <>
          <dt>policy</dt>
          <dd>
            <code>{run.policy.slice(0, 16)}…</code> <Copy text={run.policy} what="policy hash" />
          </dd>
        </>
      )}
      {head === null ? null : (
        <>
          <dt>head</dt>
          <dd>
            <code>{head.slice(0, 32)}…</code> <Copy text={head} what="head line" />
          </dd>
        </>
      )}
      <dt>file</dt>
      <dd>
        {records} records, {megabytes(bytes)}
      </dd>
      <dt>page</dt>
      <dd>{document.querySelector<HTMLMetaElement>('meta[name=generator]')?.content}</dd>
    </dl>
  );
}

/** A button that copies a text, or what is made when it is asked for. */
export function Copy({
  text,
  what,
}: {
  readonly text: string | (() => string);
  readonly what: string;
}): VNode {
  return (
    <button
      type="button"
      class="copy"
      aria-label={`copy ${what}`}
      onClick={(event) => {
        const button = event.currentTarget;
        const told = (word: string): void => {
          button.textContent = word;
          setTimeout(() => (button.textContent = 'copy'), 1_200);
        };
        copied(typeof text === 'string' ? text : text()).then(told, () => told('refused'));
      }}
    >
      copy
    </button>
  );
}

async function copied(text: string): Promise<string> {
  await navigator.clipboard.writeText(text);
  return 'copied';
}
