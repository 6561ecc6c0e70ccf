/**
 * The one place that writes durably: files whole or not at all, lines at the end of a file, names of folders;
 * and the system's name of what went wrong.
 *
 * @packageDocumentation
 */
export { appendTo, endLineAt, readIfThere } from './plain-file.js';
export { readErrno } from './errno.js';
export { makeDurableFolderSync, syncFolderSync } from './folder.js';
export {
  createAll,
  moveInto,
  removeUnfinished,
  temporaryBeside,
  tryWriting,
  writeAll,
  WriteError,
  type Draft,
} from './write.js';
