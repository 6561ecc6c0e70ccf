/**
 * Tarballs of the publishable packages, as npm would publish them.
 *
 * @module
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture, npmCommand, packageNames, root } from './run.mjs';

/**
 * The publishable packages that have been built: [{ name, folder, manifest }], inner ones first as npm lists
 * them.
 */
export function publishable() {
  return packageNames()
    .map((name) => ({
      name: `@assay/${name}`,
      folder: join(root, 'packages', name),
      manifest: JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
    }))
    .filter(({ manifest, folder }) => manifest.private !== true && existsSync(join(folder, 'dist')));
}

/**
 * Packs them into a folder, emptied first: [{ name, folder, manifest, tarball, files }]. Each gets the license of the
 * repository. Needs no network.
 */
export function packAll(destination) {
  rmSync(destination, { recursive: true, force: true });
  mkdirSync(destination, { recursive: true });
  const packages = publishable();
  for (const { folder } of packages) copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const [command, ...leading] = npmCommand();
  const selected = packages.flatMap(({ name }) => ['-w', name]);
  const { code, stdout, stderr } = capture(command, [
    ...leading,
    'pack',
    '--json',
    '--ignore-scripts',
    '--offline',
    '--loglevel=error',
    '--pack-destination',
    destination,
    ...selected,
  ]);
  if (code !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  const packed = new Map(Object.values(JSON.parse(stdout)).map((entry) => [entry.name, entry]));
  return packages.map((one) => {
    const { filename, files } = packed.get(one.name);
    return {
      ...one,
      tarball: join(destination, filename.replace(/^@/, '').replace('/', '-')),
      files: files.map(({ path }) => path),
    };
  });
}
