// Sends chain heads to where an intruder in the database cannot alter them: the log, an append-only file and a webhook.
// Tampering that the sealer detects is also sent there.
import { appendFile } from 'node:fs/promises';
import { request } from 'undici';
import type { Platform } from '../../platform/platform.ts';
import { formatHead, type SentHead } from './chain-head.ts';
import type { AuditTampering } from './events.ts';

const QUEUE = 'audit-ends';
const TIMEOUT_MS = 10_000;
/** Delays double starting at 10 s, so retries last about half a day. */
const RETRY_LIMIT = 12;
const RETRY_DELAY_S = 10;

export interface ExternalSinkSettings {
  /** File to which JSON objects are appended, one per line. */
  readonly endFile?: string | undefined;
  /** URL to which the same objects are sent by POST. */
  readonly endWebhook?: string | undefined;
  readonly endIntervalMs: number;
}

/** Message sent externally: one line of the file or one body of the webhook. */
export type ExternalSinkMessage =
  | {
      readonly kind: 'audit-end';
      readonly at: string;
      readonly end: string;
      readonly seals: number;
      readonly records: number;
    }
  | ({ readonly kind: 'audit-tampering' } & AuditTampering);

export type ExternalAuditSink = ReturnType<typeof createExternalAuditSink>;

/** Declares the webhook's job, so it must be called once per platform and before its jobs start. */
export function createExternalAuditSink(platform: Platform, { endFile, endWebhook }: ExternalSinkSettings) {
  const { jobs, events, database, clock, log, metrics, egress } = platform;

  jobs.declare<ExternalSinkMessage>({
    name: QUEUE,
    retryLimit: RETRY_LIMIT,
    retryDelayS: RETRY_DELAY_S,
    handle: (message, { signal }) => post(message, signal),
  });
  events.subscribe({
    event: 'audit_tampered',
    queue: 'audit-tampering',
    handle: (tampering, { signal }) => post({ kind: 'audit-tampering', ...tampering }, signal),
  });

  async function post(message: ExternalSinkMessage, signal: AbortSignal): Promise<void> {
    if (endWebhook !== undefined) await postJson(egress, { url: endWebhook, message, signal });
  }

  async function appendToFile(message: ExternalSinkMessage): Promise<void> {
    if (endFile === undefined) return;
    try {
      await appendFile(endFile, `${JSON.stringify(message)}\n`, { mode: 0o600 });
    } catch (error) {
      log.error({ error, file: endFile }, 'could not append the audit chain head to its file');
    }
  }

  const messageOf = (end: SentHead): ExternalSinkMessage => ({
    kind: 'audit-end',
    at: clock.now().toISOString(),
    end: formatHead(end),
    seals: end.place.number,
    records: end.place.nextSequence - 1,
  });

  return {
    /**
     * Writes to the log and the file immediately. The webhook is called through a job, and not at all if this is the
     * process's last action.
     */
    async sendEnd(end: SentHead, { isLast }: { readonly isLast: boolean }): Promise<void> {
      const message = messageOf(end);
      log.info(message, 'audit chain head');
      await appendToFile(message);
      if (endWebhook !== undefined && !isLast) await jobs.enqueue(database.executor, QUEUE, message);
    },

    /** The webhook is called in response to the event, which was written together with the audit record. */
    async reportTampering(tampering: AuditTampering): Promise<void> {
      metrics.auditTampering.inc();
      log.error(tampering, 'the audit trail was tampered with: a chain was truncated or its head altered');
      await appendToFile({ kind: 'audit-tampering', ...tampering });
    },
  };
}

async function postJson(
  egress: Platform['egress'],
  call: { readonly url: string; readonly message: ExternalSinkMessage; readonly signal: AbortSignal },
): Promise<void> {
  const url = egress.assertUrl(call.url);
  const dispatcher = egress.dispatcher({ totalTimeoutMs: TIMEOUT_MS });
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call.message),
      signal: AbortSignal.any([call.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await body.dump();
    if (statusCode < 200 || statusCode > 299) throw new Error(`The audit trail webhook returned status ${statusCode}.`);
  } finally {
    await dispatcher.close();
  }
}
