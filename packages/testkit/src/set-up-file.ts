// Vitest runs this before each test file, also where files share a worker.
import { afterAll } from 'vitest';
import { endFile } from './file-end.ts';

afterAll(endFile);
