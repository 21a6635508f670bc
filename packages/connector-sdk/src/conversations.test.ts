// Recorded conversations with a connector, so that the behavior that platforms rely on does not change by accident.
// After an intended change, record them again with `RECORD=1 vitest run
// packages/connector-sdk/src/conversations.test.ts`.
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { developmentContext } from './development-context.ts';
import { serveConnector, type ServedConnector } from './http/serve-connector.ts';
import { loginConnector } from './testing/login-connector.ts';

interface Exchange {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Text as sent. */
  readonly body?: string;
  readonly reply: { readonly status: number; readonly body?: unknown };
}

const RECORDING = new URL('./testing/conversations.json', import.meta.url);
const { RECORD } = process.env;
const conversations = JSON.parse(await readFile(RECORDING, 'utf8')) as Exchange[]; // Written below.

let served: ServedConnector;
beforeAll(async () => {
  served = await serveConnector(loginConnector, { context: developmentContext() });
});
afterAll(() => served.close());

async function replay({ method, path, headers, body }: Exchange): Promise<Exchange['reply']> {
  const response = await fetch(served.url + path, {
    method,
    ...(headers ? { headers } : {}),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, ...(text === '' ? {} : { body: JSON.parse(text) as unknown }) };
}

if (RECORD) {
  it('records the conversations', async () => {
    const recorded = [];
    for (const exchange of conversations) recorded.push({ ...exchange, reply: await replay(exchange) });
    await writeFile(RECORDING, `${JSON.stringify(recorded, null, 2)}\n`);
  });
} else {
  it.each(conversations)('$title', async (exchange) => {
    expect(await replay(exchange)).toEqual(exchange.reply);
  });
}
