/**
 * What others make, kept: texts of files lie beside the ledger before the answer is recorded. Source: dec-K83.
 *
 * @module
 */
import { isObject, type Json } from '@assay/kernel';
import { readField } from '@assay/kernel/shape';
import type { Port } from '@assay/host';
import { keepValue, type Blobs } from './blobs.js';
import { withBlobs } from './files.js';

/** A port whose outputs are kept. What has no artifact passes as it is. */
export function keptPort(port: Port, blobs: Blobs): Port {
  return {
    ...port,
    perform: async (request, call) => {
      const answer = await port.perform(request, call);
      const value = answer.value ?? null;
      const artifact = readField(value, 'artifact');
      if (!isObject(value) || !isObject(artifact) || artifact['content'] === undefined) return answer;
      const content = await withBlobs(blobs, artifact['content']);
      await keepValue(blobs, content);
      const kept: Json = { ...value, artifact: { ...artifact, content } };
      return { ...answer, value: kept };
    },
  };
}
