/**
 * The published JSON Schemas of the planner.
 *
 * @module
 */
import type { Published } from '@assay/kernel/schemas';
import { planCheckSchema } from './plan-check.js';
import { planSchema } from './plan.js';

/** The schemas by the name of their file. */
export const PLANNER_PUBLISHED: readonly Published[] = [
  [
    'plan',
    'Plan file',
    planSchema,
    [
      'low is at most mid, mid at most high',
      'ids differ, and what is named is there; docs/formats/plan.md lists the codes',
      'tasks do not wait for each other in a circle',
    ],
  ],
  [
    'plan-check',
    'What assay plan check --json prints',
    planCheckSchema,
    ['each certificate proves its claim: docs/formats/plan.md'],
  ],
];
