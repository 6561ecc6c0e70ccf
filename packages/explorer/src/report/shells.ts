/** The shells that were built with this version. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../dist/shell/', import.meta.url);

/** The page without data for a machine, and the engine that its genesis names: its own shell, else the one with all. */
export function shellFor(machine: string, engine: string | null = null): string {
  const wanted = [...(engine === null ? [] : [`${machine}-engine.html`]), `${machine}.html`];
  const built = names();
  return read(wanted.find((name) => built.includes(name)) ?? 'all.html');
}

/** Every shell of this version. */
export function allShells(): readonly string[] {
  return names().map(read);
}

/** Where the page with all machines lies, for files that are dropped on it. */
export function viewerPath(): string {
  return fileURLToPath(new URL('../../dist/viewer.html', import.meta.url));
}

function names(): readonly string[] {
  return readdirSync(FOLDER).filter((name) => name.endsWith('.html'));
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
