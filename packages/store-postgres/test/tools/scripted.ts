/** A server that speaks just enough of PostgreSQL's protocol to refuse. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What such a server does. `password`: asks for one, and refuses it. `silent`: takes connections and says
 * nothing. `mysql`: greets as MySQL does.
 */
export type Script = 'password' | 'scram' | 'silent' | 'starting' | 'garbage' | 'mysql';

/** A scripted server on a free port; `heard`: what it was told, as text. */
export type Scripted = {
  readonly port: number;
  readonly heard: () => string;
  readonly close: () => Promise<void>;
};

/**
 * Starts one: a script, or what it answers to the first thing it is told, to the second and so on, byte for
 * byte.
 */
export async function startScripted(script: Script | readonly Buffer[]): Promise<Scripted> {
  const open = new Set<Socket>();
  let heard = '';
  const listener = createServer((socket) => {
    open.add(socket);
    let messages = 0;
    socket.on('error', () => undefined);
    if (script === 'mysql') socket.write(MYSQL);
    socket.on('data', (data: Buffer) => {
      heard += data.toString('latin1');
      messages += 1;
      const reply = typeof script === 'string' ? answer(script, messages) : (script[messages - 1] ?? null);
      if (reply !== null) socket.write(reply);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    heard: () => heard,
    async close() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** The `messages`-th answer. */
function answer(script: Script, messages: number): Buffer | null {
  switch (script) {
    case 'silent':
    case 'mysql':
      return null;
    case 'garbage':
      return Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n');
    case 'starting':
      return refusal('57P03', 'the database system is starting up');
    case 'password':
      // 3: a password, as it is.
      return messages === 1
        ? message('R', Buffer.from([0, 0, 0, 3]))
        : refusal('28P01', 'password authentication failed');
    case 'scram':
      // 10: SASL, and the mechanisms.
      return messages === 1
        ? message('R', Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from('SCRAM-SHA-256\0\0')]))
        : refusal('28P01', 'password authentication failed');
  }
}

function refusal(code: string, text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`));
}

/** A message: a letter, the length of what follows and itself, what follows. */
export function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** Logged in, and ready for the first statement. */
export const READY = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);

const MYSQL = Buffer.from('J\0\0\0\n8.0.36\0\b\0\0\0abcdefgh\0', 'latin1');
