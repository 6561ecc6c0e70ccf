/**
 * Every forgery and twin as files: the repository holds one of each kind, the others are made.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { forgeries, twins, writeItems } from '../../../../scripts/forgeries/list.mjs';

/** Writes them, a folder each, below a new folder; its path. */
export function allForgeries(below: string): string {
  const folder = mkdtempSync(join(below, 'forgeries-'));
  writeItems(folder, [...twins(), ...forgeries()]);
  return folder;
}
