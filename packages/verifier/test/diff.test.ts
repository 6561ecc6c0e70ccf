import { describe, expect, it } from 'vitest';
import { reforge } from '../../kernel/tools/ledger-builder.js';
import { diffLedgers } from '@assay/verifier';
import { here, noted, start, success, tell, there } from '../tools/runs.js';

const base = success().records;

describe('diffLedgers', () => {
  it('runs that decide alike are equal, whatever their ids, times and provenance', () => {
    expect(diffLedgers(base, base)).toEqual({ kind: 'equal', decisions: 5, givenDifferently: [] });
    expect(diffLedgers(base, success({ run_id: 'poll-2', ts_base: 'u' }).records)).toEqual({
      kind: 'equal',
      decisions: 5,
      givenDifferently: [],
    });
    const other = tell(start(), { value: { option: 'nowhere' } }, here, noted('hello'), there, {
      ...here,
      provenance: { model: 'other' },
    }).records;
    expect(diffLedgers(base, other)).toEqual({ kind: 'equal', decisions: 5, givenDifferently: [] });
  });

  it('a proposal that differs is the cause, and is shown', () => {
    const other = tell(start(), { value: { option: 'nowhere' } }, here, noted('hello'), here, here).records;
    expect(diffLedgers(base, other)).toMatchObject({
      kind: 'differs',
      decision: 3,
      causes: ['proposal'],
      proposal: { a: 8, b: 8, field: '/value/option', left: 'there', right: 'here' },
      at: { a: 9, b: 9, field: '/payload/edges/1', left: {}, right: null },
    });
  });

  it('a rejected answer more is a cause without effect, though all ids shift', () => {
    const other = tell(start(), here, noted('hello'), there, here).records;
    expect(diffLedgers(base, other)).toEqual({ kind: 'equal', decisions: 5, givenDifferently: ['proposal'] });
  });

  it('policy and input are named', () => {
    const policy = success({ policy: { voters: 3, quorum: 1, attempts: 2 } }).records;
    expect(diffLedgers(base, policy)).toMatchObject({
      kind: 'differs',
      decision: 0,
      causes: ['policy'],
      proposal: null,
      at: { a: 1, b: 1, field: '/payload/events/0/quorum', left: 2, right: 1 },
    });
    const input = success({ input: { question: 'When?', options: ['here', 'there'] } }).records;
    expect(diffLedgers(base, input)).toMatchObject({ kind: 'differs', decision: 0, causes: ['input'] });
  });

  it('machine versions and bases are named', () => {
    const machine = reforge(base, (payload, index, kind) =>
      index === 0
        ? { ...payload, machine: { name: 'tally', version: 2, engine: 'x' } }
        : kind === 'close'
          ? { ...payload, reasons: ['other'] }
          : undefined,
    );
    expect(diffLedgers(base, machine)).toMatchObject({ kind: 'differs', decision: 4, causes: ['machine'] });
    const engine = reforge(base, (payload, index) =>
      index === 0 ? { ...payload, machine: { name: 'tally', version: 1, engine: 'x' } } : undefined,
    );
    expect(diffLedgers(base, engine)).toMatchObject({ kind: 'equal', givenDifferently: [] });
    const forked = reforge(base, (payload, index) =>
      index === 0
        ? { ...payload, base: { run_id: 'p', count: 1, hash: base[0]?.record_hash ?? null, snapshot: null } }
        : undefined,
    );
    expect(diffLedgers(base, forked)).toMatchObject({ kind: 'equal', givenDifferently: ['base'] });
  });

  it('a decision that differs with nothing given differently has no cause', () => {
    const forged = reforge(base, (payload, index) => (index === 5 ? { ...payload, events: [] } : undefined));
    expect(diffLedgers(base, forged)).toMatchObject({
      kind: 'differs',
      decision: 1,
      at: { a: 5, b: 5, field: '/payload/events/0' },
      causes: [],
      proposal: null,
    });
  });

  it('a shorter ledger differs where it ends', () => {
    expect(diffLedgers(base, base.slice(0, 8))).toMatchObject({
      kind: 'differs',
      decision: 3,
      at: { a: 9, b: null },
      causes: ['proposal'],
      proposal: { a: 8, b: null },
    });
    expect(diffLedgers(base.slice(0, 9), base)).toMatchObject({
      kind: 'differs',
      decision: 3,
      at: { a: null, b: 9 },
      causes: [],
      proposal: null,
    });
    expect(diffLedgers([], [])).toEqual({ kind: 'equal', decisions: 0, givenDifferently: [] });
  });
});
