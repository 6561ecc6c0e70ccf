/** A stdout that takes no more: the command still ends with its own code, and without a trace. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BIN, FORGERIES, POLL, ROOT, temporaryFolder, type Ended } from './lib/assay.ts';

const folder = temporaryFolder();

/** `assay` as a shell starts it, `$@` being its arguments. */
function shell(script: string, ...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', `assay() { "${process.execPath}" "${BIN}" "$@"; }; ${script}`, 'bash', ...args],
      { cwd: ROOT },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe.skipIf(process.platform === 'win32')('a reader that goes away', () => {
  test('changes nothing in the exit code: a failed fixture is 1, a forgery 3', async () => {
    // Longer to make than `true` takes to end.
    const fixtures = join(folder, 'fixtures');
    for (let count = 0; count < 40; count += 1) {
      const at = join(fixtures, `${'x'.repeat(200)}-${count}`);
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'expected.json'), '{}');
      writeFileSync(join(at, 'ledger.jsonl'), '');
    }
    const forged = join(FORGERIES, 'decision-rehashed', 'ledger.jsonl');
    expect(await shell('assay test "$1" | true; exit ${PIPESTATUS[0]}', fixtures)).toMatchObject({
      code: 1,
      stderr: '',
    });
    expect(
      await shell('{ sleep 0.1; assay verify "$1" "$1" "$1"; } | true; exit ${PIPESTATUS[0]}', forged),
    ).toMatchObject({ code: 3, stderr: '' });
    expect(
      await shell('{ sleep 0.1; assay verify "$1"; } | true; exit ${PIPESTATUS[0]}', POLL),
    ).toMatchObject({ code: 0, stderr: '' });
  });
});

describe.skipIf(!existsSync('/dev/full'))('a full stdout', () => {
  test("is exit 2 and one line on stderr where the command held, and else the command's own code", async () => {
    const held = await shell('assay verify "$1" > /dev/full', POLL);
    expect(held).toMatchObject({ code: 2, stdout: '' });
    expect(held.stderr).toMatch(/^assay: stdout: .*\(ENOSPC\)\n$/);
    for (const given of ['--json', '--quiet'])
      expect(
        (
          await shell(
            'assay verify "$1" "$2" > /dev/full',
            join(FORGERIES, 'decision-rehashed', 'ledger.jsonl'),
            given,
          )
        ).code,
      ).toBe(3);
    expect((await shell('assay head "$1" --json > /dev/full', 'no-such-file')).stderr).not.toMatch(
      /^\s+at /m,
    );
  });

  test('shows a trace with --verbose only', async () => {
    expect((await shell('assay head "$1" --verbose > /dev/full', POLL)).stderr).toMatch(/^\s+at /m);
    expect((await shell('assay --help > /dev/full')).code).toBe(2);
  });
});
