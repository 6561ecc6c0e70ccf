/**
 * The text of messages is looked at as the SDK's own parser of event streams reads it, however it is cut into
 * pieces.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../kernel/tools/laws.ts';
import { memberFault, RawBody } from '../src/client/watched-fetch.ts';
import { cut, utf8 } from './tools/heard.ts';

const runs = lawRuns('packages/mcp/test/raw-messages.test.ts');
const ONCE = [
  '{"a":1,"b":{"a":1}}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '[{"a":1},{"a":1}]',
  'no JSON "a": "a":',
  '',
];
const TWICE = ['{"a":1,"a":1}', '[{"b":{"a":1,"\\u0061":2}}]', '{"é":1,"é":[]}'];

test(
  'a member twice is seen at any depth and however it is spelled; a text within a text, ' +
    'and what is no JSON, is none',
  () => {
    expect([...ONCE, ...TWICE].map(memberFault)).toEqual([
      ...ONCE.map(() => null),
      ...TWICE.map(() => 'duplicate_key'),
    ]);
    expect(memberFault('[{"b":{"\\u005f_proto__":2}}]')).toBe('reserved_key');
  },
);

test('eight megabytes of escapes are looked through like any other text', () => {
  const long = '\\n'.repeat(4_000_000);
  expect([memberFault(`{"a":"${long}"}`), memberFault(`{"a":"${long}","b":{"a":1},"a":1}`)]).toEqual([
    null,
    'duplicate_key',
  ]);
});

describe('a body in pieces', () => {
  test('JSON is judged at its end, whatever its pieces', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ONCE, ...TWICE), fc.array(fc.nat(), { maxLength: 4 }), (text, at) => {
        const body = new RawBody('application/json; charset=utf-8');
        expect(
          cut(utf8(text), at)
            .map((piece) => body.push(piece))
            .some((fault) => fault !== null),
        ).toBe(false);
        expect(body.end() !== null).toBe(TWICE.includes(text));
      }),
      runs,
    );
  });

  test('an event is judged with the piece that ends it, with any line end and any pieces', () => {
    const event = fc.tuple(
      fc.constantFrom(...ONCE, ...TWICE),
      fc.constantFrom('\n', '\r', '\r\n'),
      fc.constantFrom('', ': a remark', 'event: message', 'id: 7', 'data'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 6 }),
        (events, at) => {
          const body = new RawBody('text/event-stream');
          const text = events
            .map(
              ([data, end, line, isSplit]) =>
                `${line}${line === '' ? '' : end}data: ` +
                `${isSplit ? data.replace(',', `,${end}data:`) : data}${end}${end}`,
            )
            .join('');
          const told = cut(utf8(text), at).map((piece) => body.push(piece));
          // A line feed of its own after a return and before the next event is the end of that return's line.
          expect(told.some((fault) => fault !== null)).toBe(events.some(([data]) => TWICE.includes(data)));
          expect(body.end()).toBe(null);
        },
      ),
      runs,
    );
  });

  test('the first piece that ends a bad event is the one that says so', () => {
    const body = new RawBody('text/event-stream');
    expect(
      ['data: {"a":1,', '"a":2}\n', '\r', '\ndata: {}', '\n\n'].map((piece) => body.push(utf8(piece))),
    ).toEqual([null, null, 'duplicate_key', null, null]);
  });
});
