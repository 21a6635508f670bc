// Sends file pieces to the inventory, and retries while the platform cannot accept them.
import { ApiError, ConnectionError, type FilePiece } from '@signetry/client';
import type { Context } from '../context.ts';
import type { Connection } from '../platform/connect.ts';

/** Delays between retries. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000];
const TIMEOUT_MS = 300_000;

export interface ImportParts {
  readonly connection: Connection;
  readonly context: Context;
}

export async function sendPieces(pieces: readonly FilePiece[], { connection, context }: ImportParts) {
  const { client, options } = connection;
  const body = { files: pieces.map(({ name, content }) => ({ name, content })) };
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    try {
      return await client.certificateImport.importCertificates({ body }, { ...options, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (pauseMs === undefined || !isTransient(error) || context.signal.aborted) throw error;
      await context.pause(pauseMs, context.signal);
    }
  }
  throw new Error('The last attempt returns or throws.');
}

/** Returns whether the error may be temporary because the platform is busy or restarting. */
const isTransient = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 503 || error.status === 429));
