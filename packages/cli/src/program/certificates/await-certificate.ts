// Waits until a requested certificate is issued or has definitely failed.
import { ApiError } from '@signetry/client';
import type { CertificateState } from '@signetry/contract';
import type { Context } from '../context.ts';
import { messageOf } from '../failures.ts';
import type { Connection } from '../platform/connect.ts';
import type { CertificateDetail } from './responses.ts';
import { certificateBytes, contentOf } from './chain.ts';

export type Outcome =
  | { readonly kind: 'issued'; readonly uuid: string; readonly der: Uint8Array }
  /** No certificate was issued; anything prepared for it can be discarded. */
  | { readonly kind: 'notIssued'; readonly uuid: string | undefined; readonly reason: string }
  /** The certificate may still be issued. */
  | { readonly kind: 'undecided'; readonly uuid: string | undefined; readonly reason: string };

/** Initial and maximum pause between polls. Most certificates are issued within the first second. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
const GROWTH = 1.5;

interface IssuanceResponse {
  readonly uuid: string;
  readonly certificateData?: string | undefined;
}

export interface WaitOptions {
  readonly connection: Connection;
  readonly context: Context;
  readonly waitMs: number;
}

/** Polls after an issuance call until the outcome is known or the time limit is reached. */
export async function awaitCertificate(
  { uuid, certificateData }: IssuanceResponse,
  waiting: WaitOptions,
): Promise<Outcome> {
  if (certificateData !== undefined && certificateData !== '')
    return { kind: 'issued', uuid, der: certificateBytes(certificateData) };
  const { context, waitMs } = waiting;
  const deadline = context.now() + waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
    const outcome = await checkOutcome(uuid, waiting.connection);
    if (outcome !== undefined) return outcome;
    if (context.now() + pauseMs > deadline)
      return { kind: 'undecided', uuid, reason: `the certificate was not issued within ${waitMs / 1000} s` };
    await context.pause(pauseMs, context.signal);
  }
}

/** Returns the outcome, or undefined while the platform is still processing the request. */
async function checkOutcome(uuid: string, connection: Connection): Promise<Outcome | undefined> {
  const { client, options } = connection;
  const detail = await client.certificates.getCertificate({ params: { uuid } }, options);
  const [der] = contentOf(detail);
  switch (progressOf(detail.state)) {
    case 'done':
      return der === undefined ? undefined : { kind: 'issued', uuid, der };
    case 'ended': {
      const reason = await reasonOf(detail, connection);
      // If a failed certificate has content, it was signed and then rejected by the platform.
      return { kind: der === undefined ? 'notIssued' : 'undecided', uuid, reason };
    }
    case 'approval':
      return { kind: 'undecided', uuid, reason: 'the request is waiting for approval' };
    case 'working':
      return undefined;
  }
}

function progressOf(state: CertificateState): 'done' | 'ended' | 'approval' | 'working' {
  switch (state) {
    case 'issued':
    case 'pending_revoke':
    case 'revoked':
      return 'done';
    case 'failed':
    case 'rejected':
      return 'ended';
    case 'pending_approval':
      return 'approval';
    case 'requested':
    case 'pending_issue':
      return 'working';
  }
}

/** Returns the certificate's state and the message of the most recent failure in its history. */
async function reasonOf(detail: CertificateDetail, { client, options }: Connection): Promise<string> {
  const state = `certificate ${detail.uuid} has the state "${detail.state}"`;
  const history = await client.certificates.getCertificateEventHistory({ params: { uuid: detail.uuid } }, options);
  const [newest] = history
    .filter(({ status }) => status === 'FAILED')
    .sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
  return newest === undefined ? state : `${state}: ${newest.message}`;
}

/**
 * Maps an issuance call's error to an outcome. Only a rejection proves that nothing was issued; if the error names a
 * certificate, that certificate's state decides.
 */
export async function outcomeOfError(failure: unknown, connection: Connection): Promise<Outcome> {
  const reason = messageOf(failure);
  if (!(failure instanceof ApiError)) return { kind: 'undecided', uuid: undefined, reason };
  const uuid = objectOf(failure);
  if (uuid === undefined) return { kind: failure.status < 500 ? 'notIssued' : 'undecided', uuid, reason };
  const known = await checkOutcome(uuid, connection).catch(() => undefined);
  return known?.kind === 'notIssued' ? { ...known, reason } : { kind: 'undecided', uuid, reason };
}

/** Returns the UUID of a certificate that was created even though the call was rejected. */
function objectOf({ body }: ApiError): string | undefined {
  if (typeof body !== 'object' || body === null || !('uuid' in body)) return undefined;
  return typeof body.uuid === 'string' ? body.uuid : undefined;
}
