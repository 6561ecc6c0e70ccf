/** A TCP proxy between store and server that cuts connections at chosen moments. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { message } from './scripted.js';
import { serverPlace } from './server.js';

/**
 * What happens to one request that holds the text, or to its reply. `forget`: it is dropped, and the
 * connection cut. `carry`: it is handed on, and the connection cut when the server has answered. `late`: the
 * connection is cut at once, and the request reaches the server when `release` is called.
 */
export type Cut = 'forget' | 'carry' | 'late';

/** A proxy; `received` counts bytes from the server. */
export type Proxy = {
  readonly port: number;
  readonly cuts: () => number;
  readonly received: () => number;
  /** Cuts the next `times` requests that hold `text`. */
  readonly cutNext: (text: string, cut: Cut, times?: number) => void;
  /**
   * Answers whatever holds `text` with an error of this condition, from now on; the server is not told of it.
   */
  readonly refuse: (text: string, condition: string) => void;
  /** Refuses new connections, and cuts those there are. */
  readonly shut: () => void;
  /** Hands on what `late` kept, and waits for the server's answers. */
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts a proxy on a free port. */
export async function startProxy(): Promise<Proxy> {
  let armed: { readonly text: string; readonly cut: Cut; times: number } | null = null;
  let refused: { readonly text: string; readonly reply: Buffer } | null = null;
  let cuts = 0;
  let received = 0;
  let isShut = false;
  const open = new Set<Socket>();
  const kept: { readonly upstream: Socket; readonly request: Buffer }[] = [];

  const listener = createServer((client) => {
    if (isShut) {
      client.destroy();
      return;
    }
    const upstream = connect(serverPlace());
    let isCarrying = false;
    let isKept = false;
    open.add(client).add(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('data', (request: Buffer) => {
      if (refused !== null && request.includes(refused.text)) {
        client.write(refused.reply);
        return;
      }
      if (armed === null || armed.times === 0 || !request.includes(armed.text)) {
        upstream.write(request);
        return;
      }
      armed.times -= 1;
      cuts += 1;
      if (armed.cut === 'carry') {
        isCarrying = true;
        upstream.write(request);
        return;
      }
      if (armed.cut === 'late') {
        isKept = true;
        kept.push({ upstream, request });
      }
      client.destroy();
    });
    upstream.on('data', (reply: Buffer) => {
      received += reply.length;
      if (isCarrying) client.destroy();
      else if (!client.destroyed && !client.write(reply)) {
        // What the client does not take is not asked for: what is counted is what it took.
        upstream.pause();
        client.once('drain', () => upstream.resume());
      }
    });
    client.on('close', () => {
      open.delete(client);
      if (!isKept) upstream.destroy();
    });
    upstream.on('close', () => {
      open.delete(upstream);
      client.destroy();
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cutAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (listener.address() as AddressInfo).port,
    cuts: () => cuts,
    received: () => received,
    cutNext: (text, cut, times = 1) => {
      armed = { text, cut, times };
    },
    refuse: (text, condition) => {
      refused = {
        text,
        reply: Buffer.concat([
          message('E', Buffer.from(`SERROR\0VERROR\0C${condition}\0Minjected\0\0`)),
          message('Z', Buffer.from('I')),
        ]),
      };
    },
    shut: () => {
      isShut = true;
      cutAll();
    },
    async release() {
      for (const { upstream, request } of kept.splice(0)) {
        upstream.write(request);
        // Its answer, then nothing more to say.
        await once(upstream, 'data');
        upstream.destroy();
      }
    },
    async close() {
      cutAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
