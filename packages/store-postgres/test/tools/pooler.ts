/** Poolers between store and server, which share connections between transactions. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, Socket, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { orThrow } from '@assay/kernel';
import { parseAddress } from '../../src/address.ts';
import { READY } from './scripted.js';
import { serverPlace, urlOf } from './server.js';

/**
 * A pooler with two connections to the server. `use`: every transaction from now on is carried out by this
 * one, whoever sends it.
 */
export type Pooler = {
  readonly port: number;
  readonly use: (connection: 0 | 1) => void;
  readonly close: () => Promise<void>;
};

/** A connection to the server: who waits for an answer of it, and what comes next. */
type Backend = {
  readonly socket: Socket;
  client: Socket | null;
  readonly queue: { readonly client: Socket; readonly unit: Buffer }[];
};

/** Starts one that does as it is told, on a free port. It asks for no password. */
export async function startPooler(): Promise<Pooler> {
  const backends = { 0: await loggedIn(), 1: await loggedIn() };
  const clients = new Set<Socket>();
  let used: 0 | 1 = 0;
  const listener = createServer((client) => {
    clients.add(client);
    client.on('error', () => undefined);
    client.once('data', () => {
      client.write(READY);
      let rest: Buffer = Buffer.alloc(0);
      client.on('data', (data: Buffer) => {
        rest = Buffer.concat([rest, data]);
        for (let end = unitEnd(rest); end !== null; end = unitEnd(rest)) {
          backends[used].queue.push({ client, unit: rest.subarray(0, end) });
          rest = rest.subarray(end);
          carryOn(backends[used]);
        }
      });
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    use: (connection) => {
      used = connection;
    },
    async close() {
      for (const socket of [...clients, backends[0].socket, backends[1].socket]) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** A connection that the driver logged in, and has no more to do with. */
async function loggedIn(): Promise<Backend> {
  const socket = new Socket();
  const driver = new Client({ connectionString: urlOf('assay'), stream: () => socket });
  driver.on('error', () => undefined);
  await driver.connect();
  socket.removeAllListeners('data');
  const backend: Backend = { socket, client: null, queue: [] };
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    backend.client?.write(data);
    rest = Buffer.concat([rest, data]);
    for (let size = messageSize(rest); size !== null; size = messageSize(rest)) {
      // Ready for the next, and in no transaction: it is anybody's again.
      if (rest[0] === code('Z') && rest[5] === code('I')) backend.client = null;
      rest = rest.subarray(size);
    }
    carryOn(backend);
  });
  return backend;
}

function carryOn(backend: Backend): void {
  if (backend.client !== null) return;
  const next = backend.queue.shift();
  if (next === undefined) return;
  backend.client = next.client;
  backend.socket.write(next.unit);
}

/**
 * Where the first thing that the server answers as a whole ends: a query, or messages up to Sync. Null: not
 * all there.
 */
function unitEnd(data: Buffer): number | null {
  for (let at = 0; ; ) {
    const size = messageSize(data.subarray(at));
    if (size === null) return null;
    const letter = data[at];
    at += size;
    if (letter === code('Q') || letter === code('S')) return at;
  }
}

/** Bytes of the first message; null where it is not all there. */
function messageSize(data: Buffer): number | null {
  if (data.length < 5) return null;
  const size = data.readInt32BE(1) + 1;
  return data.length < size ? null : size;
}

function code(letter: string): number | undefined {
  return letter.codePointAt(0);
}

/**
 * True where PgBouncer can be started; says so where not. What it is tested for is tested before
 * {@link startPooler} everywhere.
 */
export function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    console.warn(
      'store-postgres: PgBouncer itself is not tested here: no such program (Debian: apt-get install pgbouncer)',
    );
    return false;
  }
}

/** Starts PgBouncer before the server: `pool_mode=transaction`, so many connections to the server. */
export async function startPgBouncer(connections: number): Promise<Omit<Pooler, 'use'>> {
  const { user, password, database } = orThrow(parseAddress(urlOf('assay')));
  const { host, port } = serverPlace();
  const own = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'assay-pgbouncer-'));
  chmodSync(folder, 0o755);
  const ini = join(folder, 'pgbouncer.ini');
  const login = [`user=${user ?? 'postgres'}`, ...(password === null ? [] : [`password=${password}`])].join(
    ' ',
  );
  writeFileSync(
    ini,
    `[databases]\n${database} = host=${host} port=${port} ${login}\n[pgbouncer]\nlisten_addr ` +
      `= 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =\nauth_type = any\npool_mode = ` +
      `transaction\ndefault_pool_size = ${connections}\n`,
    { mode: 0o644 },
  );
  // It refuses to run as root.
  const child = spawn('pgbouncer', ['--quiet', ini], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
  });
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true });
  };
  for (let tries = 0; !(await answers(own)); tries += 1) {
    if (tries < 100 && child.exitCode === null) continue;
    await close();
    throw new Error(`PgBouncer did not start (exit ${String(child.exitCode)})`);
  }
  return { port: own, close };
}

async function freePort(): Promise<number> {
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return false;
  } finally {
    socket.destroy();
  }
}
