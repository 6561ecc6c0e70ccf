/** Record: what it means, its data, its canonical bytes, its hashes, and the ways to others. */
import { useEffect, useState } from 'preact/hooks';
import { isArray, isObject, type Json, type JsonObject } from '@assay/kernel';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Ask, Checked, RecordShown, Rehashed } from '../data/calls.js';
import { useAnswer } from './asking.js';
import { Unfolded } from './blocks.js';
import { Copy } from './overview.js';
import { Said, Words } from './text.js';

const ITEMS_MAX = 200;
const DEPTH_OPEN = 3;

/** One record of the file. */
export function RecordPage({
  ask,
  at,
  checked,
}: {
  readonly ask: Ask;
  readonly at: number;
  readonly checked: Checked;
}): VNode {
  const shown = useAnswer(ask, 'record', at, [at, checked]);
  if (shown === null)
    return (
      <section class="card">
        <h2>No such record</h2>
        <p>
          There is no record {at} in this file; there are {checked.records}, counted from 0.
        </p>
      </section>
    );
  if (shown === undefined || shown.row.at !== at) return <p class="dim">reading record {at}…</p>;
  return (
    <section class="card" aria-label={`record ${at}`}>
      <p class="pager">
        {at === 0 ? <span /> : <a href={`#/record/${at - 1}`}>← record {at - 1}</a>}
        {at + 1 >= checked.records ? <span /> : <a href={`#/record/${at + 1}`}>record {at + 1} →</a>}
      </p>
      <h2>
        Record {at} <span class="dim">{shown.row.kind}</span>{' '}
        {shown.row.source === null ? null : (
          <span class={`chip src-${shown.row.source}`}>{shown.row.source}</span>
        )}
      </h2>
      <p class="lead">
        <Words text={shown.row.text} />
      </p>
      {at < checked.judged ? null : (
        <p class="remark bad">
          This line was not judged: it stands at or behind the first fault. It is shown as it stands.
        </p>
      )}
      <Links shown={shown} />
      <CitedHere shown={shown} />
      <h3>Data</h3>
      {shown.json === null ? (
        <p class="none">This line is not a valid record. Its text is below.</p>
      ) : (
        <Tree key={at} name="record" json={shown.json} depth={0} />
      )}
      <Hashes ask={ask} at={at} isRecord={isObject(shown.json)} />
      <Unfolded title="canonical bytes: exactly what is hashed">{() => <Bytes shown={shown} />}</Unfolded>
      <p class="dim">
        link to here: <code>#/record/{at}</code> <Copy text={location.href} what="link" /> as a command:{' '}
        <code>assay show LEDGER {at}</code>
      </p>
    </section>
  );
}

function Links({ shown: { links } }: { readonly shown: RecordShown }): VNode | null {
  if (links.length === 0) return null;
  return (
    <ul class="links">
      {links.map(({ says, record }) => (
        <li key={`${says}${record}`}>
          {says} <a href={`#/record/${record}`}>record {record}</a>
        </li>
      ))}
    </ul>
  );
}

/** Openings and blobs that the record cites: only those with the cited digest are shown. */
function CitedHere({ shown: { cited } }: { readonly shown: RecordShown }): VNode | null {
  if (cited.length === 0) return null;
  return (
    <>
      <h3>Kept outside the ledger</h3>
      <ul>
        {cited.map(({ of, digest, state, bytes, text, left }) => (
          <li key={`${of} ${digest}`} data-cited={digest} data-state={state}>
            {of} <code>{digest}</code> {state === 'absent' ? 'is not in this file' : null}
            {state === 'wrong' ? (
              <span class="bad">not shown: the content in this file has another digest or size</span>
            ) : null}
            {state === 'fits' ? `${bytes} bytes, of the cited digest: ` : null}
            {text === null ? state === 'fits' ? 'no text' : null : <Said text={text} />}
            {left === 0 ? null : <span class="dim"> {left} more characters are not shown</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** JSON that unfolds; keys and texts are evidence. */
function Tree({
  name,
  json,
  depth,
}: {
  readonly name: string;
  readonly json: Json;
  readonly depth: number;
}): VNode {
  if (!isArray(json) && !isObject(json))
    return (
      <div class="leaf">
        <span class="name">{visible(name)}</span>:{' '}
        {typeof json === 'string' ? <Said text={json} /> : String(json)}
      </div>
    );
  return <Holder name={name} json={json} depth={depth} />;
}

/** What holds others; they are made only once it is unfolded. */
function Holder({
  name,
  json,
  depth,
}: {
  readonly name: string;
  readonly json: JsonObject | readonly Json[];
  readonly depth: number;
}): VNode {
  const entries = Object.entries(json);
  const [most, setMost] = useState(ITEMS_MAX);
  const [isOpen, setOpen] = useState(depth < DEPTH_OPEN && entries.length <= 20);
  const size = isArray(json) ? `${entries.length} items` : `${entries.length} fields`;
  return (
    <details class="leaf" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="name">{visible(name)}</span> <span class="dim">{size}</span>
      </summary>
      {entries.slice(0, isOpen ? most : 0).map(([key, value]) => (
        <Tree key={key} name={key} json={value} depth={depth + 1} />
      ))}
      {isOpen && entries.length > most ? (
        <button type="button" onClick={() => setMost(most + ITEMS_MAX)}>
          show more of {entries.length - most}
        </button>
      ) : null}
    </details>
  );
}

function Hashes({
  ask,
  at,
  isRecord,
}: {
  readonly ask: Ask;
  readonly at: number;
  readonly isRecord: boolean;
}): VNode | null {
  const [hashes, setHashes] = useState<readonly Rehashed[] | null>(null);
  useEffect(() => setHashes(null), [at]);
  if (!isRecord) return null;
  return (
    <>
      <h3>Hashes</h3>
      {hashes === null ? (
        <button type="button" onClick={() => void ask('rehash', at).then(setHashes, () => undefined)}>
          compute them again, here
        </button>
      ) : (
        <table class="tbl">
          <tbody>
            {hashes.map(({ of, recorded, computed }) => (
              <tr key={of}>
                <th scope="row">{of}</th>
                <td>
                  <code>{recorded}</code>
                </td>
                <td>
                  {recorded === computed ? (
                    'computed: the same'
                  ) : (
                    <span class="bad">computed: {computed}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Bytes({ shown: { line, left } }: { readonly shown: RecordShown }): VNode {
  return (
    <>
      <pre class="bytes" tabindex={0}>
        {visible(line)}
      </pre>
      {left === 0 ? null : (
        <p class="dim">{left} more characters are not shown; the hash above is over all of them.</p>
      )}
    </>
  );
}
