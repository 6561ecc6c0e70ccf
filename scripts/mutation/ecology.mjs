/**
 * `node scripts/mutation/ecology.mjs [PART]`: breaks one rule at a time; each law has to notice
 * its own. Exit 1 where one survives its law. With a part of a law's name or of a path: only those.
 *
 * @module
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const SOURCE = new URL('../../packages/', import.meta.url);
const ROOT = new URL('../../', import.meta.url);

/** [the law that notices, null where another test does; file; what stands there; what takes its place] */
const MUTANTS = [
  [
    'auction-IR',
    'ecology/src/machine/minting.ts',
    'isWinner ? amount - price : amount',
    'isWinner ? amount : amount',
  ],
  ['auction-IR', 'ecology/src/machine/minting.ts', 'if (back > 0)', 'if (back > price)'],
  ['check-order', 'ecology/src/services/mint.ts', 'if (refusal !== null) return refusal;', ''],
  [
    'creator-immutable',
    'ecology/src/world/evolve.ts',
    'version: before.version + 1',
    'version: before.version',
  ],
  ['decision-only', 'ecology/src/contracts/permit.ts', '  draft.undo(savepoint);\n', ''],
  [
    'depth',
    'ecology/src/machine/perform.ts',
    'frame.invokes >= config.contracts.invoke_depth',
    'frame.invokes > config.contracts.invoke_depth',
  ],
  [
    'depth',
    'ecology/src/contracts/permit.ts',
    'frame.checks.length >= config',
    'frame.checks.length > config',
  ],
  [
    null,
    'ecology/src/store/writing.ts',
    "if (isHeld(before)) return refused('CONFLICT', 'an offer holds the artifact');",
    '',
  ],
  [
    'fail-closed',
    'ecology/src/contracts/permit.ts',
    'verdict?.allowed === true',
    'verdict?.allowed !== false',
  ],
  [
    'fail-closed',
    'ecology/src/contracts/permit.ts',
    'contract === undefined || !isContract(contract)',
    'contract !== undefined && !isContract(contract)',
  ],
  [
    'genesis-equals-text',
    'ecology/src/contracts/genesis.ts',
    '(q) => isOpen(q) || q.requester_id === q.context.owner',
    '(q) => isOpen(q) || q.requester_id === q.context.creator',
  ],
  ['id-unique', 'ecology/src/services/store.ts', 'if (state.things.has(id))', 'if (state.accounts.has(id))'],
  ['idempotent-input', 'kernel/src/machine/advance.ts', 'run.open.delete(proposal.request_id)', 'run.open'],
  ['memo-transparent', 'ecology/src/sandbox/engine/engine.ts', '      isPure = false;\n', ''],
  [
    'meter-reproducible',
    'ecology/src/sandbox/engine/vm.ts',
    'if (before > image.pages) this.js = this.instance();',
    '',
  ],
  ['mint-source', 'ecology/src/machine/minting.ts', '(BigInt(score) * 1000n)', '(BigInt(score) * 999n)'],
  ['mint-source', 'ecology/src/machine/minting.ts', 'state.scored.has(work) || ', ''],
  ['mint-source', 'ecology/src/machine/minting.ts', ' || awaited.has(work)', ''],
  [null, 'ecology/src/services/mint.ts', 'draft.state.scored.has(', 'draft.state.things.has('],
  ['monotone-time', 'ecology/src/mechanisms/window.ts', '/ interval_us) + 1)', '/ interval_us))'],
  [
    'monotone-time',
    'ecology/src/machine/decide.ts',
    'if (now <= draft.state.now_us) return;',
    'if (now === draft.state.now_us) return;',
  ],
  [
    'no-bypass',
    'ecology/src/services/escrow.ts',
    'faultOfHolder(physics, maker) ?? mayGive(call, give)',
    'faultOfHolder(physics, maker)',
  ],
  [
    'no-bypass',
    'ecology/src/services/store.ts',
    "const refusal = refusalOf(permit(physics, frame, artifact, { action: 'transfer' }));",
    'const refusal = null;',
  ],
  [
    'no-history-leak',
    'ecology/src/world/evolve.ts',
    'content: event.c,\n        content_hash',
    'content: before.content,\n        content_hash',
  ],
  [null, 'ecology/src/machine/decide.ts', "draft.emit({ t: 'woke', a: agent });", ''],
  [
    'non-negative',
    'ecology/src/services/services.ts',
    'spareOf(draft, from, resource) < amount',
    'spareOf(draft, from, resource) < amount - 1',
  ],
  [
    null,
    'ecology/src/store/writing.ts',
    'disk_used - freed.bytes + bytes > amounts.disk',
    'bytes > amounts.disk',
  ],
  [null, 'ecology/src/world/holding.ts', 'amounts.llm_budget - reserved_uusd', 'amounts.llm_budget'],
  [
    'offer-safety',
    'ecology/src/mechanisms/offers.ts',
    'ok([...paid.right, ...given(offer, buyer)])',
    'ok(given(offer, buyer))',
  ],
  [
    'payer',
    'ecology/src/machine/perform.ts',
    'target.has_standing ? target.id : frame.payer',
    'target.owner',
  ],
  [
    'decision-only',
    'ecology/src/contracts/permit.ts',
    'left: 0, paid: 0 }',
    'left: frame.purse.left, paid: 0 }',
  ],
  ['payer', 'ecology/src/contracts/charges.ts', 'amount > purse.left', 'amount > purse.left + 1'],
  [
    'payer',
    'ecology/src/contracts/charges.ts',
    'mandate.expires_us <= state.now_us',
    'mandate.expires_us < state.now_us',
  ],
  ['payer', 'ecology/src/contracts/charges.ts', 'x: mandate.cap - amount', 'x: mandate.cap'],
  ['payer', 'ecology/src/services/services.ts', 'if (from !== frame.requester)', 'if (false)'],
  [
    'payout-liveness',
    'ecology/src/machine/decide.ts',
    'if (isDue(offer, now)) giveBack',
    'if (!isDue(offer, now)) giveBack',
  ],
  ['prefix', 'ecology/src/mechanisms/window.ts', 'const uses = json as', 'const uses = [] as'],
  ['quota-conservation', 'ecology/src/world/evolve.ts', '[resource]: amount }', '[resource]: amount + 1 }'],
  [
    'replay-exact',
    'ecology/src/machine/acting.ts',
    "draft.emit({ t: 'did', a: agent, ...paid })",
    "draft.emit({ t: 'did', a: agent, ...paid, x: Number(process.hrtime.bigint() % 1000n) })",
  ],
  ['rolled-back', 'ecology/src/machine/perform.ts', 'draft.undo(savepoint);', ''],
  ['rolling-window', 'ecology/src/mechanisms/window.ts', 'front.at > now - width', 'front.at >= now - width'],
  ['rolling-window', 'ecology/src/world/holding.ts', "amounts.cpu - usedOf(state, id, 'cpu')", 'amounts.cpu'],
  [
    'scrip-conservation',
    'ecology/src/world/evolve.ts',
    'taker.amounts[resource] + amount',
    'taker.amounts[resource] + amount + 1',
  ],
  [
    'system-window',
    'ecology/src/world/holding.ts',
    "amounts.llm_rate - usedOf(state, id, 'llm_rate') - reserved_tokens",
    'amounts.llm_rate - reserved_tokens',
  ],
  [
    'escrow-atomic',
    'ecology/src/mechanisms/offers.ts',
    'offer.maker, holdOf(offer.id)',
    'offer.maker, offer.maker',
  ],
  ['tombstone', 'ecology/src/services/store.ts', 'state.things.has(id)', 'isLive(state.things.get(id))'],
  [
    'tamper',
    'kernel/src/ledger/frame.ts',
    'if (expected !== record.payload_hash)',
    'if (expected > record.payload_hash)',
  ],
  [
    'non-negative',
    'ecology/src/world/evolve.ts',
    'stored(after, before.storage_payer, -before.size_bytes, -1);\n    }\n    case',
    'after;\n    }\n    case',
  ],
  ['truthful', 'ecology/src/mechanisms/auction.ts', 'ranked[slots]?.amount', 'ranked[slots - 1]?.amount'],
  [
    'truthful',
    'ecology/src/mechanisms/auction.ts',
    'ranked[without <= slots ? slots + 1 : slots]',
    'ranked[slots]',
  ],
  ['turn-equals-singles', 'ecology/src/contracts/code.ts', 'draft.held.set(payer, before);', ''],
  [
    'ubi-budget',
    'ecology/src/machine/minting.ts',
    'if (score === null && price > 0)',
    'if (score === 0 && price > 0)',
  ],
  ['ubi-budget', 'ecology/src/machine/minting.ts', 'if (carry > 0)', 'if (carry > 1_000_000)'],
  ['ubi-budget', 'ecology/src/mechanisms/auction.ts', '.price * valid', '.price * slots'],
  [
    'uniform-price',
    'ecology/src/mechanisms/auction.ts',
    'b.amount - a.amount || a.seq - b.seq',
    'b.amount - a.amount || b.seq - a.seq',
  ],
  [null, 'ecology/src/machine/acting.ts', 'actor.config_hash === config_hash', 'actor.config_hash !== ""'],
  [null, 'ecology/src/machine/acting.ts', 'answers.length >= draft.config.contracts.max_suspends', 'false'],
  [null, 'ecology/src/machine/perform.ts', "if (mode === 'strict')\n", "if (mode === 'warn')\n"],
];

/** A failing law is enough: it need not shrink. */
const NO_SHRINKING = `import fc from '${import.meta.resolve('fast-check')}'; fc.configureGlobal({ endOnFailure: true })`;

const only = process.argv[2] ?? '';
let survivors = 0;
for (const [law, file, from, to] of MUTANTS) {
  if (!`${law} ${file}`.includes(only)) continue;
  const url = new URL(file, SOURCE);
  const text = readFileSync(url, 'utf8');
  if (text.split(from).length < 2) throw new Error(`${file}: no ${from}`);
  let noticed;
  writeFileSync(url, text.replace(from, to));
  try {
    noticed = (law === null ? null : noticedBy(`ecology/${law}(?![A-Za-z-])`)) ?? noticedBy();
  } finally {
    writeFileSync(url, text);
  }
  const isKilled = noticed !== null && (law === null || noticed.includes(`ecology/${law}`));
  if (!isKilled) survivors += 1;
  const said = isKilled ? 'killed  ' : noticed === null ? 'SURVIVES' : 'MISSED  ';
  console.log(`${said}  ${law ?? 'any test'}: ${file}: ${oneLine(from)} → ${oneLine(to)}  ${noticed ?? ''}`);
}
const laws = new Set(MUTANTS.map(([law]) => law).filter((law) => law !== null));
console.log(`ecology: ${MUTANTS.length} mutants for ${laws.size} laws, ${survivors} survive their law`);
process.exitCode = survivors === 0 ? 0 : 1;

/** The first test that fails, of those of a name or of all; or null. */
function noticedBy(name) {
  const tests = ['packages/ecology/test'];
  const named = name === undefined ? [] : ['-t', name];
  const run = ['vitest', 'run', '--bail', '1', '--reporter', 'json', ...named, ...tests];
  const { stdout, status } = spawnSync('npx', run, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(NO_SHRINKING)}`,
    },
  });
  if (status === 0) return null;
  return /"fullName":"([^"]+)","status":"failed"/.exec(stdout)?.[1] ?? 'does not load';
}

function oneLine(text) {
  return text.trim().replaceAll(/\s+/g, ' ');
}
