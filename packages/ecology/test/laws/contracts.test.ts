/** Laws of contracts: what fails refuses, a verdict changes nothing, depths, order of checks, equal texts. */
import type { Json } from '@assay/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draws, LAW_SEED } from '../../../kernel/tools/laws.ts';
import { GLUE, type Given } from '../../src/index.js';
import { GENESIS_CONTRACTS, type Question } from '../../src/contracts/genesis.js';
import { encode } from '../../src/world/state.js';
import { freshEngine } from '../../tools/engine.js';
import { make, scripts, smallWorld } from '../../tools/script.js';
import { GUARD, tools, World } from '../../tools/world.js';

const engine = freshEngine();
const CONFIG = { agents: { initial: ['ann', 'bob', 'cid'] } };

function check(body: string): Json {
  return { code: `function check_permission(q) { ${body} }` };
}

/** A world with contracts of these bodies, each guarding an artifact `at_<name>` of ann. */
function guarded(bodies: { readonly [name: string]: string }, more: Json = {}): World {
  const contracts = Object.entries(bodies).map(([id, body]) => ({
    id,
    owner: 'ann',
    content: check(body),
    interface: GUARD,
    can_execute: true,
    access_contract_id: 'freeware_contract',
  }));
  const goods = Object.keys(bodies).map((id) => ({
    id: `at_${id}`,
    owner: 'ann',
    content: `canary of ${id}`,
    access_contract_id: id,
  }));
  return new World(engine, { ...CONFIG, ...(more as object) }, [...contracts, ...goods]);
}

/** The state without what metering and asking leave. */
function settled(world: World): unknown {
  const state = encode(world.state) as { readonly [key: string]: Json };
  const accounts = state['accounts'] as readonly (readonly [string, { readonly [key: string]: Json }])[];
  return {
    ...state,
    open: null,
    cpu_window: null,
    accounts: accounts.map(([id, { amounts, disk_used, stored }]) => [id, amounts, disk_used, stored]),
  };
}

const FAILING: { readonly [name: string]: string } = {
  throws: `throw new Error('no');`,
  loops: `for (;;);`,
  deep: `const f = () => f() + 1; f();`,
  silent: ``,
  number: `return { allowed: 1 };`,
  text: `return 'allowed';`,
  huge: `let s = 'x'; for (;;) s += s;`,
  charges_text: `return { allowed: true, charges: [{ to: 'ann', amount: '5' }] };`,
  charges_less: `return { allowed: true, charges: [{ to: 'ann', amount: -5 }] };`,
  charges_nobody: `return { allowed: true, charges: [{ to: 'at_throws', amount: 5 }] };`,
  refuses: `return { allowed: false };`,
};

describe('contracts', () => {
  it('ecology/fail-closed (L6): whatever is no clear yes refuses, and nothing else changes', () => {
    const world = guarded(FAILING);
    world.invoke('ann', 'genesis_store_api', 'create', {
      id: 'gone',
      content: check('return {allowed:true}'),
      interface: GUARD,
      can_execute: true,
    });
    world.invoke('ann', 'genesis_store_api', 'create', {
      id: 'at_gone',
      content: 1,
      access_contract_id: 'gone',
    });
    world.invoke('ann', 'genesis_store_api', 'delete', { artifact_id: 'gone' });
    for (const name of [...Object.keys(FAILING), 'gone'])
      for (const action of [
        { op: 'read', id: `at_${name}`, max_charge: 50 },
        { op: 'write', id: `at_${name}`, content: 2 },
        { op: 'invoke', id: 'genesis_store_api', method: 'delete', args: { artifact_id: `at_${name}` } },
        {
          op: 'invoke',
          id: 'genesis_store_api',
          method: 'transfer_ownership',
          args: { artifact_id: `at_${name}`, to: 'bob' },
        },
      ]) {
        const before = settled(world);
        const answer = world.act('bob', action);
        expect([name, answer]).toEqual([name, name === 'charges_nobody' ? 'NO_STANDING' : 'ACCESS_DENIED']);
        expect(settled(world)).toEqual(before);
      }
  });

  it('ecology/fail-closed (L6): a world with code does not open without its engine', () => {
    const contract = {
      id: 'gate',
      content: check('return { allowed: true };'),
      interface: GUARD,
      can_execute: true,
    };
    expect(() => new World(null, CONFIG, [contract])).toThrow('bad_input');
  });

  it('ecology/decision-only (L8): what a verdict run does is taken back', () => {
    const bodies = {
      writes: `write('note', 9); invoke('genesis_ledger_api', 'transfer', { to: 'ann', amount: 5 }); return { allowed: true };`,
      makes: `invoke('genesis_store_api', 'create', { id: 'made', content: 1 }); return { allowed: true };`,
      toll: `return { allowed: true, charges: [{ to: 'ann', amount: q.requester_id === 'bob' ? 0.5 : 9 }] };`,
      pays: `return { allowed: !read('at_toll').success };`,
    };
    const world = guarded(bodies);
    world.invoke('ann', 'genesis_store_api', 'create', {
      id: 'note',
      content: 0,
      access_contract_id: 'public_contract',
    });
    for (const name of ['writes', 'makes', 'pays']) {
      const before = settled(world);
      expect(world.act('bob', { op: 'read', id: `at_${name}`, max_charge: 100 })).toBe('ok');
      expect(settled(world)).toEqual(before);
    }
  });

  it('ecology/payer (L9): nobody pays without an action of its own or a mandate', () => {
    const world = guarded({
      thief: `return { allowed: true, charges: [{ to: 'ann', amount: 9, from: 'cid' }] };`,
      toll: `return { allowed: true, charges: [{ to: 'ann', amount: 9 }] };`,
    });
    expect(world.act('bob', { op: 'read', id: 'at_thief', max_charge: 50 })).toBe('ACCESS_DENIED');
    world.invoke('cid', 'genesis_ledger_api', 'grant_mandate', {
      contract: 'thief',
      cap: 20,
      expires_us: world.now + 10,
    });
    const reads = [1, 2, 3].map(() => world.act('bob', { op: 'read', id: 'at_thief' }));
    expect(reads).toEqual(['ok', 'ok', 'ACCESS_DENIED']);
    expect([world.scrip('cid'), world.scrip('bob')]).toEqual([100_000 - 18, 100_000]);
    world.invoke('cid', 'genesis_ledger_api', 'grant_mandate', {
      contract: 'thief',
      cap: 20,
      expires_us: world.now + 10,
    });
    world.wait(10);
    expect(world.act('bob', { op: 'read', id: 'at_thief' })).toBe('ACCESS_DENIED');
    expect(world.act('bob', { op: 'read', id: 'at_toll', max_charge: 8 })).toBe('INSUFFICIENT_FUNDS');
    expect(world.act('bob', { op: 'read', id: 'at_toll', max_charge: 9 })).toBe('ok');
  });

  it('ecology/depth (L10): the eleventh check inside checks is refused, the sixth invoke too', () => {
    const names = Array.from({ length: 12 }, (_, at) => `c${at}`);
    const bodies = Object.fromEntries(
      names.map((name, at) => [
        name,
        `const next = read('at_c${at + 1}'); return { allowed: next.success || next.error_code === 'NOT_FOUND' };`,
      ]),
    );
    const world = guarded(bodies);
    // c2 to c11 are ten checks, c1 to c11 eleven.
    expect(world.act('bob', { op: 'read', id: 'at_c2' })).toBe('ok');
    expect(world.act('bob', { op: 'read', id: 'at_c1' })).toBe('ACCESS_DENIED');
    const code = `function run(method, args) { return args.n === 0 ? 'end' : (r => r.success ? r.result : r.error_code)(invoke('down' + args.n, 'go', { n: args.n - 1 })); }`;
    for (let n = 1; n <= 6; n += 1)
      world.invoke('ann', 'genesis_store_api', 'create', {
        id: `down${n}`,
        content: { code },
        interface: tools('go'),
        can_execute: true,
      });
    expect(world.invoke('bob', 'down5', 'go', { n: 4 })).toBe('end');
    expect(world.invoke('bob', 'down6', 'go', { n: 5 })).toBe('DEPTH_EXCEEDED');
  });

  it('code that runs is not entered again, so a credit that was read is still right when it is paid', () => {
    const vault = `function run(method, args, { caller }) {
      const book = read('book').result.content;
      const owed = book[caller] ?? 0;
      const told = args.notify ? invoke(args.notify, 'paid', {}) : null;
      if (owed > 0) invoke('genesis_ledger_api', 'transfer', { to: args.to, amount: owed });
      write('book', { ...book, [caller]: 0 });
      return told?.result ?? owed;
    }`;
    const hook = `function run(method) {
      const answer = invoke('vault', 'withdraw', { to: 'cid', ...(method === 'paid' ? {} : { notify: 'ear' }) });
      return answer.success ? answer.result : answer.error_code;
    }`;
    const tool = (id: string, code: string): Partial<Given> => ({
      id,
      content: { code },
      interface: tools('withdraw', 'start', 'paid'),
      has_standing: true,
      can_execute: true,
      access_contract_id: 'freeware_contract',
    });
    const book = {
      id: 'book',
      owner: 'vault',
      content: { hook: 1_000, ear: 1_000 },
      access_contract_id: 'freeware_contract',
    };
    const world = new World(engine, CONFIG, [
      tool('vault', vault),
      tool('hook', hook),
      tool('ear', hook),
      book,
    ]);
    world.invoke('ann', 'genesis_ledger_api', 'transfer', { to: 'vault', amount: 10_000 });
    for (const to of ['vault', 'hook', 'ear'])
      world.invoke('ann', 'genesis_ledger_api', 'transfer', { to, amount: 1_000_000, resource: 'cpu' });
    world.invoke('ann', 'genesis_rights_registry_api', 'transfer_quota', {
      to: 'vault',
      amount: 20_000,
      resource: 'disk',
    });
    const before = world.scrip('cid');
    expect(world.invoke('bob', 'hook', 'start')).toBe('CONFLICT');
    expect(world.scrip('cid') - before).toBe(1_000);
    const kept = world.state.things.get('book');
    expect(kept !== undefined && 'content' in kept ? kept.content : null).toEqual({ hook: 0, ear: 1_000 });
  });

  it('ecology/check-order (L34): who is refused learns nothing of balances and contents', () => {
    const answers = [0, 1].map((world_) => {
      const world = guarded({ refuses: FAILING['refuses'] ?? '' });
      if (world_ === 1) {
        world.act('ann', { op: 'noop' });
        world.invoke('ann', 'genesis_ledger_api', 'transfer', { to: 'cid', amount: 77_000 });
        world.invoke('bob', 'genesis_ledger_api', 'transfer', { to: 'cid', amount: 100_000 });
      }
      return [
        { op: 'read', id: 'at_refuses', max_charge: 5 },
        { op: 'write', id: 'at_refuses', content: 'x'.repeat(600_000), expected_version: 7 },
        { op: 'write', id: 'at_refuses', content: 1, access_contract_id: 'nothing' },
        {
          op: 'invoke',
          id: 'genesis_mint_api',
          method: 'bid',
          args: { artifact_id: 'at_refuses', amount: 5 },
        },
        {
          op: 'invoke',
          id: 'genesis_store_api',
          method: 'transfer_ownership',
          args: { artifact_id: 'at_refuses', to: 'nobody' },
        },
      ].map((action) => JSON.stringify(world.turn(['bob', action]).filter(({ t }) => t === 'no')));
    });
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.every((answer) => answer.includes('ACCESS_DENIED'))).toBe(true);
  });

  it('ecology/no-history-leak (L23): no answer holds what was written over', () => {
    const world = new World(engine, CONFIG);
    const peek = `function run() { return [read('page'), get_artifact_info('page'), invoke('genesis_store_api', 'search', { query: 'page' })]; }`;
    world.invoke('ann', 'genesis_store_api', 'create', {
      id: 'peek',
      content: { code: peek },
      interface: tools('go'),
      can_execute: true,
    });
    world.invoke('ann', 'genesis_store_api', 'create', { id: 'page', content: 'canary one' });
    world.act('ann', { op: 'write', id: 'page', content: 'second' });
    expect(JSON.stringify(world.invoke('bob', 'peek', 'go'))).not.toContain('canary');
    expect(JSON.stringify(world.invoke('bob', 'peek', 'go'))).toContain('second');
    world.invoke('ann', 'genesis_store_api', 'delete', { artifact_id: 'page' });
    expect(JSON.stringify(world.invoke('bob', 'peek', 'go'))).not.toContain('second');
  });

  it('ecology/genesis-equals-text: genesis contracts say what their JavaScript says', () => {
    const names = ['ann', 'bob', 'x'];
    for (const [, { check: says, code }] of GENESIS_CONTRACTS)
      for (const action of ['read', 'write', 'invoke', 'delete', 'transfer', 'change_contract'] as const)
        for (const requester_id of names)
          for (const owner of names)
            for (const creator of ['ann', 'bob']) {
              const context = { owner, creator, version: 1, method: null };
              const question: Question = { artifact_id: 'x', action, requester_id, content: null, context };
              const ended = engine.run({
                source: GLUE + code,
                name: 'check_permission',
                values: JSON.stringify([question]),
                fuel: 50_000,
                host: () => null,
              });
              expect(ended.outcome === 'value' && JSON.parse(ended.text)).toEqual(says(question));
            }
  });

  it('ecology/memo-transparent (L32): an engine that knows all runs and a new one decide the same', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const worlds = [engine, engine, freshEngine()].map(smallWorld);
        for (const world of worlds) for (const move of script) make(world, move);
        expect(new Set(worlds.map(({ run }) => run.hash)).size).toBe(1);
      }),
      { seed: LAW_SEED, numRuns: draws(60) },
    );
  });
});
