/**
 * What each role answers, by kind of request: made from the shapes that the machine reads answers with.
 * Source: 003, contracts of R1 to R4b; calls/C1; ADR 0030.
 *
 * @module
 */
import { toZod } from '@assay/kernel/schemas';
import * as z from 'zod';
import { ASK_KINDS, MOVES, REQUESTS, type AskKind } from '../protocol/requests.js';
import { KNOWN } from './parts.js';

const step = z.union([toZod(MOVES.call, KNOWN), toZod(MOVES.done), toZod(MOVES.give_up)]);

/** The schema of an answer by the kind of its request. */
export const controllerAnswerSchemas = Object.fromEntries(
  ASK_KINDS.map((kind) => [kind, kind === 'step' ? step : toZod<unknown>(REQUESTS[kind].answer, KNOWN)]),
) as { readonly [kind in AskKind]: z.ZodType };
