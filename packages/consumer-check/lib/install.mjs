/**
 * An empty folder with the packed tarballs installed as a user would have them.
 *
 * npm does it where it can; without a network npm asks for package lists it has not stored, and then the
 * tarballs are unpacked by hand, with their third-party dependencies copied from this repository's own.
 *
 * @module
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { capture, npmCommand, root } from '../../../scripts/lib/run.mjs';

/** Installs `packages` (from packAll) into `folder`, emptied first. Returns how: `npm` or `by hand`. */
export function installInto(folder, packages) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify(
      { name: 'consumer', version: '1.0.0', private: true, type: 'module', dependencies },
      null,
      2,
    ),
  );
  const [command, ...leading] = npmCommand();
  const { code } = capture(
    command,
    [
      ...leading,
      'install',
      '--prefer-offline',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--fetch-retries=0',
      '--loglevel=error',
    ],
    { cwd: folder },
  );
  if (code === 0) return 'npm';
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  for (const { name, tarball, manifest } of packages) {
    const target = join(folder, 'node_modules', ...name.split('/'));
    mkdirSync(target, { recursive: true });
    // Run in the tarball's folder: some tars read a colon in a path as a host.
    const unpacked = capture('tar', ['-xzf', basename(tarball), '--strip-components=1', '-C', target], {
      cwd: join(tarball, '..'),
    });
    if (unpacked.code !== 0) throw new Error(`tar: ${unpacked.stderr}`);
    linkBins(folder, name, manifest);
    for (const dependency of Object.keys(manifest.dependencies ?? {})) copyThirdParty(folder, dependency);
  }
  return 'by hand';
}

function copyThirdParty(folder, name) {
  const target = join(folder, 'node_modules', ...name.split('/'));
  if (name.startsWith('@assay/') || existsSync(target)) return;
  const source = join(root, 'node_modules', ...name.split('/'));
  cpSync(source, target, { recursive: true, dereference: true });
  const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const inner of Object.keys(dependencies ?? {})) copyThirdParty(folder, inner);
}

function linkBins(folder, name, manifest) {
  const bins = join(folder, 'node_modules', '.bin');
  for (const [bin, path] of Object.entries(manifest.bin ?? {})) {
    mkdirSync(bins, { recursive: true });
    writeFileSync(
      join(bins, bin),
      `#!/usr/bin/env node\nimport '../${name}/${path.replace(/^\.\//, '')}';\n`,
      { mode: 0o755 },
    );
  }
}

/** Copies the scripts that use the packages into the folder, so that they resolve there and nowhere else. */
export function copyUses(folder) {
  const uses = join(root, 'packages', 'consumer-check', 'use');
  for (const file of readdirSync(uses)) cpSync(join(uses, file), join(folder, file));
}
