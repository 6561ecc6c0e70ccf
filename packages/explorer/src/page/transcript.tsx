/**
 * The transcript: what was asked, who answered, what was decided and why, which tool or person acted and on what,
 * with money and time beside it.
 */
import { useState } from 'preact/hooks';
import { compareText } from '@assay/kernel';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Ask, Checked, Turn, Turns } from '../data/calls.js';
import { useAnswer } from './asking.js';
import { Unfolded } from './blocks.js';
import { Said, Time, Words } from './text.js';

const SHOWN = 100;

/** One line for each answer. */
export function Transcript({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode | null {
  const [source, setSource] = useState<string | null>(null);
  const [refused, setRefused] = useState(false);
  const [most, setMost] = useState(SHOWN);
  const listed = useAnswer(ask, 'turns', { source, refused, most }, [source, refused, most, checked]);
  if (checked.sources.length === 0) return null;
  return (
    <section class="card" aria-label="transcript" id="transcript">
      <h2>Transcript</h2>
      <div class="filters">
        <label>
          answers from
          <select onChange={({ currentTarget: { value } }) => setSource(value === '' ? null : value)}>
            <option value="">all</option>
            {checked.sources.map(({ name, count }) => (
              <option key={name} value={name}>
                {spaced(name)} ({count})
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={refused}
            onChange={({ currentTarget }) => setRefused(currentTarget.checked)}
          />{' '}
          refused only
        </label>
      </div>
      {listed?.total === 0 ? <p class="none">No answer of this kind.</p> : null}
      <ol class="turns">
        {listed?.turns.map((turn) => (
          <TurnView key={turn.at} turn={turn} />
        ))}
      </ol>
      {listed !== undefined && listed.total > listed.turns.length ? (
        <button type="button" onClick={() => setMost(most + SHOWN)}>
          show more of {listed.total - listed.turns.length}
        </button>
      ) : null}
    </section>
  );
}

const LISTED = 5_000;
/** Names that a row shows. */
const NAMED = 4;

/** What people answered, and the files, addresses and tools that answers name, each with what was decided. */
export function Lists({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  return (
    <section class="card" aria-label="lists">
      <Unfolded title="what people approved and refused">
        {() => <Approvals ask={ask} checked={checked} />}
      </Unfolded>
      <Unfolded title="files, addresses and tools that answers name">
        {() => <Named ask={ask} checked={checked} />}
      </Unfolded>
    </section>
  );
}

function Approvals({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  const people = { source: 'human', refused: false, most: LISTED };
  const listed = useAnswer(ask, 'turns', people, [checked]);
  if (listed?.total === 0) return <p class="none">No person answered in this run.</p>;
  return (
    <>
      {listed === undefined ? null : <More listed={listed} />}
      <ol class="turns">
        {listed?.turns.map((turn) => (
          <TurnView key={turn.at} turn={turn} />
        ))}
      </ol>
    </>
  );
}

function Named({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  const listed = useAnswer(ask, 'turns', { source: null, refused: false, most: LISTED }, [checked]);
  const places = new Map<string, Turn[]>();
  for (const turn of listed?.turns ?? [])
    for (const name of turn.named) places.set(name, [...(places.get(name) ?? []), turn]);
  if (listed === undefined) return <p class="none" />;
  if (places.size === 0) return <p class="none">No answer names a tool, a file or an address.</p>;
  return (
    <>
      <More listed={listed} />
      <ul>
        {[...places]
          .sort(([a], [b]) => compareText(a, b))
          .map(([name, turns]) => (
            <li key={name}>
              <code>{visible(name)}</code>
              {turns.slice(0, 12).map(({ at, decided, tone }) => (
                <>
                  {' '}
                  <a href={`#/record/${at}`}>{at}</a>{' '}
                  <span class={tone}>
                    <Words text={decided} />
                  </span>
                  ;
                </>
              ))}
              {turns.length > 12 ? ` and ${turns.length - 12} more` : ''}
            </li>
          ))}
      </ul>
    </>
  );
}

/** Says so where not all answers were looked at. */
function More({ listed: { turns, total } }: { readonly listed: Turns }): VNode | null {
  return total <= turns.length ? null : (
    <p class="none">
      Of {total} answers the first {turns.length} are listed.
    </p>
  );
}

function TurnView({ turn }: { readonly turn: Turn }): VNode {
  const { at, asks, source, by, says, named, next, decided, tone, spent, time } = turn;
  return (
    <li class={`turn ${tone} ${source === 'human' ? 'person' : ''}`}>
      <a class="cover" href={`#/record/${at}`} data-row={at} aria-label={`record ${at}`} />
      <div class="who">
        <span class={`chip src-${source}`}>{spaced(source)}</span> <Said text={by} />
        {time === null ? null : <Time us={time} />}
      </div>
      <div class="what">
        <b>{visible(asks)}</b>{' '}
        {named.slice(0, NAMED).map((each) => (
          <code key={each} class="named">
            {visible(each)}
          </code>
        ))}
        {named.length > NAMED ? `and ${named.length - NAMED} more ` : ' '}
        <Words text={says} />
      </div>
      <div class="then">
        {next === null ? null : <a href={`#/record/${next}`}>→</a>} <Words text={decided} />
        {spent === '' ? null : <span class="dim cost">{spent}</span>}
      </div>
    </li>
  );
}

/** A source in words. A gate records under this name what any program calls. */
function spaced(name: string): string {
  return name === 'live_model' ? 'model or agent' : name.replaceAll('_', ' ');
}
