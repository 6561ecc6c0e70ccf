/**
 * Either an error or a value, with the tags of the kernel's `Result`: the two are assignable both ways. This
 * package imports nothing.
 */
export type Result<E, A> =
  | { readonly _tag: 'Left'; readonly left: E }
  | { readonly _tag: 'Right'; readonly right: A };
