// Worker thread of import-discovered.ts.
import { serveTasks } from '../../../platform/threads/worker-pool.ts';
import { prepareDiscovered } from './prepare-discovered.ts';

serveTasks(prepareDiscovered);
