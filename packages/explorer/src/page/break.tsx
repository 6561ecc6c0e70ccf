/** Break it: attacks on a copy in memory, and which check catches each. Source: explorer/X8. */
import { useEffect, useState } from 'preact/hooks';
import { CHECKS, type CheckName, type Checks } from '@assay/verifier';
import type { Attack } from '@assay/verifier/attacks';
import { visible } from '@assay/views';
import type { VNode } from 'preact';
import type { Ask, Attacked, Checked, Edit, Refused } from '../data/calls.js';
import { Said } from './text.js';
import { checkName, chooseMark, verdictWord } from './trust.js';

const ATTACKS: { readonly [attack in Attack]: string } = {
  edit: 'Edit a field, re-hash nothing',
  drop: 'Take a record out',
  swap: 'Swap two records',
  truncate: 'Cut off the end',
  rehash: 'Change a result, re-hash everything',
  rederive: 'Change an answer, derive everything again',
};

type Row = Attacked | 'none' | null;

/** The page. It starts only when asked: each attack checks a whole copy. */
export function BreakPage({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  const [rows, setRows] = useState<{ readonly [attack in Attack]?: Row }>({});
  const [isRunning, setRunning] = useState(false);
  const mayForge =
    checked.document.checks.integrity.verdict === 'held' &&
    checked.document.checks.rederivation.verdict === 'held';
  useEffect(() => setRows({}), [checked]);
  if (!mayForge)
    return (
      <section class="card">
        <h2>Break it</h2>
        <p>
          There is nothing to break here: a forged copy shows something only where the original was checked
          and held.
        </p>
      </section>
    );
  const run = async (): Promise<void> => {
    setRunning(true);
    for (const attack of Object.keys(ATTACKS) as readonly Attack[]) {
      const attacked = await ask('attack', attack).catch(() => null);
      setRows((before) => ({ ...before, [attack]: attacked ?? 'none' }));
    }
    setRunning(false);
  };
  return (
    <section class="card watermark" aria-label="Break it">
      <h2>Break it</h2>
      <p class="says">
        Six forgeries of this ledger, made in memory and thrown away. Nothing here is evidence. The check that
        is announced to catch an attack is marked.
      </p>
      <p>
        <button type="button" class="primary" disabled={isRunning} onClick={() => void run()}>
          {isRunning ? 'forging…' : 'Forge six copies'}
        </button>
      </p>
      <div class="scroll">
        <table class="tbl attacks">
          <thead>
            <tr>
              <th scope="col">attack</th>
              <th scope="col">the copy alone</th>
              <th scope="col">with a head kept elsewhere</th>
              <th scope="col">signed by a key you trust</th>
            </tr>
          </thead>
          <tbody>
            {(Object.keys(ATTACKS) as readonly Attack[]).map((attack) => (
              <AttackRow key={attack} title={ATTACKS[attack]} row={rows[attack] ?? null} attack={attack} />
            ))}
            <tr class="never">
              <th scope="row">Never record something</th>
              <td colspan={3}>
                No check can show what was never written. Only somebody who stands outside of the run can: a
                choke point that keeps its own list.
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      <EditYourself ask={ask} checked={checked} />
    </section>
  );
}

function AttackRow({
  title,
  row,
  attack,
}: {
  readonly title: string;
  readonly row: Row;
  readonly attack: string;
}): VNode {
  if (row === null || row === 'none')
    return (
      <tr data-attack={attack}>
        <th scope="row">{title}</th>
        <td colspan={3} class="dim">
          {row === null ? 'not tried yet' : 'this ledger offers nothing to do that to'}
        </td>
      </tr>
    );
  const { done, edit, checks, caughtBy } = row;
  return (
    <tr data-attack={attack}>
      <th scope="row">
        {title}
        <small>{done}</small>
        {edit === null ? null : (
          <small>
            <code>{visible(edit.path)}</code> from <Said text={edit.from} /> to <Said text={edit.to} />
          </small>
        )}
      </th>
      <Verdicts checks={checks} only={['integrity', 'rederivation']} caughtBy={caughtBy} />
      <Verdicts checks={checks} only={['completeness']} caughtBy={caughtBy} />
      <Verdicts checks={checks} only={['authorship']} caughtBy={caughtBy} />
    </tr>
  );
}

type VerdictsGiven = {
  readonly checks: Checks;
  readonly only: readonly CheckName[];
  readonly caughtBy: CheckName | null;
};

function Verdicts({ checks, only, caughtBy }: VerdictsGiven): VNode {
  return (
    <td>
      {CHECKS.filter((check) => only.includes(check)).map((check) => {
        const { verdict, code, record } = checks[check];
        const isWanted = check === caughtBy;
        return (
          <span
            key={check}
            class={`v ${verdict} ${isWanted ? 'want' : ''}`}
            data-attacked={check}
            data-verdict={verdict}
          >
            {chooseMark(verdict)} {checkName(check)} {verdictWord(verdict)}
            {code === null ? '' : ` · ${code}`}
            {record === null ? '' : ` at ${record}`}
            {isWanted ? (
              <b> ← {verdict === 'failed' ? 'caught, as announced' : 'announced, and not caught'}</b>
            ) : null}
          </span>
        );
      })}
    </td>
  );
}

function EditYourself({ ask, checked }: { readonly ask: Ask; readonly checked: Checked }): VNode {
  const [edit, setEdit] = useState<Edit>({ record: 1, path: '/kind', value: '"artifact"', isHashed: false });
  const [done, setDone] = useState<Attacked | Refused | null>(null);
  const change = (some: Partial<Edit>): void => setEdit({ ...edit, ...some });
  return (
    <form
      class="yours"
      onSubmit={(event) => {
        event.preventDefault();
        ask('edit', edit).then(setDone, () => undefined);
      }}
    >
      <h3>Edit it yourself</h3>
      <div class="filters">
        <label>
          record
          <input
            type="number"
            min="0"
            max={checked.records - 1}
            value={edit.record}
            onInput={(event) => change({ record: Number(event.currentTarget.value) })}
          />
        </label>
        <label>
          field
          <input
            type="text"
            value={edit.path}
            onInput={(event) => change({ path: event.currentTarget.value })}
          />
        </label>
        <label>
          becomes (JSON)
          <input
            type="text"
            value={edit.value}
            onInput={(event) => change({ value: event.currentTarget.value })}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={edit.isHashed}
            onChange={(event) => change({ isHashed: event.currentTarget.checked })}
          />{' '}
          compute every hash again
        </label>
        <button type="submit">Forge</button>
      </div>
      <div role="status">
        {done === null ? null : 't' in done ? (
          <p class="remark bad">
            {done.says} {done.next}
          </p>
        ) : (
          <table class="tbl attacks">
            <tbody>
              <AttackRow title="Your copy" row={done} attack="yours" />
            </tbody>
          </table>
        )}
      </div>
    </form>
  );
}
