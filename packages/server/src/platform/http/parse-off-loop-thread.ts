// Worker thread for parse-off-loop.ts.
import { serveTasks } from '../threads/worker-pool.ts';
import { parseJsonBody } from './json-body.ts';
import type { ParseRequest } from './parse-off-loop.ts';

serveTasks(({ bytes, values }: ParseRequest) => parseJsonBody(bytes, { values }));
