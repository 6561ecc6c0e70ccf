import { describe, expect, it } from 'vitest';
import { openUrl } from '../src/index.ts';
import { parseAddress } from '../src/address.ts';

const NOTHING = {
  host: null,
  port: null,
  user: null,
  password: null,
  sslmode: 'disable',
  channelBinding: null,
  applicationName: null,
  connectTimeoutMs: null,
  schema: 'assay',
};

describe('an address', () => {
  it.each([
    ['postgres://db/runs', { host: 'db', database: 'runs' }],
    [
      'postgresql://app:s%40c%2Fret@db.example:6543/my%20runs',
      { host: 'db.example', port: 6543, user: 'app', password: 's@c/ret', database: 'my runs' },
    ],
    [
      'postgres://app@[::1]/runs?schema=team_2&sslmode=verify-full',
      { host: '::1', user: 'app', database: 'runs', schema: 'team_2', sslmode: 'verify-full' },
    ],
    ['postgres:///runs', { database: 'runs' }],
    [
      'postgres:///runs?host=%2Fvar%2Frun%2Fpostgresql&sslmode=disable',
      { host: '/var/run/postgresql', database: 'runs' },
    ],
    [
      'postgresql://app:pw@ep-1.neon.example/runs?sslmode=require&channel_binding=require',
      {
        host: 'ep-1.neon.example',
        user: 'app',
        password: 'pw',
        database: 'runs',
        sslmode: 'require',
        channelBinding: 'require',
      },
    ],
    [
      'postgres://db:6543/runs?pgbouncer=true&connect_timeout=15&application_name=my%20app&sslmode=verify-ca',
      {
        host: 'db',
        port: 6543,
        database: 'runs',
        sslmode: 'verify-ca',
        applicationName: 'my app',
        connectTimeoutMs: 15_000,
      },
    ],
    ['postgres://db/runs?sslmode=require', { host: 'db', database: 'runs', sslmode: 'require' }],
  ])('%s', (url, read) => {
    expect(parseAddress(url)).toEqual({ _tag: 'Right', right: { ...NOTHING, ...read } });
  });

  it.each([
    'postgres:',
    'postgres:/x',
    'postgres://',
    'postgres://db',
    'postgres://db/',
    'postgres://db/a/b',
    'mysql://db/runs',
    'Postgres://db/runs',
    'db/runs',
    '',
    'postgres://db:99999/runs',
    'postgres://db/%zz',
    'postgres://db/a%00b',
    'postgres://u%00@db/a',
    'postgres://db/runs#x',
    'postgres://db/runs?schema=',
    'postgres://db/runs?schema=A',
    'postgres://db/runs?schema=pg_catalog',
    'postgres://db/runs?schema=a%22b',
    `postgres://db/runs?schema=${'a'.repeat(64)}`,
    'postgres://db/runs?schema=a&schema=b',
    'postgres://db/runs?sslmode=prefer',
    'postgres://db/runs?sslmode=',
    'postgres://db/runs?channel_binding=require',
    'postgres://db/runs?channel_binding=always',
    'postgres://db/runs?connect_timeout=0',
    'postgres://db/runs?application_name=%00',
    'postgres://db/runs?options=-c%20x',
    'postgres://db/runs?password=hunter2',
    'postgres://db/runs?host=/tmp',
    'postgres:///runs?host=db',
    'postgres:///runs?host=/tmp%00',
  ])('%s is none', (url) => {
    expect(openUrl(url)).toMatchObject({
      _tag: 'Left',
      left: { code: 'url', detail: expect.stringMatching(/^[^%]+$/) },
    });
  });

  it('is quoted without its password wherever it is refused', () => {
    const canary = 'c4n4ry';
    for (const url of [
      `postgres://app:${canary}@db/`,
      `postgres://app:${canary}@db:99999/runs`,
      `postgres://app:a/${canary}@db/runs#`,
      `postgres://app:a@${canary}@db/`,
      `postgres:app:${canary}@db/runs`,
      `postgres://db/runs?password=${canary}`,
      `postgres://db/runs?schema=A&sslpassword=${canary}`,
      `postgres://${canary}:${canary}%zz@db/`,
    ]) {
      const refused = openUrl(url);
      expect(refused._tag).toBe('Left');
      const said = JSON.stringify(refused).replace('postgres://c4n4ry:***', '');
      expect(said).not.toContain(canary);
    }
  });
});
