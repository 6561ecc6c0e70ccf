import { expect, it } from 'vitest';
import { serverOf } from './tools/server.js';

it('the server of the tests is the one that is named, under CI else its own, and an empty name is none', () => {
  expect(serverOf({ ASSAY_TEST_POSTGRES: 'postgres://h/d', CI: 'true' })).toBe('postgres://h/d');
  expect([serverOf({}), serverOf({ ASSAY_TEST_POSTGRES: '' }), serverOf({ CI: 'false' })]).toEqual([null, null, null]);
  const own = serverOf({ CI: 'true' });
  expect(own).toMatch(/^postgres:/);
  expect(serverOf({ ASSAY_TEST_POSTGRES: '', CI: 'true' })).toBe(own);
});
