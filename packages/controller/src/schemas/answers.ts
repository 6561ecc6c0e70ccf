/**
 * What each role answers, by kind of request: made from the shapes that the machine reads answers with.
 * Source: 003, contracts of R1 to R4b; calls/C1; ADR 0030.
 *
 * @module
 */
import { toZod } from '@assay/kernel/schemas';
import * as z from 'zod';
import { ANSWERS, MOVES } from '../protocol/answers.js';
import type { AskKind } from '../protocol/asks.js';
import { KNOWN } from './parts.js';

const answer = (kind: AskKind): z.ZodType => toZod(ANSWERS[kind].shape, KNOWN);
const step = z.union([toZod(MOVES.call, KNOWN), toZod(MOVES.done), toZod(MOVES.give_up)]);

/** The schema of an answer by the kind of its request. */
export const controllerAnswerSchemas: Readonly<Record<AskKind, z.ZodType>> = Object.freeze({
  clock: answer('clock'),
  perceive: answer('perceive'),
  recall: answer('recall'),
  plan: answer('plan'),
  step,
  call: answer('call'),
  confirm: answer('confirm'),
  judge: answer('judge'),
  merge: answer('merge'),
});
