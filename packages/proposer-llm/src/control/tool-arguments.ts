/**
 * The arguments of the effector's tools, as the prompt of a planner names them. Source: effector, the input
 * of each tool.
 *
 * @module
 */

/**
 * Arguments of a tool: those it needs, those that may be left out, and one that may stand alone instead of
 * them.
 */
export type ToolArguments = {
  readonly needed: readonly string[];
  readonly more: readonly string[];
  readonly alone?: string;
};

/** By the names of the tools. A model is told of no other tool: it would have to guess what that takes. */
export const TOOL_ARGUMENTS: ReadonlyMap<string, ToolArguments> = new Map([
  [
    'find_files',
    {
      needed: [],
      more: [
        'under',
        'name',
        'ext',
        'contains',
        'min_size',
        'max_size',
        'modified_from',
        'modified_to',
        'sort',
        'order',
        'limit',
        'digests',
        'except',
      ],
    },
  ],
  ['glob', { needed: ['pattern'], more: ['folders'] }],
  ['read_file', { needed: ['path'], more: ['from_line', 'to_line'], alone: 'paths' }],
  ['write_file', { needed: ['path', 'content'], more: [] }],
  ['append_file', { needed: ['path', 'content'], more: [] }],
  ['make_dir', { needed: ['path'], more: [] }],
  ['move_file', { needed: ['from', 'to'], more: [] }],
  ['remove_file', { needed: ['path'], more: [] }],
  ['shell', { needed: ['pipeline'], more: [] }],
]);
