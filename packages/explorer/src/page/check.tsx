/** Check: what was checked and what was not, how to do it again, and what can be brought from outside. */
import { useState } from 'preact/hooks';
import { CHECKS } from '@assay/verifier';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Beside, Checked } from '../data/calls.js';
import { Copy } from './overview.js';
import { cutText, Left } from './text.js';
import { checkName, chooseMark, verdictWord } from './trust.js';

const UNPROVED = [
  'that what was recorded is true: answers are evidence, not facts',
  'that everything was recorded: what was never written shows nowhere',
  'who a signer is: a signature shows a key, not a person',
  'that this page is the explorer: a file can draw what it likes',
] as const;

type Given = {
  readonly checked: Checked;
  readonly beside: Beside;
  readonly onBeside: (beside: Beside) => void;
};

/** The page. */
export function CheckPage({ checked, beside, onBeside }: Given): VNode {
  return (
    <>
      <section class="card" aria-label="What was checked">
        <h2>What was checked here</h2>
        <div class="scroll">
          <table class="tbl">
            <tbody>
              {CHECKS.map((check) => {
                const { verdict, code } = checked.document.checks[check];
                return (
                  <tr key={check} class={verdict}>
                    <th scope="row">{checkName(check)}</th>
                    <td class={`v ${verdict}`}>
                      {chooseMark(verdict)} {verdictWord(verdict)}
                    </td>
                    <td>
                      <code>{code ?? ''}</code>
                    </td>
                    <td>
                      {checked.reasons[check].says} {checked.reasons[check].at}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
        <h3>What these checks cannot show</h3>
        <ul>
          {UNPROVED.map((what) => (
            <li key={what}>{what}</li>
          ))}
        </ul>
      </section>
      <Outside beside={beside} onBeside={onBeside} />
      <section class="card" aria-label="How to check it again">
        <h2>Check it again, with your own copy</h2>
        <p>
          <code>assay verify report.html</code> reads the same bytes, and says whether the page around them is
          the explorer's.
        </p>
        {checked.next.length === 0 ? null : (
          <p>
            What to type next:{' '}
            {checked.next.map((line) => (
              <code key={line} class="cmd">
                {visible(line)}
              </code>
            ))}
          </p>
        )}
        <p class="dim">
          {keptWords(checked.kept)} A token stands for each one that is not;{' '}
          <code>assay verify --with FOLDER</code> compares them.
        </p>
      </section>
      {checked.files.length === 0 ? null : <Files checked={checked} />}
    </>
  );
}

/** What is in the file beside the ledger, in words. */
function keptWords(kept: number | null): string {
  if (kept === null) return 'What this file keeps beside the ledger cannot be unpacked.';
  if (kept === 0) return 'Not in this file: openings of redacted texts and blobs.';
  return `In this file: ${kept} openings of redacted texts and blobs; the record that cites one shows it.`;
}

/** A head line, proofs and a key, which make completeness and authorship checks. */
function Outside({ beside, onBeside }: Omit<Given, 'checked'>): VNode {
  const [head, setHead] = useState(beside.head ?? '');
  const [key, setKey] = useState(beside.key ?? '');
  const [proofs, setProofs] = useState(beside.proofs);
  return (
    <section class="card" aria-label="Bring from outside">
      <h2>Add a head, signatures or a key</h2>
      <p class="says">
        A head line kept elsewhere makes completeness a check; signatures and a key make authorship one.
      </p>
      <form
        class="outside"
        onSubmit={(event) => {
          event.preventDefault();
          onBeside({ head: head.trim() === '' ? null : head, key: key.trim() === '' ? null : key, proofs });
        }}
      >
        <label>
          head line
          <input
            type="text"
            value={head}
            placeholder="assay-head:1:COUNT:HASH"
            onInput={(event) => setHead(event.currentTarget.value)}
          />
        </label>
        <label>
          signatures and proofs (.jsonl, one file or several)
          <input
            type="file"
            multiple
            onChange={(event) => {
              new Blob([...(event.currentTarget.files ?? [])]).arrayBuffer().then(
                (bytes) => setProofs(bytes.byteLength === 0 ? null : new Uint8Array(bytes)),
                () => undefined,
              );
            }}
          />
        </label>
        <label>
          public key that you trust
          <input
            type="text"
            value={key}
            placeholder="assay-public-key:1:…"
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Check with these</button>
      </form>
    </section>
  );
}

function Files({ checked: { files } }: { readonly checked: Checked }): VNode {
  return (
    <section class="card" aria-label="Results">
      <h2>Results of this run</h2>
      <p class="says">The files that this run writes beside its ledger, recomputed here.</p>
      {files.map(({ name, json }) => (
        <details key={name} class="twin">
          <summary>{name}</summary>
          <Copy text={json} what={name} />
          <pre class="bytes" tabindex={0}>
            {cutText(json).split('\n').map(visible).join('\n')}
          </pre>
          <Left of={json} />
        </details>
      ))}
    </section>
  );
}
