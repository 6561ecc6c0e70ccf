/** `assay show LEDGER --agent ID`: the statement of account of one holder of a world. */
import { formatScrip, makeStatement, type AccountOf } from '@assay/ecology/view';
import { nativeSha256 } from '@assay/host';
import { follow, type DerivedRecord, type EvidenceRecord } from '@assay/kernel';
import { misuse, orStop } from '../../problems/problem.js';
import type { PartTold } from '../../start/kit.js';
import { counted, padded, show, styled, type Shown } from '../../terminal/shown.js';
import { chooseMachine, differs } from './why.js';

const [RECORD_WIDTH, AMOUNT_WIDTH, OTHER_WIDTH] = [8, 14, 18];

/** Derives a run again and states the account of a holder. Raises `Stop`: `nobody`, and exit 3 where it differs. */
export async function accountTold(
  records: readonly EvidenceRecord[],
  holder: string,
  ledger: string,
): Promise<PartTold> {
  const { machine } = await chooseMachine(records, ledger);
  const [first, ...rest] = records;
  if (first === undefined) throw misuse('nobody', 'the ledger is empty', ledger, 'name a run');
  let seen = orStop(follow(machine, first, { sha256: nativeSha256, checked: true }), differs(ledger));
  const begun = seen.run.state;
  const whole: DerivedRecord[] = [];
  for (const record of rest) {
    // What is derived may be erased in the file.
    whole.push((seen.due[0] ?? record) as DerivedRecord);
    seen = orStop(seen.feed(record), differs(ledger));
  }
  const { accounts } = seen.run.state;
  const account = accounts.get(holder);
  if (account === undefined)
    throw misuse('nobody', 'no account has this name', holder, 'see assay show LEDGER agents');
  const opening = begun.accounts.get(holder)?.amounts ?? { ...account.amounts, ...NONE };
  const stated = makeStatement(seen.genesis, whole, holder, { opening, closing: account.amounts });
  return {
    document: { holder, accounts: stated },
    lines: stated.flatMap((one) => accountLines(holder, one)),
  };
}

const NONE = { scrip: 0, llm_budget: 0, disk: 0, memory: 0, llm_rate: 0, cpu: 0 };

function accountLines(holder: string, account: AccountOf): readonly Shown[] {
  const { resource, opening, entries, credits, debits, closing, adds_up } = account;
  const amount = (n: number): string => {
    if (resource === 'scrip') return formatScrip(n);
    return resource === 'llm_budget' ? `${(n / 1_000_000).toFixed(6)} USD` : String(n);
  };
  const row = (first: Shown, moved: string, balance: string, rest: Shown = show``): Shown =>
    show`${padded(first, RECORD_WIDTH)}${moved.padStart(AMOUNT_WIDTH)}${balance.padStart(AMOUNT_WIDTH)}  ${rest}`;
  const whom = (other: string, why: string): Shown => show`${padded(show`${other}`, OTHER_WIDTH)} ${why}`;
  const sum = show`${amount(opening)} + ${amount(credits)} - ${amount(debits)} = ${amount(closing)}`;
  return [
    styled('strong', show`${resource} of ${holder}`),
    row(show`record`, 'amount', 'balance', whom('with', 'for')),
    row(show`opening`, '', amount(opening)),
    ...entries.map(({ record, amount: moved, other, why, balance }) =>
      row(show`#${record}`, `${moved > 0 ? '+' : ''}${amount(moved)}`, amount(balance), whom(other, why)),
    ),
    row(show`closing`, '', amount(closing)),
    adds_up
      ? show`${counted(entries.length, 'line')}: ${sum}, ${styled('good', show`adds up`)}`
      : styled('bad', show`IT DOES NOT ADD UP: the world has ${amount(closing)}`),
    show``,
  ];
}
