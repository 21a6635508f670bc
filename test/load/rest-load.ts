// Clients that continuously send the same operation, with the specified concurrency.
import { Agent, request as httpRequest } from 'node:http';
import type { ReadyFacts } from './server-process.ts';

export interface RestLoad {
  readonly server: { readonly ready: Pick<ReadyFacts, 'http' | 'token'> };
  readonly path: string;
  /** Bodies sent in turn. */
  readonly bodies: readonly string[];
  readonly concurrency: number;
  readonly seconds: number;
  /** Whether a response with status 200 is as expected. */
  readonly isGood: (answer: string) => boolean;
}

export interface RestResult {
  readonly count: number;
  readonly failures: number;
  readonly seconds: number;
  /** In milliseconds. */
  readonly latencies: readonly number[];
}

export async function drive(load: RestLoad): Promise<RestResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.concurrency });
  const url = new URL(load.path, load.server.ready.http);
  const headers = { authorization: `Bearer ${load.server.ready.token}`, 'content-type': 'application/json' };
  const started = performance.now();
  const until = started + load.seconds * 1000;
  const latencies: number[] = [];
  let next = 0;
  let failures = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const body = load.bodies[next++ % load.bodies.length] ?? '';
      const sent = performance.now();
      const answer = await post(url, { agent, headers, body });
      latencies.push(performance.now() - sent);
      if (answer === undefined || !load.isGood(answer)) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  agent.destroy();
  return { count: latencies.length - failures, failures, seconds: (performance.now() - started) / 1000, latencies };
}

/** Returns the response body, or undefined unless the status is 200. */
function post(
  url: URL,
  call: { readonly agent: Agent; readonly headers: Record<string, string>; readonly body: string },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { agent, headers, body } = call;
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } };
    const request = httpRequest(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(response.statusCode === 200 ? text : undefined));
    });
    request.on('error', () => resolve(undefined));
    request.end(body);
  });
}

/** Whether the response contains a certificate, i.e. it was issued within the wait time. */
export const holdsCertificate = (answer: string): boolean => /"certificateData":"[^"]/.test(answer);
