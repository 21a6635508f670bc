// Worker thread of certificate-work.ts.
import { serveTasks } from '../../platform/threads/worker-pool.ts';
import { performTask } from './certificate-work.ts';

serveTasks(performTask);
