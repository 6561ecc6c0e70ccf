/** Plans as other programs write them, told by what they hold: PSPLIB, MMLIB, Patterson's form, Microsoft Project. */
import { ok, type Json, type Result } from '@assay/kernel';
import { isPatterson, readPatterson } from '../psplib/patterson.js';
import { readPsplib, type PsplibFault } from '../psplib/psplib.js';
import { isProject, readProject, type ProjectFault } from './project.js';

/** A plan value from a text of another program; null where it is none of these. */
export function readForeign(text: string): Result<PsplibFault | ProjectFault, Json> | null {
  if (/^PRECEDENCE RELATIONS/m.test(text)) {
    const read = readPsplib(text);
    return read._tag === 'Left' ? read : ok(read.right.plan);
  }
  if (isPatterson(text)) return readPatterson(text);
  return isProject(text) ? readProject(text) : null;
}
