/** Servers of one's own, which may be stopped and wiped. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const DEBIAN = '/usr/lib/postgresql';
const bins = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
const bin = bins.find((folder) => existsSync(join(folder, 'initdb')));
const redis = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path));

/** What is missing here for servers of one's own; null where nothing is. */
export const missing =
  bin === undefined ? 'initdb (postgresql)' : redis === undefined ? 'redis-server' : null;

/** PostgreSQL does not run as root. */
function owner() {
  if (process.getuid?.() !== 0) return {};
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  await once(listener, 'close');
  return port;
}

/** A PostgreSQL on a free port. `restart`: every connection is cut, and it is away for so long. */
export async function startPostgres() {
  const [folder, port, as] = [mkdtempSync(join(tmpdir(), 'assay-fleet-pg-')), await freePort(), owner()];
  if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const run = (name, ...args) => execFileSync(join(bin, name), args, { ...as, cwd: folder, stdio: 'ignore' });
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-N');
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200`;
  const start = () => run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async (awayMs) => {
      run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
      await sleep(awayMs);
      start();
    },
    remove: async () => {
      run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A Redis on a free port. */
export async function startRedis() {
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'assay-fleet-redis-')), await freePort()];
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--appendonly', 'yes', '--dir', folder];
  const start = async () => {
    const server = spawn(redis, args, { stdio: 'ignore' });
    await sleep(300);
    return server;
  };
  let server = await start();
  const stop = async () => {
    const exit = once(server, 'exit');
    if (server.kill('SIGKILL')) await exit;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    restart: async (awayMs) => {
      await stop();
      await sleep(awayMs);
      server = await start();
    },
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
