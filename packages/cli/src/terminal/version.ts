/** The version of this package, and of all of Assay's: they are released together. */

/** Version of the `assay` command. `doctor` compares it with what is installed. */
export const VERSION = '0.1.0';
