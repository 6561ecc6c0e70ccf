/** What the machine needs of a contract engine: the sandbox is one. Source: specs/ecology.md D1. */

/** How a run ended, and the fuel it used. `text`: the JSON text of the answer, or what was thrown. */
export type ContractEnded =
  | { readonly outcome: 'value' | 'threw'; readonly text: string; readonly fuel: number }
  | { readonly outcome: 'fuel' | 'memory' | 'stack' | 'size' | 'shape' | 'stopped'; readonly fuel: number };

/** A pure function that runs code of others: the same request and answers of the host, the same ending. */
export type ContractEngine = {
  readonly id: string;
  /** The fuel that compiling takes. */
  readonly compileFuel: (source: string, name: string) => number;
  readonly check: (source: string, name: string) => ContractEnded | null;
  readonly run: (run: {
    readonly source: string;
    readonly name: string;
    readonly values: string;
    readonly fuel: number;
    readonly host: (request: string) => string | null;
  }) => ContractEnded;
};
