// Follows server-sent events across disconnects and restarts: each event once, in order.
import { eventFeedOperations, type FeedEvent, type OperationRequest } from '@signetry/contract';
import type { ClientOptions } from './client.ts';
import { ApiError, apiError } from './errors.ts';
import { urlOf } from './request.ts';

type Query = NonNullable<OperationRequest<typeof eventFeedOperations.streamEvents>['query']>;

export interface FollowOptions extends Query {
  readonly signal?: AbortSignal;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** The platform sends a keep-alive every 15 s. */
const SILENT_MS = 40_000;

/**
 * Yields events until `signal` aborts. Reconnects when the connection is lost; the delay doubles with each failure.
 * Throws `ApiError` if the request is rejected, e.g. with 401, or with 422 if events after the position are no longer
 * stored.
 */
export async function* followEvents(
  options: Pick<ClientOptions, 'baseUrl' | 'token' | 'headers' | 'fetch'>,
  { signal, ...query }: FollowOptions = {},
): AsyncGenerator<FeedEvent> {
  let lastId: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  // oxlint-disable-next-line no-unmodified-loop-condition -- the caller can abort it during the loop
  while (signal?.aborted !== true) {
    try {
      for await (const { id, data } of connect(options, { query, lastId, signal })) {
        lastId = id ?? lastId;
        pauseMs = FIRST_PAUSE_MS;
        // The contract defines the type, as for other responses.
        if (data !== undefined) yield JSON.parse(data) as FeedEvent;
      }
    } catch (error) {
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    }
    await pause(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

interface Block {
  readonly id: string | undefined;
  readonly data: string | undefined;
}

interface Connection {
  readonly query: Query;
  readonly lastId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function* connect(
  options: Parameters<typeof followEvents>[0],
  { query, lastId, signal }: Connection,
): AsyncGenerator<Block> {
  const ended = new AbortController();
  let silence = setTimeout(() => ended.abort(), SILENT_MS);
  try {
    const response = await (options.fetch ?? globalThis.fetch)(
      urlOf(options.baseUrl, eventFeedOperations.streamEvents, { query }),
      {
        headers: {
          accept: 'text/event-stream',
          ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
          ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
          ...options.headers,
        },
        signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal,
        redirect: 'error',
      },
    );
    if (!response.ok) throw apiError(response.status, await response.text());
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body ?? []) {
      clearTimeout(silence);
      silence = setTimeout(() => ended.abort(), SILENT_MS);
      text += decoder.decode(bytes, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}

function readBlock(block: string): Block {
  const lines = block.split('\n');
  const field = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return { id: field('id'), data: field('data') };
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    }, { once: true }); // prettier-ignore
  });
