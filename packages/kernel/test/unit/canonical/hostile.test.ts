import { admit, canonicalize, orThrow, OUTSIDE_LIMITS, type Json } from '@assay/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { cpuTime } from '../../../tools/cpu-time.js';

const shared = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value, value];
  return value;
};

describe('size attacks', () => {
  it('10,000 levels are refused at the limit, without a stack overflow', () => {
    const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as unknown;
    expect(canonicalize(deep)).toEqual({ _tag: 'Left', left: { code: 'depth', path: '/0'.repeat(1_024) } });
    const objects = JSON.parse('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)) as unknown;
    expect(canonicalize(objects)).toEqual({
      _tag: 'Left',
      left: { code: 'depth', path: '/a'.repeat(1_024) },
    });
    expect(canonicalize(JSON.parse('['.repeat(1_024) + ']'.repeat(1_024)))._tag).toBe('Right');
  });

  it(
    'a value shared a few times is written each time; shared a million times it stops at the ' +
      'value limit at once',
    () => {
      // Not more than a few million: where a mutant drops the limit, the walk has to end as well.
      expect(orThrow(admit(shared(3))).text).toBe('[[[1,1],[1,1]],[[1,1],[1,1]]]');
      const { result, milliseconds } = cpuTime(() => admit(shared(20), OUTSIDE_LIMITS));
      expect(result).toEqual({ _tag: 'Left', left: { code: 'values', path: '' } });
      expect(milliseconds).toBeLessThan(5_000);
    },
  );

  it('text shared in many places stops at the size limit before it is written', () => {
    const long = 'x'.repeat(1_000_000);
    const { result, milliseconds } = cpuTime(() => admit(new Array(100).fill(long), OUTSIDE_LIMITS));
    expect(result).toEqual({ _tag: 'Left', left: { code: 'size', path: '' } });
    expect(milliseconds).toBeLessThan(5_000);
  });
});

describe('sharing', () => {
  it('one object in two places is two equal copies, neither a cycle', () => {
    const inner = { b: [1] };
    const copy = orThrow(admit({ x: inner, y: [inner] })).value;
    expect(copy).toEqual({ x: { b: [1] }, y: [{ b: [1] }] });
    const { x, y } = copy as { readonly x: object; readonly y: readonly object[] };
    expect(x).not.toBe(y[0]);
    expect(x).not.toBe(inner);
  });

  it('a copy has the plain prototypes, also of a null-prototype object', () => {
    const bare = Object.assign(Object.create(null) as object, { a: Object.create(null) as object });
    const copy = orThrow(admit([bare])).value as readonly { readonly a: object }[];
    expect(Object.getPrototypeOf(copy)).toBe(Array.prototype);
    expect(Object.getPrototypeOf(copy[0])).toBe(Object.prototype);
    expect(Object.getPrototypeOf(copy[0]?.a)).toBe(Object.prototype);
  });

  it("own __proto__ stays data and becomes nobody's prototype", () => {
    const copy = orThrow(admit(JSON.parse('{"__proto__":{"polluted":true},"a":1}'))).value as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(copy)).toEqual(['__proto__', 'a']);
    expect('polluted' in copy).toBe(false);
  });
});

describe('a page that changed the built-in prototypes', () => {
  const undo: (() => void)[] = [];
  afterEach(() => {
    for (const step of undo.splice(0)) step();
  });
  const pollute = (target: object, key: PropertyKey, slot: PropertyDescriptor): void => {
    Object.defineProperty(target, key, { configurable: true, ...slot });
    undo.push(() => void Reflect.deleteProperty(target, key));
  };
  const value = { b: [1, 'x'], a: { toJSON: 1, c: null } };
  const expected = '{"a":{"c":null,"toJSON":1},"b":[1,"x"]}';

  it.each([
    ['Object.prototype.toJSON', Object.prototype],
    ['Array.prototype.toJSON', Array.prototype],
    ['String.prototype.toJSON', String.prototype],
    ['Number.prototype.toJSON', Number.prototype],
  ])('%s is not called', (_what, target) => {
    pollute(target, 'toJSON', { value: () => 'polluted', writable: true });
    expect(orThrow(admit(value)).text).toBe(expected);
  });

  it('a setter or a constant on Object.prototype swallows no key of the copy', () => {
    let calls = 0;
    pollute(Object.prototype, 'a', { set: () => (calls += 1), get: () => (calls += 1) });
    pollute(Object.prototype, 'b', { value: 'constant', writable: false });
    const { text, value: copy } = orThrow(admit(value));
    expect([text, Object.keys(copy as object), calls]).toEqual([expected, ['a', 'b'], 0]);
  });

  it('elements on Array.prototype fill no hole', () => {
    pollute(Array.prototype, '1', { value: 'polluted', writable: true });
    const holed = new Array(3).fill(0);
    // oxlint-disable-next-line typescript/no-array-delete -- a hole is what is tested
    delete holed[1];
    expect(admit(holed)).toEqual({ _tag: 'Left', left: { code: 'sparse_array', path: '/1' } });
    Object.assign(holed, { extra: 1 });
    expect(admit(holed)).toEqual({ _tag: 'Left', left: { code: 'sparse_array', path: '/1' } });
  });

  it("a getter on a prototype is neither called nor taken for the value's own", () => {
    pollute(Object.prototype, 'elsewhere', { get: () => 1 });
    expect(orThrow(admit(value)).text).toBe(expected);
  });
});

describe('proxies', () => {
  it('are judged by what their traps show, read once, and the copy is what was written', () => {
    let reads = 0;
    const shifting = new Proxy<Record<string, unknown>>(
      { a: 1, b: 2 },
      {
        getOwnPropertyDescriptor: () => ({
          value: (reads += 1),
          enumerable: true,
          configurable: true,
          writable: true,
        }),
        get: () => 'read by a get trap',
      },
    );
    const { text, value } = orThrow(admit(shifting));
    expect(text).toBe('{"a":1,"b":2}');
    expect(value).toEqual({ a: 1, b: 2 });
    expect(reads).toBe(2);
  });

  it('an array proxy that lies about its length, its keys or its elements gives a refusal or what was read', () => {
    const lying = (handler: ProxyHandler<unknown[]>): unknown => admit(new Proxy<unknown[]>([1, 2], handler));
    const get =
      (length: unknown) =>
      (target: unknown[], key: PropertyKey): unknown =>
        key === 'length' ? length : Reflect.get(target, key);
    expect(lying({})).toMatchObject({ _tag: 'Right', right: { text: '[1,2]' } });
    for (const length of [1, 3, Number.NaN, -1, '2', {}, undefined])
      expect(lying({ get: get(length) })).toMatchObject({ _tag: 'Left' });
    expect(lying({ get: get(Number.POSITIVE_INFINITY) })).toEqual({
      _tag: 'Left',
      left: { code: 'values', path: '' },
    });
    expect(
      lying({
        getOwnPropertyDescriptor: (target, key) =>
          key === '0' ? undefined : Reflect.getOwnPropertyDescriptor(target, key),
      }),
    ).toEqual({ _tag: 'Left', left: { code: 'hidden_key', path: '/0' } });
    let asked = 0;
    const fickle = lying({
      getOwnPropertyDescriptor: (target, key) =>
        key === 'length'
          ? Reflect.getOwnPropertyDescriptor(target, key)
          : { value: 1, enumerable: (asked += 1) > 1, configurable: true, writable: true },
    });
    // What is refused is looked at once more, and that look decides.
    expect(fickle).toMatchObject({ _tag: 'Right', right: { text: '[1,2]' } });
    let reads = 0;
    const counting = lying({
      get: (target, key) =>
        typeof key === 'string' && /^\d+$/.test(key) ? (reads += 1) : Reflect.get(target, key),
    });
    expect(counting).toMatchObject({ _tag: 'Right', right: { text: '[1,2]', value: [1, 2] } });
  });

  it('a property that vanishes between listing and reading is refused', () => {
    const vanishing = new Proxy<Record<string, Json>>(
      { a: 1 },
      { getOwnPropertyDescriptor: () => undefined },
    );
    expect(admit(vanishing)).toEqual({ _tag: 'Left', left: { code: 'not_plain', path: '' } });
  });

  it("a trap that throws is the caller's own exception", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(() => admit(proxy)).toThrow(TypeError);
  });
});
