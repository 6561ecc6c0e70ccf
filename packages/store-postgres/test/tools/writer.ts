/** The child process of `processes.test.ts`. */
import { orThrow } from '@assay/kernel';
import { serveWriter } from '@assay/testing/store-contract';
import { openUrl } from '@assay/store-postgres';

const [url = '', runId = '', name = ''] = process.argv.slice(2);
serveWriter(orThrow(openUrl(url)), runId, name);
