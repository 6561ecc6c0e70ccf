import { describe, expect, it } from 'vitest';
import { CHECKS, exitCode, failed, held, notChecked, reasonOf, renderAnnotations, renderJunit, renderStepSummary, renderTerminal, type CheckName, type Verdict, type VerifyDocument } from '@assay/verifier';
import { hashOf } from '../../kernel/tools/ledger-builder.js';

const document = (changes: Partial<Record<CheckName, Verdict>> = {}, more: Partial<VerifyDocument> = {}): VerifyDocument => ({
  file: 'a.jsonl',
  head: { run_id: 'poll-1', count: 8, hash: hashOf(1) },
  outcome: 'success',
  due: 0,
  checks: { integrity: held(), rederivation: held(), completeness: held(), authorship: notChecked('unsigned'), time: notChecked('no_witness', null, 2), ...changes },
  ...more,
});
const mixed = document({
  rederivation: failed('differs', 3, 1, { field: '/payload/code', expected: 'x', got: { a: [1] } }),
  completeness: failed('head_mismatch', null, 4, { expected: null, field: null }),
  authorship: failed('unknown', 5, 3),
});
const unchecked = document({ rederivation: notChecked('limit', 0, 1), completeness: notChecked('no_head') });

describe('a whole text, to the letter', () => {
  it('for a terminal', () => {
    expect(renderTerminal(mixed)).toEqual([
      'a.jsonl  run poll-1  8 records  ended success',
      '  integrity     held         each record hashes, links and encodes as the format says',
      '  rederivation  failed       differs: the machine derives another record (record 3)',
      '                field    /payload/code',
      '                expected x',
      '                got      {"a":[1]}',
      '  completeness  failed       head_mismatch: the file is not the one whose head was given (4 records)',
      '                expected null',
      '  authorship    failed       unknown: for a reason this version does not know (record 5 and 2 more)',
      '  time          not_checked  no_witness: no witness was given (2 records)',
      'Do not rely on this file: rederivation and completeness and authorship failed.',
    ]);
  });

  it('for a terminal, of a chain that is foreign, of one without a head, and with remarks', () => {
    const foreign = document({ integrity: held({ remarks: ['unknown kinds', 'unknown blobs'] }, 2, 3) }, { head: { run_id: null, count: 2, hash: hashOf(1) }, outcome: 'refused', due: null });
    expect(renderTerminal(foreign).slice(0, 3)).toEqual([
      'a.jsonl  foreign chain  2 records  ended refused',
      '  integrity     held         each record hashes, links and encodes as the format says (unknown kinds, unknown blobs: record 2 and 2 more)',
      '  rederivation  held         each decision was derived again and is the recorded one',
    ]);
    const remarked = (remarks: readonly string[]): string | undefined => renderTerminal(document({ integrity: held({ remarks }) }))[1];
    expect(remarked(['erased'])?.endsWith(' says (erased)')).toBe(true);
    expect(remarked([])?.endsWith(' says')).toBe(true);
    expect(renderTerminal(document({}, { head: null, outcome: 'open' }))[0]).toBe('a.jsonl');
  });

  it('for a terminal, of evidence at and above 160 characters', () => {
    const shown = (length: number): string | undefined => renderTerminal(document({ integrity: failed('shape', 0, 1, { path: 'y'.repeat(length) }) }))[2];
    expect(shown(160)).toBe(`                path     ${'y'.repeat(160)}`);
    expect(shown(161)).toBe(`                path     ${'y'.repeat(160)} … (161 characters)`);
  });

  it('for JUnit', () => {
    expect(renderJunit([mixed, unchecked])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay verify">
  <testsuite name="a.jsonl" tests="5" failures="3" errors="0" skipped="1">
    <testcase classname="a.jsonl" name="integrity"/>
    <testcase classname="a.jsonl" name="rederivation">
      <failure type="differs" message="differs: the machine derives another record (record 3)">{&quot;field&quot;:&quot;/payload/code&quot;,&quot;expected&quot;:&quot;x&quot;,&quot;got&quot;:{&quot;a&quot;:[1]}}</failure>
    </testcase>
    <testcase classname="a.jsonl" name="completeness">
      <failure type="head_mismatch" message="head_mismatch: the file is not the one whose head was given (4 records)">{&quot;expected&quot;:null,&quot;field&quot;:null}</failure>
    </testcase>
    <testcase classname="a.jsonl" name="authorship">
      <failure type="unknown" message="unknown: for a reason this version does not know (record 5 and 2 more)"></failure>
    </testcase>
    <testcase classname="a.jsonl" name="time">
      <skipped message="no_witness: no witness was given (2 records)"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="a.jsonl" tests="5" failures="0" errors="1" skipped="3">
    <testcase classname="a.jsonl" name="integrity"/>
    <testcase classname="a.jsonl" name="rederivation">
      <error type="limit" message="limit: stopped at a limit set for this run of the verifier (record 0)"></error>
    </testcase>
    <testcase classname="a.jsonl" name="completeness">
      <skipped message="no_head: no head from outside was given to compare with"></skipped>
    </testcase>
    <testcase classname="a.jsonl" name="authorship">
      <skipped message="unsigned: no signature was given"></skipped>
    </testcase>
    <testcase classname="a.jsonl" name="time">
      <skipped message="no_witness: no witness was given (2 records)"></skipped>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it('for JUnit, no detail of what was not checked', () => {
    expect(renderJunit([document({ time: notChecked('no_witness', null, 0, { a: 1 }) })])).toContain('no witness was given"></skipped>');
  });

  it('for a step summary', () => {
    expect(renderStepSummary([mixed, unchecked]).split('\n')).toEqual([
      '### assay verify',
      '',
      '| file | outcome | integrity | rederivation | completeness | authorship | time |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| a&#46;jsonl | success | held | failed: differs (record 3)<br>the machine derives another record | failed: head_mismatch (4 records)<br>the file is not the one whose head was given | failed: unknown (record 5 and 2 more)<br>for a reason this version does not know | not_checked: no_witness (2 records)<br>no witness was given |',
      '| a&#46;jsonl | success | held | not_checked: limit (record 0)<br>stopped at a limit set for this run of the verifier | not_checked: no_head<br>no head from outside was given to compare with | not_checked: unsigned<br>no signature was given | not_checked: no_witness (2 records)<br>no witness was given |',
      '',
      '- a&#46;jsonl: Do not rely on this file: rederivation and completeness and authorship failed.',
      '- a&#46;jsonl: Whether the decisions follow from the answers is not known: nothing was found wrong, and they were not all derived again.',
      '',
    ]);
  });

  it('for annotations, with and without a line', () => {
    expect(renderAnnotations([mixed, unchecked], { strict: true })).toEqual([
      '::error file=a.jsonl,line=4,title=assay rederivation failed::differs: the machine derives another record (record 3)',
      '::error file=a.jsonl,title=assay completeness failed::head_mismatch: the file is not the one whose head was given (4 records)',
      '::error file=a.jsonl,line=6,title=assay authorship failed::unknown: for a reason this version does not know (record 5 and 2 more)',
      '::warning file=a.jsonl,line=1,title=assay rederivation not_checked::limit: stopped at a limit set for this run of the verifier (record 0)',
      '::warning file=a.jsonl,title=assay completeness not_checked::no_head: no head from outside was given to compare with',
      '::warning file=a.jsonl,title=assay authorship not_checked::unsigned: no signature was given',
      '::warning file=a.jsonl,title=assay time not_checked::no_witness: no witness was given (2 records)',
      '::warning file=a.jsonl,title=assay time not_checked::no_witness: no witness was given (2 records)',
    ]);
  });

  it('for annotations, ten are shown as they are, and of more the rest counted at their own level', () => {
    const warned = Array.from({ length: 10 }, () => unchecked);
    expect(renderAnnotations(warned)).toEqual(Array.from({ length: 10 }, () => expect.stringContaining('rederivation not_checked')));
    expect(renderAnnotations([...warned, unchecked]).at(-1)).toBe('::warning title=assay verify::and 2 more');
    expect(renderAnnotations([...warned, document({ time: failed('bad_witness', null) })]).at(-1)).toBe('::error title=assay verify::and 2 more');
  });

  it('in one sentence', () => {
    const sentence = (changes: Partial<Record<CheckName, Verdict>>, options = {}): string | undefined => renderTerminal(document(changes), options).at(-1);
    const sealed = { authorship: held(), time: held() };
    expect(sentence(sealed)).toBe('Every decision follows from the recorded answers, and the file matches what was brought from outside.');
    expect(sentence({ ...sealed, completeness: notChecked('open_run') }, { allowUnchecked: true })).toBe('Every decision follows from the recorded answers; whether this is the whole and the first version of the file is not known.');
    expect(sentence(sealed, { allowUnchecked: true, strict: true })).toBe('Every decision follows from the recorded answers, and the file matches what was brought from outside.');
    expect(sentence({ rederivation: notChecked('limit') }, { allowUnchecked: true })).toBe('Whether the decisions follow from the answers is not known: nothing was found wrong, and they were not all derived again. This was allowed by --allow-unchecked.');
  });
});

describe('what a verdict means', () => {
  const MEANINGS: Readonly<Record<string, string>> = {
    empty: 'the file has no bytes',
    size: 'a line is longer than a record may be',
    depth: 'a line is nested deeper than a record may be',
    encoding: 'a line is not the canonical text of a record',
    final_newline: 'the last line has no line end',
    shape: 'a line has not the seven keys of a record',
    version: 'a record of another version',
    payload_hash: 'a payload does not have the hash recorded for it',
    record_hash: 'a record does not have the hash recorded for it',
    parent: 'a record does not follow the one before it',
    ts: 'a record has another logical time than its place gives',
    order: 'a record stands where its kind may not stand',
    payload_shape: 'a payload has not the form of its kind',
    number: 'a fraction where only integers may stand',
    token: 'a malformed token',
    proposal_hash: 'a proposal does not have the hash recorded for it',
    request_id: 'an answer, a rejection or a request does not fit what was open',
    artifact_hash: 'an artifact does not have the hash recorded for it',
    graph: 'the graph has a wrong id, a missing end or a cycle',
    close: 'the close does not sum up the ledger before it',
    differs: 'the machine derives another record',
    unknown_machine: 'the machine, or this version of it, is not at hand',
    unknown_format: 'the chain is foreign: its first record is no genesis of a known format',
    payload_erased: 'a proposal was erased, so what follows cannot be derived',
    limit: 'stopped at a limit set for this run of the verifier',
    truncated: 'records known from outside are missing at the end',
    head_mismatch: 'the file is not the one whose head was given',
    split_view: 'two files of one run go different ways',
    expectation: 'an expectation is not met',
    no_head: 'no head from outside was given to compare with',
    open_run: 'the run is still open',
    beyond_head: 'the file goes on after the head that was given',
    unsigned: 'no signature was given',
    no_key: 'no key was named',
    unknown_key: 'signed by keys the user did not name',
    below_threshold: 'fewer signatures by named keys than were asked for',
    bad_signature: 'a signature by a named key does not fit',
    signed_other: 'a named key signed another head',
    bad_proof: 'a signed head or path does not recompute',
    no_authority: 'no authority was named',
    bad_witness: 'a timestamp by a named authority does not fit',
    witnessed_other: 'a named authority saw another head',
    no_witness: 'no witness was given',
    integrity: 'integrity failed, so there is nothing to ask this of',
  };

  it.each(Object.keys(MEANINGS))('%s is said in its own words', (code) => {
    expect(reasonOf('time', failed(code, null))).toBe(MEANINGS[code]);
  });

  it('a check that held is said in its own words', () => {
    expect(CHECKS.map((check) => reasonOf(check, held({ hash_only: null, mode: 'strict' })))).toEqual([
      'hash-only: each record hashes and links; what stands inside payloads was not read',
      'each decision was derived again and is the recorded one',
      'the run is closed and matches what was brought from outside',
      'the head is signed by keys named by the user',
      'a trusted witness saw this head',
    ]);
  });

  it('a verification by hashes alone is said to be one, and nothing else is', () => {
    expect(reasonOf('rederivation', notChecked('limit', null, 0, { mode: 'hash_only' }))).toBe('hash-only: nothing was derived again');
    expect(reasonOf('rederivation', notChecked('limit', null, 0, { mode: 'other' }))).toBe(MEANINGS['limit']);
    expect(reasonOf('rederivation', notChecked('no_key', null, 0, { mode: 'hash_only' }))).toBe(MEANINGS['no_key']);
    expect(reasonOf('rederivation', notChecked('limit', null, 0, null))).toBe(MEANINGS['limit']);
    expect(reasonOf('rederivation', notChecked('limit', null, 0, { hash_only: 1 }))).toBe(MEANINGS['limit']);
  });

  it('no file at all is no success', () => {
    expect(exitCode([])).toBe(4);
  });
});
