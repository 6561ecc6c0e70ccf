/**
 * The zod schema of world files; published as JSON Schema too.
 *
 * @packageDocumentation
 */
import type { Shape } from '@assay/kernel';
import { toZod, type Published } from '@assay/kernel/schemas';
import * as z from 'zod';
import { CONFIG, INPUT } from '../config/config.js';

/** Every field of a closed shape, and of closed shapes in it, may be left out. */
function partial(shape: Shape): z.ZodType {
  const { form } = shape;
  if (form?.is !== 'closed') return toZod(shape);
  return z.strictObject(
    Object.fromEntries(Object.entries(form.fields).map(([key, inner]) => [key, partial(inner).optional()])),
  );
}

function fieldsOf(shape: Shape): Readonly<Record<string, Shape>> {
  const { form } = shape;
  if (form?.is !== 'closed') throw new TypeError('a closed shape was expected');
  return form.fields;
}

const ARTIFACTS = fieldsOf(INPUT)['artifacts']?.form;
if (ARTIFACTS?.is !== 'list') throw new TypeError('artifacts are a list');
const { id: ID, ...OTHERS } = fieldsOf(ARTIFACTS.item);
if (ID === undefined) throw new TypeError('an artifact has an id');

/** A world: a config over the defaults, and the artifacts of the beginning. `code_file`: code beside the file. */
export const worldSchema: z.ZodType = z.strictObject({
  engine: z.literal('sandbox').nullable().optional(),
  config: partial(CONFIG).optional(),
  artifacts: z
    .array(
      z.strictObject({
        id: toZod(ID),
        ...Object.fromEntries(Object.entries(OTHERS).map(([key, shape]) => [key, toZod(shape).optional()])),
        code_file: z.string().optional(),
      }),
    )
    .optional(),
});

/** The schemas by the name of their file. */
export const ECOLOGY_PUBLISHED: readonly Published[] = [
  [
    'ecology-world',
    'World file',
    worldSchema,
    [
      'names differ, and what is named is there; holdings are together at most what there is',
      'names of genesis are reserved; numbers in content and interface are integers',
    ],
  ],
];
