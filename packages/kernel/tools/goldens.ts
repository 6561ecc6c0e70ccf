/**
 * The golden runs of this repository, read from their files.
 *
 * @module
 */
import { readFileSync, readdirSync } from 'node:fs';
import type { EvidenceRecord, Json } from '@assay/kernel';

const FOLDER = new URL('../../../golden-fixtures/', import.meta.url);

/** The names of the golden runs of a machine, in order. */
export function listGoldens(machine: string): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.startsWith(`${machine}-`))
    .toSorted();
}

/** A file of a golden run that is one JSON value. */
export function readGolden(name: string, file: string): Json {
  return JSON.parse(readFileSync(new URL(`${name}/${file}`, FOLDER), 'utf8')) as Json;
}

/** The records of a golden run. */
export function readRecords(name: string): readonly EvidenceRecord[] {
  return readFileSync(new URL(`${name}/ledger.jsonl`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EvidenceRecord);
}
