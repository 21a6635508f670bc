// Worker thread of validate-many.ts.
import { answerTasks } from '../../platform/threads/worker-pool.ts';
import { judgeBatch } from './judge-batch.ts';

answerTasks(judgeBatch);
