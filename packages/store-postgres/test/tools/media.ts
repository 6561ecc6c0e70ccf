/** Databases that take nothing more. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orThrow } from '@assay/kernel';
import type { Medium } from '@assay/testing/store-contract';
import { openUrl } from '@assay/store-postgres';
import { startProxy } from './proxy.js';
import { freshName, makePlace, sql, urlOf, type ServerPlace } from './server.js';

/** A role whose transactions only read. */
export const readOnly: Medium = {
  what: 'a role that may only read',
  errno: '25006',
  make: async (fill) => {
    const role = freshName();
    await sql(
      `CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} SET default_transaction_read_only = on`,
    );
    const place = makePlace();
    await filled(place, fill);
    return {
      open: async () => orThrow(openUrl(urlOf(place.schema, { user: role }))),
      remove: async () => {
        await place.remove();
        await sql(`DROP ROLE ${role}`);
      },
    };
  },
};

/** A role that was given the right to read, and no other. */
export const noRight: Medium = {
  what: 'a role without the right to write',
  errno: '42501',
  make: async (fill) => {
    const role = freshName();
    const place = makePlace();
    await filled(place, fill);
    await sql(
      `CREATE ROLE ${role} LOGIN; GRANT USAGE ON SCHEMA "${place.schema}" TO ${role}; GRANT ` +
        `SELECT ON ALL TABLES IN SCHEMA "${place.schema}" TO ${role}`,
    );
    return {
      open: async () => orThrow(openUrl(urlOf(place.schema, { user: role }))),
      remove: async () => {
        await place.remove();
        await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      },
    };
  },
};

/** PostgreSQL's own error of a full disk, said by a proxy to whatever would write. */
export const saidFull: Medium = {
  what: 'an injected full disk',
  errno: '53100',
  make: async (fill) => {
    const place = makePlace();
    await filled(place, fill);
    const proxy = await startProxy();
    proxy.refuse('INSERT INTO', '53100');
    return {
      open: async () => orThrow(openUrl(urlOf(place.schema, { port: proxy.port }))),
      remove: async () => {
        await proxy.close();
        await place.remove();
      },
    };
  },
};

/** A real full disk: the records in a tablespace on a file system of 1 MiB, filled up. */
export const fullDisk: Medium = {
  what: 'a full disk below the tablespace',
  errno: '53100',
  make: async (fill) => {
    const medium = mountSmall();
    const space = freshName();
    await sql(`CREATE TABLESPACE ${space} LOCATION '${medium.folder}'`);
    const place = makePlace();
    await filled(place, fill);
    // Out of line and as it stands: compressed, the text of these cases takes no room at all.
    await sql(
      `ALTER TABLE "${place.schema}".records ALTER COLUMN text SET STORAGE EXTERNAL; ALTER ` +
        `TABLE "${place.schema}".records SET TABLESPACE ${space}`,
    );
    medium.fillUp();
    return {
      open: place.open,
      remove: async () => {
        await place.remove();
        await sql(`DROP TABLESPACE ${space}`);
        medium.remove();
      },
    };
  },
};

/**
 * True where the server runs on this machine as user postgres and this process may mount. Under CI it must.
 */
export function canFillDisk(): boolean {
  try {
    mountSmall().remove();
    return true;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    console.warn(
      'store-postgres: a full disk below a tablespace is not tested here: no permission to ' +
        'mount tmpfs, or no user postgres',
    );
    return false;
  }
}

function mountSmall(): { readonly folder: string; readonly fillUp: () => void; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'assay-mount-'));
  const folder = join(path, 'space');
  const quiet = { stdio: 'pipe' } as const;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], quiet);
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  const remove = (): void => {
    execFileSync('umount', [path], quiet);
    rmdirSync(path);
  };
  try {
    chmodSync(path, 0o755);
    mkdirSync(folder);
    execFileSync('chown', ['postgres', folder], quiet);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    folder,
    remove,
    fillUp() {
      // To the last byte: files are written until nothing more is taken.
      for (let size = 262_144, index = 0; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (;;) writeFileSync(join(path, `ballast-${(index += 1)}`), Buffer.alloc(size));
        } catch {
          continue;
        }
      }
    },
  };
}

async function filled(place: ServerPlace, fill: Parameters<Medium['make']>[0]): Promise<void> {
  const store = await place.open();
  await fill(store);
  await store.close();
}
