/**
 * Why the rules made no task of a request, in words, and what they would have understood: what to type next.
 *
 * @module
 */
import { isObject, type EvidenceRecord } from '@assay/kernel';
import { readField, readText, listObjects } from '@assay/kernel/shape';
import { CONTROL_RULES } from '../roles/context.js';

/** Codes of the rules' perceiver: docs/guides/control-rules.md, "What is not". */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['not_understood', 'the rules know sentences of twelve families, and this is none of them'],
  [
    'ambiguous',
    'the words could mean two things; put texts in quotes, end folders with /, and say what each file is',
  ],
  ['open_quote', 'a quote is not closed, or the task is longer than the rules read'],
  ['outside_workspace', 'a path leads out of the workspace, or is a folder where a file is meant'],
  ['same_file', 'the file that is read would be written over; write to another file'],
  ['no_such_turn', 'the words refer to an earlier run, and no cited one fits; --after LEDGER cites one'],
  ['too_long', "in the rules' own words the task is longer than a task may be"],
]);

/**
 * The code and what it means, where a run ended because the rules, as perceiver, understood no task; null for
 * any other.
 */
export function whyNotPerceived(records: readonly EvidenceRecord[]): string | null {
  const code = notPerceived(records) ?? '';
  const words = WORDS.get(code);
  return words === undefined ? null : `${code}: ${words}`;
}

/** The code of the rules' last answer as perceiver, if that is why the run ended; else null. */
export function notPerceived(records: readonly EvidenceRecord[]): string | null {
  const asked = new Set<string>();
  let code: string | null = null;
  for (const { kind, payload } of records) {
    if (kind === 'decision')
      for (const request of listObjects(readField(payload, 'requests')))
        if (readText(request, 'kind') === 'perceive') asked.add(readText(request, 'id'));
    if (kind !== 'proposal' || !isObject(payload) || !asked.has(readText(payload, 'request_id'))) continue;
    const isByRules =
      readText(payload, 'source') === 'rule' && readText(payload, 'proposer') === CONTROL_RULES;
    code = isByRules ? readText(readField(readField(payload, 'failure'), 'detail'), 'code') : null;
  }
  return code === '' ? null : code;
}
