/**
 * DBOS sees to it that a run goes on somewhere; the ledger says where it is and what was decided. One
 * workflow for a run, no step for a step.
 */
import { DBOS } from '@dbos-inc/dbos-sdk';
import { drive, portsByKind } from '@assay/host';

/**
 * Registers the workflow; its one argument is the run's id. `stale_head`: another process has gone on, and
 * ends the run.
 */
export function registerDesk(machine, genesis, store, ports) {
  const desk = async (runId) => {
    const driven = await drive(machine, { ...genesis, run_id: runId }, { store, ports: portsByKind(ports) });
    return driven._tag === 'Right' ? driven.right.end : (driven.left.error?.code ?? driven.left.code);
  };
  return DBOS.registerWorkflow(desk, { name: 'desk' });
}
