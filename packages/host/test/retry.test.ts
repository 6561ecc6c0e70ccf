import { describe, expect, it } from 'vitest';
import { isObject, orThrow, type Json, type Request } from '@assay/kernel';
import { tally } from '@assay/testing';
import {
  classOfError,
  classOfStatus,
  drive,
  FAILURE_RULES,
  memoryStore,
  nativeSha256,
  PortError,
  portsByKind,
  RETRY_AFTER_MS_MAX,
  type DriveOptions,
  type FailureClass,
  type PortAnswer,
  type PortCall,
} from '../src/index.ts';
import { classOfErrno, retryWaitMs } from '../src/failure-class.ts';
import { payloads, poll, port } from './tools.js';
import { virtually } from './simulation/virtually.js';

/**
 * Drives a poll of one voter in virtual time; the port's calls with their times, and what was recorded of
 * them.
 */
async function driven(
  answer: (request: Request, call: PortCall, at: number) => PortAnswer | Promise<PortAnswer>,
  given: Partial<DriveOptions> = {},
  attempts = 4,
): Promise<{ readonly at: readonly number[]; readonly proposals: readonly Json[]; readonly end: string }> {
  return virtually(async (life) => {
    const at: number[] = [];
    const store = memoryStore();
    const ballot = port(async (request, call) => {
      at.push(life.timer.now());
      return answer(request, call, at.length);
    });
    const { end } = orThrow(
      await drive(tally, poll({ voters: 1, quorum: 1, attempts }), {
        store,
        ports: portsByKind({ ballot }),
        timer: life.timer,
        ...given,
      }),
    );
    return {
      at,
      end,
      proposals: (await payloads(store, 'proposal')).filter(
        (proposal) => isObject(proposal) && proposal['request_id'] === '1.0',
      ),
    };
  });
}

const soup = { value: { option: 'soup' } };

/** A value that throws at every look. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('the class of a failed call', () => {
  it('by HTTP status, as the table says', () => {
    const table: readonly (readonly [number, FailureClass | null])[] = [
      [200, null],
      [304, null],
      [399, null],
      [NaN, null],
      [400, 'permanent'],
      [401, 'denied'],
      [403, 'denied'],
      [404, 'permanent'],
      [407, 'denied'],
      [408, 'timeout'],
      [422, 'permanent'],
      [425, 'rate_limited'],
      [429, 'rate_limited'],
      [451, 'denied'],
      [500, 'server_error'],
      [501, 'permanent'],
      [502, 'server_error'],
      [503, 'server_error'],
      [504, 'server_error'],
      [505, 'permanent'],
      [529, 'server_error'],
    ];
    for (const [status, expected] of table)
      expect([status, classOfStatus(status)]).toEqual([status, expected]);
  });

  it('by the code of an error, of its causes, and of what an aggregate holds', () => {
    const coded = (code: string, more: object = {}): Error =>
      Object.assign(new Error(code), { code, ...more });
    const table: readonly (readonly [unknown, FailureClass | null])[] = [
      [coded('ECONNREFUSED'), 'refused'],
      [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'dns'],
      [new TypeError('fetch failed', { cause: new AggregateError([coded('ETIMEDOUT')]) }), 'timeout'],
      [coded('EAI_AGAIN'), 'dns'],
      [coded('CERT_HAS_EXPIRED'), 'permanent'],
      [coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'permanent'],
      [coded('EPROTO'), 'permanent'],
      [new TypeError('fetch failed', { cause: coded('ERR_SSL_WRONG_VERSION_NUMBER') }), 'permanent'],
      [coded('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), 'refused'],
      ...['HPE_INVALID_CONSTANT', 'HPE_INVALID_CHUNK_SIZE', 'HPE_INVALID_CONTENT_LENGTH'].map(
        (code) => [new TypeError('fetch failed', { cause: coded(code) }), 'permanent'] as const,
      ),
      [coded('HPE_INVALID_EOF_STATE'), 'refused'],
      [coded('EPERM'), 'denied'],
      ...['UND_ERR_SOCKET', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED', 'EADDRNOTAVAIL'].map(
        (code) => [new TypeError('fetch failed', { cause: coded(code) }), 'refused'] as const,
      ),
      [new TypeError('Failed to parse URL', { cause: coded('ERR_INVALID_URL') }), 'permanent'],
      ...['UND_ERR_ABORTED', 'ABORT_ERR'].map((code) => [coded(code), null] as const),
      [new DOMException('', 'TimeoutError'), 'timeout'],
      [new DOMException('', 'AbortError'), null],
      [new PortError('lost'), 'lost'],
      [new Error('wrapped', { cause: new PortError('rate_limited') }), 'rate_limited'],
      [Object.assign(new Error('another copy of this package'), { name: 'PortError', class: 'dns' }), 'dns'],
      [Object.assign(new Error('unknown class'), { name: 'PortError', class: 'constructor' }), null],
      [new Error('ECONNREFUSED'), null],
      [coded('toString'), null],
      ['ECONNREFUSED', null],
      [null, null],
      [
        {
          get code(): string {
            throw new Error('called');
          },
        },
        null,
      ],
      [
        Object.defineProperty(new Error('named by a getter'), 'name', {
          get: () => {
            throw new Error('called');
          },
        }),
        null,
      ],
      [
        Object.defineProperty(new DOMException('', 'TimeoutError'), 'name', {
          get: () => {
            throw new Error('called');
          },
        }),
        'timeout',
      ],
      [{ name: 'PortError', class: 'dns' }, null],
      [revoked(), null],
      [new Error('fetch failed', { cause: revoked() }), null],
      [
        new Proxy(new Error('trap'), {
          getPrototypeOf: () => {
            throw new Error('trapped');
          },
          getOwnPropertyDescriptor: () => {
            throw new Error('trapped');
          },
        }),
        null,
      ],
    ];
    for (const [error, expected] of table) expect(classOfError(error)).toBe(expected);
    expect(classOfErrno('E_NONE')).toBeNull();
    const cyclic: { cause?: unknown } = {};
    cyclic.cause = cyclic;
    expect(classOfError(cyclic)).toBeNull();
  });
});

describe('a failed attempt', () => {
  it('of each class is recorded once, with its code, its class, and its cost where that is charged', async () => {
    for (const [failureClass, rule] of Object.entries(FAILURE_RULES)) {
      const { at, proposals } = await driven((_, __, attempt) =>
        attempt === 1
          ? Promise.reject(
              new PortError(failureClass as FailureClass, {
                spent: { tokens: 5 },
                provenance: { status: 1 },
              }),
            )
          : soup,
      );
      expect({ failureClass, first: proposals[0] }).toMatchObject({
        failureClass,
        first: {
          value: null,
          source: 'rule',
          proposer: 'test',
          failure: { code: rule.code, final: rule.isFinal, detail: { class: failureClass } },
        },
      });
      expect(proposals[0]).toMatchObject(
        rule.isCharged
          ? { spent: { tokens: 5 }, provenance: { status: 1 } }
          : { spent: {}, provenance: { status: 1, uncharged: { tokens: 5 } } },
      );
      expect([failureClass, at.length, proposals.length]).toEqual([
        failureClass,
        rule.isFinal ? 1 : 2,
        rule.isFinal ? 1 : 2,
      ]);
      if (!rule.isFinal) expect((at[1] ?? 0) - (at[0] ?? 0) > 0).toBe(rule.waits);
    }
  });

  it.each([[{ spent: { tokens: 1.5 } }], [{ provenance: { n: NaN } }]])(
    'keeps its class with %o',
    async (details) => {
      const { proposals } = await driven((_, __, attempt) =>
        attempt === 1 ? Promise.reject(new PortError('rate_limited', details as never)) : soup,
      );
      expect(proposals[0]).toMatchObject({
        failure: { code: 'unavailable', detail: { class: 'rate_limited' } },
      });
    },
  );

  it('of which nothing can be looked at is the failure of its class, or of none; the drive goes on', async () => {
    const trap = (): never => {
      throw new Error('trapped');
    };
    const hostile = new Proxy(
      {},
      { get: trap, ownKeys: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap },
    );
    const getter = Object.defineProperty({}, 'tokens', { enumerable: true, get: trap });
    const carrying = (more: object): Error =>
      Object.assign(new Error('down'), { code: 'ECONNREFUSED', ...more });
    for (const [index, error] of [revoked(), hostile, getter, null, undefined].entries()) {
      const { proposals } = await driven((_, __, attempt) =>
        attempt === 1 ? Promise.reject(error as Error) : soup,
      );
      expect({ index, proposals }).toMatchObject({
        index,
        proposals: [
          { failure: { code: 'unavailable', final: false, detail: null }, spent: {}, provenance: {} },
          { failure: null },
        ],
      });
    }
    for (const worse of [
      revoked(),
      hostile,
      getter,
      'sums',
      ['a'],
      'x'.repeat(8_000_000),
      { text: 'x'.repeat(8_000_000) },
      new Date(0),
      new Map(),
    ]) {
      const { proposals } = await driven((_, __, attempt) =>
        attempt === 1 ? Promise.reject(carrying({ provenance: worse, spent: worse })) : soup,
      );
      expect(proposals).toMatchObject([
        {
          failure: { code: 'unavailable', final: false, detail: { class: 'refused' } },
          spent: {},
          provenance: {},
        },
        { failure: null },
      ]);
      expect(proposals[0]).toHaveProperty('provenance', {});
    }
  });

  it('keeps the last cost it told of that is one, as it was told', async () => {
    const cost = { tokens: 3 };
    const { proposals } = await driven((_, { charge }, attempt) => {
      if (attempt > 1) return soup;
      charge?.(cost);
      cost.tokens = 99;
      for (const none of [
        revoked(),
        'sums',
        null,
        {
          get tokens(): number {
            throw new Error('called');
          },
        },
      ])
        charge?.(none as never);
      return Promise.reject(new Error('broke off'));
    });
    expect(proposals[0]).toMatchObject({ spent: { tokens: 3 } });
  });

  it('that a port answers with waits as one that it raises; a malformed one is asked again at once', async () => {
    const failing = async (
      failure: NonNullable<PortAnswer['failure']>,
      order: 'turn' | 'arrival',
    ): Promise<readonly number[]> =>
      (await driven((_, __, attempt) => (attempt === 1 ? { failure } : soup), { order })).at;
    const raised = (
      await driven((_, __, attempt) => (attempt === 1 ? Promise.reject(new PortError('rate_limited')) : soup))
    ).at;
    expect(raised[1]).toBeGreaterThanOrEqual(500);
    for (const order of ['turn', 'arrival'] as const) {
      for (const detail of [null, { class: 'rate_limited' }, 'busy'])
        expect(await failing({ code: 'unavailable', final: false, detail }, order)).toEqual(raised);
      for (const code of ['timeout', 'denied', 'lost'] as const)
        expect(await failing({ code, final: false, detail: null }, order)).toEqual(raised);
      expect(await failing({ code: 'malformed', final: false, detail: null }, order)).toEqual([0, 0]);
      expect(await failing({ code: 'unavailable', final: true, detail: null }, order)).toEqual([0]);
    }
  });
});

describe('the wait before the next attempt', () => {
  it('doubles from 1 s to 30 s, its second half drawn from seed and key', () => {
    const waits = (seed: string): readonly number[] =>
      Array.from({ length: 9 }, (_, used) =>
        retryWaitMs({ seed }, `key/${used + 1}`, used + 1, 0, nativeSha256),
      );
    for (const [index, wait] of waits('a').entries()) {
      const full = Math.min(30_000, 1_000 * 2 ** index);
      expect(wait).toBeGreaterThanOrEqual(full / 2);
      expect(wait).toBeLessThanOrEqual(full);
      expect(Number.isInteger(wait)).toBe(true);
    }
    expect(waits('a')).toEqual(waits('a'));
    expect(waits('a')).not.toEqual(waits('b'));
    const drawn = Array.from({ length: 400 }, (_, index) => retryWaitMs({}, `${index}`, 1, 0, nativeSha256));
    expect(Math.min(...drawn)).toBeLessThan(530);
    expect(Math.max(...drawn)).toBeGreaterThan(970);
    expect(retryWaitMs({}, 'k', 5_000, 0, nativeSha256)).toBeLessThanOrEqual(30_000);
    expect(retryWaitMs({ baseMs: 10, capMs: 15 }, 'k', 3, 0, nativeSha256)).toBeLessThanOrEqual(15);
  });

  it('is as long as the other side asks, up to ten minutes', async () => {
    expect(retryWaitMs({}, 'k', 1, 45_000, nativeSha256)).toBe(45_000);
    expect(retryWaitMs({}, 'k', 1, 10 ** 9, nativeSha256)).toBe(RETRY_AFTER_MS_MAX);
    const { at } = await driven((_, __, attempt) =>
      attempt === 1 ? Promise.reject(new PortError('rate_limited', { retryAfterMs: 7_000 })) : soup,
    );
    expect(at).toEqual([0, 7_000]);
  });

  it('is kept by a run, is the same in a second one, and ends at the signal', async () => {
    const failing = (): Promise<never> => Promise.reject(new PortError('server_error'));
    const { at, end } = await driven(failing);
    expect([at.length, end]).toEqual([4, 'refused']);
    for (const [index, full] of [1_000, 2_000, 4_000].entries()) {
      const wait = (at[index + 1] ?? 0) - (at[index] ?? 0);
      expect(wait).toBeGreaterThanOrEqual(full / 2);
      expect(wait).toBeLessThanOrEqual(full);
    }
    expect((await driven(failing)).at).toEqual(at);
  });

  it('ends at the signal, and nothing more is asked', async () => {
    const seen = await virtually(async (life) => {
      const controller = new AbortController();
      const ballot = port(() => Promise.reject(new PortError('server_error')));
      void life.wait('aborts', 300).then(() => controller.abort());
      const { end, underWay } = orThrow(
        await drive(tally, poll(), {
          store: memoryStore(),
          ports: portsByKind({ ballot }),
          timer: life.timer,
          signal: controller.signal,
        }),
      );
      return [end, underWay, life.timer.now()];
    });
    expect(seen).toEqual(['interrupted', [], 300]);
  });
});
