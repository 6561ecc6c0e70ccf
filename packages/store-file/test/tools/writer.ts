/** The child process of `processes.test.ts`. */
import { serveWriter } from '@assay/store-contract';
import { fileStore } from '@assay/store-file';

const [folder = '', runId = '', name = ''] = process.argv.slice(2);
serveWriter(fileStore(folder), runId, name);
