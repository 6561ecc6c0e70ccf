/** The machine of the benches as `assay verify --machine` takes it. */
import { relay } from '../../verifier/bench/relay.mjs';

export const machines = [relay];
