/**
 * What can go wrong where a step makes a value.
 *
 * @module
 */

/**
 * Why a value cannot be made. `nothing_found`: the first of nothing; `not_whole`: only a part of an output is
 * there. `ambiguous`: a name that two columns have. `linked_folder`: paths that commands cannot tell apart.
 * `output_gone`: the whole of an output is not kept any more. `too_long`: to be said without a file.
 */
export type StepFault = {
  readonly code:
    | 'unknown_step'
    | 'unknown_operation'
    | 'wrong_value'
    | 'nothing_found'
    | 'not_whole'
    | 'not_a_number'
    | 'ambiguous'
    | 'linked_folder'
    | 'output_gone'
    | 'too_long';
  readonly detail: string;
};
