// Worker thread for parse-off-loop.ts.
import { answerTasks } from '../threads/worker-pool.ts';
import { parseJsonBody } from './json-body.ts';
import type { ParseRequest } from './parse-off-loop.ts';

answerTasks(({ bytes, values }: ParseRequest) => parseJsonBody(bytes, { values }));
