/** The sentences that are shown to whoever was not understood. */
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../src/tasks/goal.ts';
import { FAMILY_EXAMPLES } from '@assay/rules/tasks';
import { parseGoal } from '../../src/tasks/parse.ts';

describe('the examples of the families', () => {
  it('name each family that a workspace can do once, in the order of the guide', () => {
    expect(FAMILY_EXAMPLES.map(({ family }) => family)).toEqual(
      FAMILIES.filter((family) => family !== 'outside'),
    );
  });

  it.each(FAMILY_EXAMPLES.map(({ family, said }) => [family, said]))(
    'are understood as what they stand for: %s',
    (family, said) => {
      expect(parseGoal(said)).toMatchObject({ _tag: 'Right', right: { family } });
    },
  );
});
