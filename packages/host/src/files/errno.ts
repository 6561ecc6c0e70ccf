/** The system's name of a failure. */
import { constants } from 'node:os';

/**
 * The code of a failure (`ENOSPC` …), undefined where it has none. The runtime has no name for a quota that
 * is used up, and calls it UNKNOWN: it is EDQUOT.
 */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  // Windows has its own numbers, and this one stands for nothing there.
  if (code === 'UNKNOWN' && Reflect.get(error, 'errno') === -constants.errno.EDQUOT) return 'EDQUOT';
  return typeof code === 'string' ? code : undefined;
}

/** The same, null for anything that is no failure of the system: no call of it, and no name of its form. */
export function readErrno(error: unknown): string | null {
  const code = systemCode(error) ?? '';
  return (error instanceof Error && 'syscall' in error && code !== '') || /^E[A-Z0-9]+$/.test(code)
    ? code
    : null;
}
