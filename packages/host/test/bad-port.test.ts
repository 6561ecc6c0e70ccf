/**
 * A port that is none is not asked: what it would answer could not be recorded, and its cost would be
 * nowhere.
 */
import { describe, expect, it } from 'vitest';
import { orThrow, type Request } from '@assay/kernel';
import { tally } from '@assay/testing';
import { drive, memoryStore, portsByKind, type Port, type Store } from '@assay/host';
import { AT_ONCE, payloads, poll, port } from './tools.js';

type Driven = {
  readonly store: Store;
  readonly end: string;
  readonly told: readonly (readonly [string, string])[];
};

async function drivenBy(ports: (request: Request) => Port | null): Promise<Driven> {
  const store = memoryStore();
  const told: [string, string][] = [];
  const { end } = orThrow(
    await drive(tally, poll({ voters: 2, quorum: 1 }), {
      store,
      ports,
      retry: AT_ONCE,
      onEvent: (event) => {
        if (event.type === 'port_error') told.push([event.request.id, String(event.error)]);
      },
    }),
  );
  return { store, end, told };
}

describe('a port whose fields cannot be used is not asked', () => {
  const NAMES: readonly (readonly [unknown, string])[] = [
    ['GPT 4o', '"GPT 4o"'],
    ['', '""'],
    [undefined, 'undefined'],
    [null, 'null'],
    [4, '4'],
    ['x'.repeat(200), `"${'x'.repeat(128)}"`],
    ['a\ud800', '"a\ufffd"'],
  ];

  it.each(NAMES)(
    "its proposer is %o: every request ends with the host's final failure",
    async (proposer, got) => {
      const ballot = port(() => ({ value: { option: 'soup' }, spent: { cents: 1 } }), {
        proposer: proposer as never,
      });
      const { store, end, told } = await drivenBy(portsByKind({ ballot }));
      expect([end, ballot.calls]).toEqual(['refused', []]);
      const proposals = await payloads(store, 'proposal');
      expect(proposals[0]).toMatchObject({
        source: 'rule',
        proposer: 'host',
        value: null,
        spent: {},
        failure: { code: 'unavailable', final: true, detail: { code: 'port', field: 'proposer', got } },
      });
      expect(told[0]).toEqual([
        '1.0',
        'RangeError: the port for ballot (source rule) was not asked: proposer: expected ' +
          `[A-Za-z0-9][A-Za-z0-9._~:/@+-]{0,127}, got ${got}`,
      ]);
    },
  );

  it('it performs nothing: its attempts are not used up one after the other', async () => {
    const { store, end } = await drivenBy(() => ({ source: 'rule', proposer: 'test' }) as never);
    expect(end).toBe('refused');
    expect((await payloads(store, 'proposal'))[0]).toMatchObject({
      failure: {
        code: 'unavailable',
        final: true,
        detail: { code: 'port', field: 'perform', got: 'undefined' },
      },
    });
  });

  it('it is nothing at all: nobody answers', async () => {
    for (const none of [undefined, 'port', 7]) {
      const { store, told } = await drivenBy(() => none as never);
      expect((await payloads(store, 'proposal'))[0]).toMatchObject({
        proposer: 'host',
        failure: { code: 'unavailable', final: true, detail: null },
      });
      expect(told).toEqual([]);
    }
  });

  it('it is taken as it was before its call, whatever it becomes meanwhile', async () => {
    const ballot: { proposer: string } & Port = {
      source: 'rule',
      proposer: 'test',
      perform: async () => {
        ballot.proposer = 'no name';
        return Promise.resolve({ value: { option: 'soup' } });
      },
    };
    const store = memoryStore();
    orThrow(await drive(tally, poll({ voters: 1, quorum: 1 }), { store, ports: portsByKind({ ballot }) }));
    expect((await payloads(store, 'proposal'))[0]).toMatchObject({
      proposer: 'test',
      value: { option: 'soup' },
    });
  });

  const revoked = (): never => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy as never;
  };
  const raise = (): never => {
    throw new Error('looked at');
  };
  const whole = {
    source: 'rule',
    proposer: 'test',
    perform: async () => Promise.resolve({ value: { option: 'soup' } }),
  } as const;
  const UNREADABLE: readonly (readonly [string, unknown])[] = [
    ['source', Object.defineProperty({ ...whole }, 'source', { get: raise })],
    ['proposer', Object.defineProperty({ ...whole }, 'proposer', { get: raise })],
    ['perform', Object.defineProperty({ ...whole }, 'perform', { get: raise })],
    ['bound', Object.defineProperty({ ...whole }, 'bound', { get: raise })],
    ['source', revoked()],
  ];

  it.each(UNREADABLE)(
    "its %s throws when it is read: every request ends with the host's final failure",
    async (field, bad) => {
      const store = memoryStore();
      const told: string[] = [];
      const { end } = orThrow(
        await drive(tally, poll({ voters: 2, quorum: 1 }), {
          store,
          ports: () => bad as never,
          retry: AT_ONCE,
          budget: { limits: { usd: 1 } },
          onEvent: (event) => {
            if (event.type === 'port_error') told.push(`${event.request.id} ${String(event.error)}`);
          },
        }),
      );
      expect(end).toBe('refused');
      expect((await payloads(store, 'proposal'))[0]).toMatchObject({
        proposer: 'host',
        failure: { code: 'unavailable', final: true, detail: { code: 'port', field, got: 'an error' } },
      });
      expect(told[0]).toBe(
        `1.0 RangeError: the port for ballot (source unknown) was not asked: ${field}: expected ` +
          'a field that can be read, got an error',
      );
    },
  );

  it('an answer that throws when it is looked at is malformed; one whose `then` throws is none', async () => {
    const seen = async (given: () => unknown): Promise<unknown> => {
      const store = memoryStore();
      orThrow(
        await drive(tally, poll({ voters: 1, quorum: 1, attempts: 1 }), {
          store,
          ports: portsByKind({ ballot: { ...whole, perform: given as never } }),
          retry: AT_ONCE,
        }),
      );
      return (await payloads(store, 'proposal'))[0];
    };
    const looksBad = new Proxy({}, { ownKeys: raise });
    expect(await seen(async () => Promise.resolve(looksBad))).toMatchObject({
      failure: { code: 'malformed' },
    });
    for (const given of [
      async () => Promise.resolve(revoked()),
      revoked,
      () => new Proxy({}, { get: raise }),
    ]) {
      expect(await seen(given)).toMatchObject({
        proposer: 'test',
        failure: { code: 'unavailable', final: false, detail: null },
      });
    }
  });
});
