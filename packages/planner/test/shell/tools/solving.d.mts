import type { GenesisInput } from '@assay/kernel';
import type { Ports, Store } from '@assay/host';

export declare const SOLVING: GenesisInput;
export declare const RIGHT: string;
export declare const TEST: string;
export declare function solvingPorts(
  place: { readonly workspace: string; readonly folder: string; readonly store: Store },
  calls?: (key: string) => void,
  policy?: GenesisInput['policy'],
): Promise<Ports>;
