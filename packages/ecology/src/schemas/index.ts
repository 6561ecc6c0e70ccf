/**
 * The schema of world files: a shape, published as JSON Schema.
 *
 * @packageDocumentation
 */
import type { Shape } from '@assay/kernel';
import type { Published } from '@assay/kernel/schemas';
import { list, nullable, oneOf, open, text, type Fields } from '@assay/kernel/shape';
import { CONFIG, GIVEN } from '../config/config.js';

/** Every field of a closed shape, and of closed shapes in it, may be left out. */
function loosen(shape: Shape): Shape {
  const { form } = shape;
  if (form?.is !== 'closed') return shape;
  return open(
    {},
    Object.fromEntries(Object.entries(form.fields).map(([key, inner]) => [key, loosen(inner)])),
  );
}

function listFields(shape: Shape): Fields {
  const { form } = shape;
  if (form?.is !== 'closed') throw new TypeError('a closed shape was expected');
  return form.fields;
}

const { id: ID, ...OTHERS } = listFields(GIVEN);
if (ID === undefined) throw new TypeError('an artifact has an id');

/** How long a world lasts. */
const UNTIL = /^\d{1,7}[smhd]$/;

/** A world: a config over the defaults, and the artifacts of the beginning. `code_file`: code beside the file. */
const worldSchema: Shape = open(
  {},
  {
    engine: nullable(oneOf(['sandbox'])),
    config: loosen(CONFIG),
    artifacts: list(open({ id: ID }, { ...OTHERS, code_file: text() })),
    until: text((value) => UNTIL.test(value), { pattern: UNTIL }),
  },
);

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
