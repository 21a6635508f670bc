// Worker thread of take-discovered.ts.
import { answerTasks } from '../../../platform/threads/worker-pool.ts';
import { prepareDiscovered } from './prepare-discovered.ts';

answerTasks(prepareDiscovered);
