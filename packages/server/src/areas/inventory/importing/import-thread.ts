// Worker thread of import-certificates.ts.
import { answerTasks } from '../../../platform/threads/worker-pool.ts';
import { prepareImport } from './prepare-sets.ts';

answerTasks(prepareImport);
