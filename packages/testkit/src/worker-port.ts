// One port for all platforms with a console that a worker starts one after another: for the same origin, a browser
// caches the scripts that it loaded and compiled.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral port range; one range for each worker, including those of concurrent runs. */
const FIRST_PORT = 21_000;
const PORTS_PER_WORKER = 100;
const RANGES = 100;

let latest: number | undefined;

export async function workerPort(): Promise<number> {
  const first = FIRST_PORT + PORTS_PER_WORKER * (process.pid % RANGES);
  for (const port of [latest ?? first, ...Array.from({ length: PORTS_PER_WORKER }, (_, index) => first + index)]) {
    if (!(await isFree(port))) continue;
    latest = port;
    return port;
  }
  throw new Error(`None of the ports from ${first} on is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
