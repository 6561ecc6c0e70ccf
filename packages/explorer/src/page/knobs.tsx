/** Knobs: the recorded answers given again to the machine under other settings. Never evidence. */
import { useState } from 'preact/hooks';
import type { Knob, Tried } from '@assay/kernel/view';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Ask, Checked, Refused } from '../data/calls.js';
import { PanelView } from './blocks.js';
import { plainText, short, shortAmount, Words } from './text.js';

/** The knobs of a run, and what it would have been. */
export function Knobs({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode | null {
  const { knobs } = checked;
  const [turned, setTurned] = useState<{ readonly [id: string]: number }>({});
  const [tried, setTried] = useState<Tried | Refused | null>(null);
  if (knobs.length === 0) return null;
  const changes = knobs.flatMap(({ id, at }) =>
    turned[id] === undefined || turned[id] === at ? [] : [{ id, to: turned[id] }],
  );
  return (
    <section class="card tinted" data-panel="knobs" aria-label="What if">
      <h2>What if</h2>
      <p class="says">
        {visible(checked.run?.id ?? 'This run')}, decided again with the same answers under other settings.
        Not evidence: it never happened.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask('tryOut', changes).then(setTried, () => undefined);
        }}
      >
        <div class="knobs">
          {knobs.map((knob) => (
            <KnobView
              key={knob.id}
              knob={knob}
              at={turned[knob.id] ?? knob.at}
              onTurn={(to) => setTurned({ ...turned, [knob.id]: to })}
            />
          ))}
        </div>
        <button type="submit" class="primary" disabled={changes.length === 0}>
          Decide again
        </button>{' '}
        <button
          type="button"
          onClick={() => {
            setTurned({});
            setTried(null);
          }}
        >
          As it was
        </button>
      </form>
      <div role="status">
        {tried === null ? null : (
          <Outcome tried={tried} run={checked.run?.id ?? 'this run'} was={checked.picture} />
        )}
      </div>
    </section>
  );
}

function KnobView({
  knob,
  at,
  onTurn,
}: {
  readonly knob: Knob;
  readonly at: number;
  readonly onTurn: (to: number) => void;
}): VNode {
  const { id, label, unit, min, max, step } = knob;
  const turn = (event: { readonly currentTarget: HTMLInputElement }): void =>
    onTurn(Number(event.currentTarget.value));
  return (
    <label class={at === knob.at ? '' : 'turned'}>
      <span>
        {label}{' '}
        <span class="num">
          {at === knob.at ? '' : `${shortAmount(knob.at, unit)} → `}
          {shortAmount(at, unit)}
        </span>
      </span>
      <input type="range" data-knob={id} min={min} max={max} step={step} value={at} onInput={turn} />
    </label>
  );
}

function Outcome({
  tried,
  run,
  was,
}: {
  readonly tried: Tried | Refused;
  readonly run: string;
  readonly was: Checked['picture'];
}): VNode {
  if ('t' in tried)
    return (
      <p class="remark bad">
        {tried.says} {tried.next}
      </p>
    );
  return (
    <div class="tried">
      <div class={`head ${tried.tone}`}>
        <p class="would">
          {was?.verdict === tried.verdict && plainText(was.subject) === plainText(tried.subject)
            ? `Same outcome of ${visible(run)}:`
            : `${visible(run)} was “${was?.verdict ?? ''}: ${short(was?.subject ?? '', 120)}”. It would have been:`}
        </p>
        <p class="verdict">{tried.verdict}</p>
        <p class="subject">
          <Words text={tried.subject} />
        </p>
        <p class="because">
          <Words text={tried.because} />
        </p>
      </div>
      {tried.unknown.length === 0 ? null : (
        <>
          <p>Not known: these questions were never asked in the run.</p>
          <ul>
            {tried.unknown.slice(0, 50).map((text, index) => (
              <li key={index}>
                <Words text={text} />
              </li>
            ))}
          </ul>
        </>
      )}
      {tried.panels
        .filter(({ page }) => page === 'decision')
        .slice(0, 2)
        .map((panel) => (
          <PanelView key={panel.id} panel={{ ...panel, id: `tried-${panel.id}` }} />
        ))}
    </div>
  );
}
