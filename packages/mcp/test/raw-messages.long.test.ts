/** The exhaustive half of `raw-messages.test.ts`: every cut of an event, judged by the SDK's own reader. */
import { describe, expect, test } from 'vitest';
import { RawBody } from '../src/client/watched-fetch.ts';
import { cut, heardBySdk, utf8 } from './tools/heard.ts';

describe('as the SDK hears it', () => {
  /** A message with a member twice, and the one that ends what is listened to. */
  const BAD = '{"jsonrpc":"2.0","method":"one","method":"bad"}';
  const LAST = '{"jsonrpc":"2.0","method":"last"}';
  const isBadHeard = async (type: string, pieces: readonly Uint8Array[]): Promise<boolean> =>
    (await heardBySdk(type, pieces)).some((message) => message.includes('"bad"'));
  const isTold = (type: string, pieces: readonly Uint8Array[]): boolean => {
    const body = new RawBody(type);
    const told = pieces.map((piece) => body.push(piece));
    return [...told, body.end()].some((fault) => fault !== null);
  };
  const MARK = '\u00ef\u00bb\u00bf';

  test(
    'the type of a body is the one that the SDK sees: in any case, with any parameters, and ' +
      'never found in a parameter',
    async () => {
      const types = [
        'text/event-stream',
        'Text/Event-Stream',
        ' TEXT/EVENT-STREAM ;charset=utf-8',
        'text/event-stream;',
        'text/event-stream; x=application/json',
        'text/event-stream, text/event-stream',
        'text/event-stream-x',
        'application/json',
        'Application/JSON',
        'application/json; x=text/event-stream',
        'application/json; x="text/event-stream"',
        'application/json;',
        'text/plain; x=text/event-stream',
        '',
      ];
      const heard: boolean[] = [];
      for (const type of types) {
        const stream = [utf8(`data: ${BAD}\n\ndata: ${LAST}\n\n`)];
        const json = [utf8(`[${BAD},${LAST}]`)];
        for (const pieces of [stream, json]) {
          if (type.toLowerCase().trim().startsWith('text/event-stream') && pieces === json) continue;
          const isHeard = await isBadHeard(type, pieces);
          if (isHeard) expect([type, isTold(type, pieces)]).toEqual([type, true]);
          heard.push(isHeard);
        }
      }
      expect(heard.filter(Boolean)).toHaveLength(10);
    },
  );

  /** Spoils an event that has not ended yet, and ends what is listened to. */
  const TAIL = utf8(`data: x\n\ndata: ${LAST}\n\n`);
  const both = async (
    pieces: readonly Uint8Array[],
  ): Promise<readonly [isTold: boolean, isHeard: boolean]> => [
    isTold('text/event-stream', pieces),
    await isBadHeard('text/event-stream', [...pieces, TAIL]),
  ];

  test(
    'an event is told of no later than the SDK hears it: any line ends and marks, cut after ' +
      'every byte, and at any one or two places near them',
    async () => {
      const ends = ['\n', '\r', '\r\n'];
      const starts = ['', '\ufeff', MARK, `\ufeff${MARK}`, `${MARK}\ufeff`, `${MARK}${MARK}`];
      let heard = 0;
      for (const [start, first, second] of starts.flatMap((mark) =>
        ends.flatMap((one) => ['', ...ends].map((two) => [mark, one, two] as const)),
      )) {
        const bytes = utf8(`${start}data: ${BAD}${first}${second}`);
        const near = [
          ...Array(utf8(start).length + 2).keys(),
          ...Array.from({ length: first.length + second.length + 2 }, (_, back) => bytes.length - back),
        ];
        for (const at of [[...bytes.keys()], ...near.flatMap((one) => near.map((two) => [one, two]))]) {
          const [told, isHeard] = await both(cut(bytes, at));
          expect([start, first, second, at, told]).toEqual([start, first, second, at, isHeard]);
          if (isHeard) heard += 1;
        }
      }
      expect(heard).toBeGreaterThan(1_000);
    },
  );

  test(
    "a line feed of its own after a return's ends the event, and only a mark that begins the " +
      'first piece is cut away',
    async () => {
      const heard = (...pieces: readonly string[]): Promise<readonly [boolean, boolean]> =>
        both(pieces.map(utf8));
      expect(await heard(`data: ${BAD}\r`, '\n', '\n')).toEqual([true, true]);
      expect(await heard(`data: ${BAD}\r`, '', '\n', '', '\r\n')).toEqual([true, true]);
      expect(await heard(`data: ${BAD}\r`, '\n')).toEqual([false, false]);
      expect(await heard(`${MARK}data: ${BAD}\n\n`)).toEqual([true, true]);
      expect(await heard(`\n${MARK}data: ${BAD}\n\n`)).toEqual([false, false]);
      // Cut in two it is part of a line that says nothing. Taken for data, the line would spoil what follows,
      // which is then not told of.
      expect(await heard(MARK.slice(0, 1), `${MARK.slice(1)}data: x\ndata: ${BAD}\n\n`)).toEqual([
        true,
        true,
      ]);
    },
  );
});
