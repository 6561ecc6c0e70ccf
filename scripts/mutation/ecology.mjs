/**
 * `node scripts/mutation/ecology.mjs`: breaks one rule of the ecology at a time, and says which of its tests
 * notices. Exit 1 where a mutant survives. Each costs a run of the laws and the golden worlds.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const SOURCE = new URL('../../packages/ecology/src/', import.meta.url);
const ROOT = new URL('../../', import.meta.url);

/** [file, what stands there, what takes its place] */
const MUTANTS = [
  ['mechanisms/window.ts', 'front.at > now - width', 'front.at >= now - width'],
  ['mechanisms/auction.ts', 'b.amount - a.amount || a.seq - b.seq', 'b.amount - a.amount || b.seq - a.seq'],
  ['mechanisms/auction.ts', 'ranked[slots]?.amount', 'ranked[slots - 1]?.amount'],
  ['mechanisms/boundary.ts', '/ interval_us) + 1)', '/ interval_us))'],
  ['machine/minting.ts', 'isWinner ? amount - price : amount', 'isWinner ? amount : amount'],
  ['machine/minting.ts', 'if (back > 0)', 'if (back > price)'],
  ['machine/minting.ts', 'if (score === null && price > 0)', 'if (score === 0 && price > 0)'],
  ['machine/minting.ts', '(BigInt(score) * 1000n)', '(BigInt(score) * 999n)'],
  ['machine/minting.ts', 'if (carry > 0)', 'if (carry > 1_000_000)'],
  ['machine/minting.ts', 'if (!isNew) refund(draft, principal);', ''],
  ['machine/decide.ts', 'if (now <= draft.state.now_us) return;', 'if (now === draft.state.now_us) return;'],
  ['machine/decide.ts', 'if (isDue(offer, now)) giveBack', 'if (!isDue(offer, now)) giveBack'],
  ['machine/decide.ts', "draft.emit({ t: 'woke', a: agent });", ''],
  ['machine/acting.ts', 'actor.config_hash === config_hash', 'actor.config_hash !== ""'],
  ['machine/acting.ts', 'answers.length >= draft.config.contracts.max_suspends', 'false'],
  ['machine/perform.ts', 'draft.undo(savepoint);', ''],
  [
    'machine/perform.ts',
    'frame.invokes >= config.contracts.invoke_depth',
    'frame.invokes > config.contracts.invoke_depth',
  ],
  ['machine/perform.ts', 'target.has_standing ? target.id : frame.payer', 'target.owner'],
  ['machine/perform.ts', "if (mode === 'strict')\n", "if (mode === 'warn')\n"],
  ['contracts/permit.ts', 'frame.checks.length >= config', 'frame.checks.length > config'],
  ['contracts/permit.ts', 'verdict?.allowed === true', 'verdict?.allowed !== false'],
  ['contracts/permit.ts', '  draft.undo(savepoint);\n', ''],
  ['contracts/permit.ts', 'left: 0, paid: 0 }', 'left: frame.purse.left, paid: 0 }'],
  [
    'contracts/permit.ts',
    'contract === undefined || !isContract(contract)',
    'contract !== undefined && !isContract(contract)',
  ],
  ['contracts/charges.ts', 'amount > purse.left', 'amount > purse.left + 1'],
  ['contracts/charges.ts', 'mandate.expires_us <= state.now_us', 'mandate.expires_us < state.now_us'],
  ['contracts/charges.ts', 'x: mandate.cap - amount', 'x: mandate.cap'],
  [
    'contracts/genesis.ts',
    '(q) => isOpen(q) || q.requester_id === q.context.owner',
    '(q) => isOpen(q) || q.requester_id === q.context.creator',
  ],
  [
    'services/ledger.ts',
    'spareOf(draft, from, resource) < amount',
    'spareOf(draft, from, resource) < amount - 1',
  ],
  ['services/ledger.ts', 'if (from !== frame.requester)', 'if (false)'],
  ['services/store.ts', 'if (state.things.has(id))', 'if (state.accounts.has(id))'],
  ['services/mint.ts', 'draft.state.scored.has(', 'draft.state.things.has('],
  [
    'services/escrow.ts',
    'faultOfHolder(physics, maker) ?? mayGive(call, give)',
    'faultOfHolder(physics, maker)',
  ],
  ['store/writing.ts', "if (isHeld(before)) return refused('CONFLICT', 'an offer holds the artifact');", ''],
  [
    'store/writing.ts',
    'disk_used - freed.bytes + bytes > amounts.disk',
    'disk_used + bytes - freed.bytes > amounts.disk + 9',
  ],
  ['world/holding.ts', "amounts.cpu - usedOf(state, id, 'cpu')", 'amounts.cpu'],
  ['world/holding.ts', 'amounts.llm_budget - reserved_uusd', 'amounts.llm_budget'],
  ['world/evolve.ts', 'version: before.version + 1', 'version: before.version'],
  [
    'world/evolve.ts',
    'stored(after, before.storage_payer, -before.size_bytes, -1);\n    }\n    case',
    'after;\n    }\n    case',
  ],
];

let survivors = 0;
const only = process.argv[2];
for (const [file, from, to] of MUTANTS) {
  if (only !== undefined && !file.includes(only)) continue;
  const url = new URL(file, SOURCE);
  const text = readFileSync(url, 'utf8');
  if (text.split(from).length < 2) throw new Error(`${file}: no ${from}`);
  let noticed;
  writeFileSync(url, text.replace(from, to));
  try {
    noticed = noticedBy();
  } finally {
    writeFileSync(url, text);
  }
  if (noticed === null) survivors += 1;
  console.log(
    `${noticed === null ? 'SURVIVES' : 'killed'}  ${file}: ${from.trim()} → ${to.trim()}  ${noticed ?? ''}`,
  );
}
console.log(`ecology mutants: ${MUTANTS.length}, ${survivors} survive`);
process.exitCode = survivors === 0 ? 0 : 1;

/** The first test that fails, or null. */
function noticedBy() {
  const tests = ['laws', 'golden', 'machine/edges.test.ts', 'auction.test.ts'].map(
    (path) => `packages/ecology/test/${path}`,
  );
  const run = ['vitest', 'run', '--project', 'ecology', '--bail', '1', '--reporter', 'json', ...tests];
  const { stdout, status } = spawnSync('npx', run, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 0) return null;
  return /"status":"failed","title":"([^"]+)"/.exec(stdout)?.[1] ?? 'does not load';
}
