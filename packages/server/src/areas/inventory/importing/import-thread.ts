// Worker thread of import-certificates.ts.
import { serveTasks } from '../../../platform/threads/worker-pool.ts';
import { prepareImport } from './prepare-sets.ts';

serveTasks(prepareImport);
