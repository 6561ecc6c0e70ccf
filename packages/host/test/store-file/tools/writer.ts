/** The child process of `processes.test.ts`. */
import { serveWriter } from '@assay/testing/store-contract';
import { fileStore } from '@assay/host/store-file';

const [folder = '', runId = '', name = ''] = process.argv.slice(2);
serveWriter(fileStore(folder), runId, name);
