/** Diff: a second file beside this one; what both were given, and the first record in which they part. */
import { useState } from 'preact/hooks';
import type { Json } from '@assay/kernel';
import type { DiffPlace } from '@assay/verifier';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Ask, Checked, Compared, Refused } from '../data/calls.js';
import { Said } from './text.js';

/** The page. */
export function DiffPage({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  const [found, setFound] = useState<Compared | Refused | null>(null);
  const compare = (file: File | undefined): void => {
    if (file === undefined) return;
    const beside = { head: null, proofs: null, key: null };
    ask('compare', { t: 'bytes', bytes: file, label: file.name, beside }).then(setFound, () => undefined);
  };
  return (
    <section
      class="card drop"
      aria-label="Compare with another file"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        compare(event.dataTransfer?.files[0]);
      }}
    >
      <h2>Compare with another file</h2>
      <p class="says">
        Drop a second ledger or report here, or choose one. It is checked in this page like the first.
      </p>
      <p>
        <input
          type="file"
          aria-label="second file"
          onChange={(event) => compare(event.currentTarget.files?.[0])}
        />
      </p>
      <div role="status">
        {found === null ? null : found.t === 'refused' ? (
          <p class="remark bad">
            {found.says} {found.next}
          </p>
        ) : (
          <Found compared={found} label={checked.label} />
        )}
      </div>
    </section>
  );
}

function Found({ compared, label }: { readonly compared: Compared; readonly label: string }): VNode {
  const { found, given, others, says, sentence } = compared;
  return (
    <>
      <p class="lead">{says}</p>
      <p class="dim">
        Of <Said text={compared.label} />: {sentence}
      </p>
      <div class="scroll">
        <table class="tbl">
          <thead>
            <tr>
              {given.map(({ name }) => (
                <th scope="col" key={name}>
                  same {name}?
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              {given.map(({ name, same }) => (
                <td key={name} data-same={name}>
                  {same === null ? '– not compared' : same ? 'yes' : <b class="bad">no</b>}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      {others.length === 0 ? null : <Others others={others} names={[label, compared.label]} />}
      {found?.kind === 'differs' && found.proposal !== null ? (
        <Place title="The first answer that differs" place={found.proposal} names={[label, compared.label]} />
      ) : null}
      {found?.kind === 'differs' ? (
        <Place
          title={`Decision ${found.decision}: the first difference`}
          place={found.at}
          names={[label, compared.label]}
        />
      ) : null}
    </>
  );
}

function Others({
  others,
  names,
}: {
  readonly others: Compared['others'];
  readonly names: readonly [string, string];
}): VNode {
  return (
    <>
      <h3>What they were given differently</h3>
      <div class="scroll">
        <table class="tbl" data-others={others.length}>
          <thead>
            <tr>
              <th scope="col">field</th>
              {names.map((name, at) => (
                <th scope="col" key={at}>
                  <Said text={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {others.map(({ path, left, right }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{visible(path)}</code>
                </th>
                <td>
                  <Said text={left} />
                </td>
                <td>
                  <Said text={right} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

type PlaceGiven = {
  readonly title: string;
  readonly place: DiffPlace;
  readonly names: readonly [string, string];
};

function Place({ title, place, names }: PlaceGiven): VNode {
  const side = (record: number | null): string => (record === null ? 'no such record' : `record ${record}`);
  return (
    <>
      <h3>{title}</h3>
      <p>
        <code>{place.field === '' ? '(whole)' : visible(place.field)}</code>
      </p>
      <dl class="sides">
        <dt>
          <Said text={names[0]} />,{' '}
          {place.a === null ? side(null) : <a href={`#/record/${place.a}`}>{side(place.a)}</a>}
        </dt>
        <dd>
          <Said text={plainJson(place.left)} />
        </dd>
        <dt>
          <Said text={names[1]} />, {side(place.b)}
        </dt>
        <dd>
          <Said text={plainJson(place.right)} />
        </dd>
      </dl>
    </>
  );
}

/** A text without its quotation marks, all else as JSON. */
function plainJson(json: Json): string {
  return json === null ? 'nothing' : typeof json === 'string' ? json : JSON.stringify(json);
}
