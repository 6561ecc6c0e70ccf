/**
 * law-U2: from the auditor there is no path to any role: not by type, not by route, not by import, not by
 * what a role may answer.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvariantError, type Json } from '@assay/kernel';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AuditReport } from '../../src/audit/index.js';
import type { Auditor } from '../../src/audit/auditor.js';
import type { ControllerEvent, Messages } from '../../src/loop/events.js';
import {
  parseAnswer,
  REQUESTS,
  type Answers,
  type Bodies,
  type Input,
  ASK_KINDS,
} from '../../src/protocol/requests.js';
import { isRouted, MESSAGE_KINDS, PARTIES, ROLES, ROUTES } from '../../src/protocol/roles.js';
import { message } from '../../src/loop/asking.js';
import { lawRuns } from '../../../kernel/tools/laws.js';
import { audited, cleanRuns, playClean } from '../lib/auditing.js';
import fc from 'fast-check';

/** 100: a clean run takes some 17 ms of CPU time. */
const runs = lawRuns('audit/speechless', 0.1);
const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

describe('law-U2: the auditor has no path to any role', () => {
  it('law-U2, by type: a report is no answer of any role, no request to one, no message and no event', () => {
    expectTypeOf<AuditReport>().not.toExtend<Input>();
    expectTypeOf<AuditReport>().not.toExtend<Answers[keyof Answers]>();
    expectTypeOf<AuditReport>().not.toExtend<Bodies[keyof Bodies]>();
    expectTypeOf<AuditReport>().not.toExtend<ControllerEvent>();
    expectTypeOf<AuditReport>().not.toExtend<Exclude<Messages[keyof Messages], Json>>();
    // The machine has no message that carries a report or asks for one.
    expectTypeOf<Extract<keyof Messages, 'AuditReport' | 'AuditQuery'>>().toBeNever();
    // What the auditor offers takes records and states, and gives states and reports.
    expectTypeOf<keyof Auditor>().toEqualTypeOf<'start' | 'feed' | 'report' | 'encode' | 'decode'>();
  });

  it('law-U2, by what a role may answer: a report is rejected in the place of any answer', () => {
    fc.assert(
      fc.property(cleanRuns, (clean) => {
        const report = audited(playClean(clean).records);
        for (const kind of ASK_KINDS)
          expect(parseAnswer(report as unknown as Json, { kind })._tag).toBe('Left');
      }),
      runs,
    );
  });

  it('law-U2, by route: nobody hears the auditor but the operator, and nobody speaks to it but the operator', () => {
    const routes = PARTIES.flatMap((other) =>
      MESSAGE_KINDS.flatMap((kind) => [
        { from: 'R6', to: other, kind },
        { from: other, to: 'R6', kind },
      ]),
    );
    const open = routes.filter(({ from, to, kind }) => isRouted(from, to, kind));
    expect(open).toEqual([
      { from: 'operator', to: 'R6', kind: 'AuditQuery' },
      { from: 'R6', to: 'operator', kind: 'AuditReport' },
    ]);
    expect(ROUTES.filter(({ kind }) => kind === 'AuditReport').map(({ to }) => to)).toEqual(['operator']);
    expect(ROLES.filter((role) => role === 'R6')).toHaveLength(1);
  });

  it('law-U2, by route: no rule of the machine can speak for it or to it, and no request is put to it', () => {
    for (const to of ['R1', 'R2', 'R3', 'R4a', 'R4b', 'R5', 'R7', 'user', 'dispatcher'] as const) {
      expect(() => message('R6', to, 'CorrectionSignal', {} as never)).toThrow(InvariantError);
      expect(() => message(to, 'R6', 'TaskSpec', {} as never)).toThrow(InvariantError);
    }
    expect(Object.values(REQUESTS).map(({ role }) => role)).not.toContain('R6');
  });

  it(
    'law-U2, by import: nothing of the controller but the auditor itself knows the auditor, ' +
      'and its log is no memory',
    () => {
      const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.ts'),
      );
      const importsOf = (path: string): readonly string[] =>
        [...readFileSync(join(SOURCES, path), 'utf8').matchAll(/from '([^']+)'/g)].map(
          ([, from]) => from ?? '',
        );
      const audit = files.filter((path) => /^audit[/\\]/.test(path));
      expect(audit.length).toBeGreaterThan(5);
      // The published schemas describe a report to whoever reads one; no rule of the controller knows them.
      const schemas = files.filter((path) => /^schemas[/\\]/.test(path));
      expect(
        files.filter(
          (path) => !schemas.includes(path) && importsOf(path).some((from) => /(?:^|\/)schemas\//.test(from)),
        ),
      ).toEqual([]);
      for (const path of files.filter((file) => !audit.includes(file) && !schemas.includes(file)))
        expect([path, importsOf(path).filter((from) => /(?:^|\/)audit\//.test(from))]).toEqual([path, []]);
      // It reads shapes of the protocol and the guard's patterns; it imports neither the machine's loop nor a
      // memory.
      for (const path of audit)
        expect([path, importsOf(path).filter((from) => /\/(?:loop|memory)\//.test(from))]).toEqual([
          path,
          [],
        ]);
    },
  );
});
