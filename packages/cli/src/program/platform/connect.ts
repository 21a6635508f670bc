// Creates the API client for a command.
import { createClient, type CallOptions, type Client } from '@signetry/client';
import type { Context } from '../context.ts';
import { findPlatform, type ConnectionFlags, type Platform } from './find-platform.ts';
import { trustingFetch } from './trusting-fetch.ts';

export interface Connection {
  readonly client: Client;
  readonly platform: Platform;
  /** Options for every call; they abort the call when the command must stop. */
  readonly options: CallOptions;
}

export async function connect(flags: ConnectionFlags, context: Context): Promise<Connection> {
  const platform = await findPlatform(flags, context);
  const { api, token, trusted } = platform;
  const client = createClient({
    baseUrl: api,
    token,
    ...(trusted === undefined ? {} : { fetch: trustingFetch(trusted) }),
  });
  return { client, platform, options: { signal: context.signal } };
}
