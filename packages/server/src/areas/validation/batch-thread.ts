// Worker thread of validate-many.ts.
import { serveTasks } from '../../platform/threads/worker-pool.ts';
import { evaluateBatch } from './evaluate-batch.ts';

serveTasks(evaluateBatch);
