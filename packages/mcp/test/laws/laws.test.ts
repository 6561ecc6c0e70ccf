/**
 * Properties of what is decided without a connection: who is let in, what has the declared shape, what a tool
 * takes.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Json } from '@assay/kernel';
import { memoryStore } from '@assay/host';
import { shapeFault } from '../../src/client/tool-port.ts';
import { listHosts, findRefusal } from '../../src/server/http.ts';
import { makeTools } from '../../src/server/server.ts';
import { desk } from '../tools/desk.ts';
import { draws } from '../../../kernel/tools/laws.ts';

const SEED = 20_260_101;
const RUNS = draws(1_000);
console.log(`laws of mcp: seed ${SEED}, ${RUNS} runs each`);
const laws = { seed: SEED, numRuns: RUNS };

/** Schemas of the keywords that are read. */
const schemas: fc.Arbitrary<z.ZodType> = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<z.ZodType>(
      z.string(),
      z.boolean(),
      z.null(),
      z.literal('a'),
      z.literal(1),
      z.enum(['a', 'b']),
    ),
    tie('schema').map((each) => z.array(each)),
    fc
      .dictionary(fc.constantFrom('a', 'b', '__proto__', 'a/b'), tie('schema'), { maxKeys: 3 })
      .map((shape) =>
        z.strictObject(Object.fromEntries(Object.entries(shape).filter(([key]) => key !== '__proto__'))),
      ),
    fc
      .dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 })
      .map((shape) => z.looseObject(shape)),
  ),
})).schema;

/** Values that often have such a shape. */
const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>('a', 'b', 'c', 1, 2, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a/b'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('laws of mcp', () => {
  it(
    'mcp/shape-agrees-with-zod: over the keywords that are read, a value differs from a ' +
      'schema exactly where zod says so',
    () => {
      let [fitting, differing] = [0, 0];
      fc.assert(
        fc.property(schemas, values, (schema, value) => {
          const json = JSON.parse(JSON.stringify(z.toJSONSchema(schema))) as Json;
          const isFitting = schema.safeParse(value).success;
          if (isFitting) fitting += 1;
          else differing += 1;
          return (shapeFault(value, json) === null) === isFitting;
        }),
        laws,
      );
      // Both were drawn, or the law says nothing.
      expect(fitting).toBeGreaterThan(RUNS / 100);
      expect(differing).toBeGreaterThan(RUNS / 100);
    },
  );

  it('mcp/shape-total: any value against any JSON as a schema ends, and runs nothing of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, schema) => {
        const fault = shapeFault(value as Json, schema as Json);
        return fault === null || typeof fault.keyword === 'string';
      }),
      laws,
    );
    // A pattern that takes for ever is not tried.
    expect(shapeFault(`${'a'.repeat(40)}!`, { type: 'string', pattern: '^(a+)+$' })).toBeNull();
  });

  it(
    'mcp/gate-own-names-only: a request is let in under a name of this machine at this port, ' +
      'and under no other',
    () => {
      const names = fc.constantFrom(
        '127.0.0.1',
        'localhost',
        '[::1]',
        'evil.example',
        '127.0.0.1.evil.example',
        'localhost.evil.example',
        '',
        '0.0.0.0',
        '192.0.2.1',
        '127.1',
      );
      const ports = fc.constantFrom(':8080', ':80', ':8081', '', ':8080:8080', ':08080');
      const hosts = fc.tuple(names, ports).map((parts) => parts.join(''));
      const origins = fc.option(
        fc.tuple(fc.constantFrom('http://', 'https://', '', 'null'), hosts).map((parts) => parts.join('')),
        { nil: undefined },
      );
      const own = ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080'];
      fc.assert(
        fc.property(hosts, origins, (host, origin) => {
          const headers = { host, ...(origin === undefined ? {} : { origin }) };
          const isIn =
            findRefusal(
              { headers, method: 'POST', url: '/mcp' },
              { hosts: listHosts('127.0.0.1', 8_080), token: null },
              { '/mcp': ['POST'] },
            ) === null;
          return (
            isIn ===
            (own.includes(host) && (origin === undefined || own.some((name) => origin === `http://${name}`)))
          );
        }),
        laws,
      );
    },
  );

  it(
    'mcp/arguments-total: whatever a tool is called with, it answers, and what does not fit ' +
      'stores nothing',
    async () => {
      const store = memoryStore();
      const tools = [...makeTools(desk({ store, allowAnswer: true })).values()];
      const caller = { client: null, signal: new AbortController().signal };
      const texts = fc.constantFrom('', '../x', 'run', '\u0000', 'a'.repeat(200), '__proto__');
      const given = fc.oneof(
        fc.jsonValue(),
        fc.dictionary(
          fc.constantFrom(
            'run_id',
            'request_id',
            'answer',
            'record',
            'limit',
            'after',
            'head',
            'expect',
            'pins',
            'proposers',
            'hash_only',
          ),
          fc.oneof(texts, fc.integer(), fc.jsonValue()),
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...tools), given, async ({ call, name }, args) => {
          const answer = await call(args, caller);
          return answer._tag === 'Left' ? /^[a-z_]+$/.test(answer.left.code) : name === 'store_list';
        }),
        laws,
      );
      expect(await store.list()).toEqual({ _tag: 'Right', right: [] });
    },
  );
});
