import { fleetContract } from './fleet-contract.js';
import { bullmqPlace, dbosPlace, postgres, redis } from './tools/engines.js';

fleetContract('dbos', () => dbosPlace(postgres ?? ''), postgres !== null);
fleetContract('bullmq', () => bullmqPlace(redis ?? ''), redis !== null);
