/**
 * What each role is asked, by kind of request: made from the shapes of the machine's rows. Source: machine
 * interface, `Ask`; 003, contracts of R1 to R4b; calls/C1.
 *
 * @module
 */
import { toZod } from '@assay/kernel/schemas';
import type * as z from 'zod';
import { ASK_KINDS, REQUESTS, type AskKind } from '../protocol/requests.js';
import { KNOWN } from './parts.js';

/** The schema of a request's body by its kind. */
export const controllerAskSchemas = Object.fromEntries(
  ASK_KINDS.map((kind) => [kind, toZod<unknown>(REQUESTS[kind].body, KNOWN)]),
) as { readonly [kind in AskKind]: z.ZodType };
