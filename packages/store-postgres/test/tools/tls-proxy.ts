/**
 * A server that speaks PostgreSQL over TLS, with a certificate nobody signed; behind it is the real one,
 * without.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { serverPlace } from './server.js';

/** A TLS proxy on a free port; `encrypted`: connections that were encrypted. */
export type TlsProxy = {
  readonly port: number;
  readonly encrypted: () => number;
  readonly close: () => Promise<void>;
};

/**
 * Starts one; `behind`: another server than the one of the tests. The certificate is made by `openssl`, for
 * localhost, and lasts a day.
 */
export async function startTlsProxy(
  behind: { readonly host: string; readonly port: number } = serverPlace(),
): Promise<TlsProxy> {
  const { key, cert } = certificate();
  const open = new Set<Socket>();
  let encrypted = 0;
  const listener = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    // The client asks for encryption in eight bytes of its own, before TLS begins. Source: PostgreSQL manual,
    // "SSL Session Encryption".
    socket.once('data', (asked: Buffer) => {
      if (asked.readInt32BE(4) !== 80_877_103) {
        socket.destroy();
        return;
      }
      socket.write('S');
      const inner = new TLSSocket(socket, { isServer: true, key, cert });
      const upstream = connect(behind);
      inner.on('error', () => upstream.destroy());
      upstream.on('error', () => inner.destroy());
      inner.once('data', () => {
        encrypted += 1;
      });
      inner.pipe(upstream).pipe(inner);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    encrypted: () => encrypted,
    async close() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

function certificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        '-subj',
        '/CN=localhost',
        '-keyout',
        key,
        '-out',
        cert,
      ],
      { stdio: 'pipe' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
