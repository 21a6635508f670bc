// Worker thread of certificate-work.ts.
import { answerTasks } from '../../platform/threads/worker-pool.ts';
import { answerTask } from './certificate-work.ts';

answerTasks(answerTask);
