/** Which server the tests use, if any. */

/** CI has a server here. */
export const CI_SERVER = 'postgres://postgres@127.0.0.1:5432/test';

/** What is said where there is none. */
export const skippedLine: string =
  'PostgreSQL is not tested here: set ' +
  'ASSAY_TEST_POSTGRES=postgres://USER@HOST:PORT/DATABASE (CI=true requires a server)';

/** Which server these variables name; an empty name is none. */
export function serverOf({
  ASSAY_TEST_POSTGRES: named = '',
  CI,
}: Readonly<Record<string, string | undefined>>): string | null {
  if (named !== '') return named;
  return CI === 'true' ? CI_SERVER : null;
}
