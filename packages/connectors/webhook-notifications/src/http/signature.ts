// Standard Webhooks signatures (github.com/standard-webhooks/standard-webhooks, specification 1.0.0).
import { createHmac } from 'node:crypto';

/** The specification requires secrets of 24 to 64 bytes. */
const MIN_OCTETS = 24;
const MAX_OCTETS = 64;

/** Returns the bytes of a secret, which is parsed in the same way as in receiver libraries. */
export function parseSecret(
  text: string | undefined,
): { readonly value: Uint8Array | undefined } | { readonly problem: string } {
  const base64 = text?.trim().replace(/^whsec_/, '') ?? '';
  if (base64 === '') return { value: undefined };
  const octets = Buffer.from(base64, 'base64');
  const isBase64 =
    /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && octets.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '');
  if (!isBase64 || octets.length < MIN_OCTETS || octets.length > MAX_OCTETS)
    return {
      problem: `must be Base64 of ${MIN_OCTETS} to ${MAX_OCTETS} random bytes, e.g. from "openssl rand -base64 32".`,
    };
  return { value: octets };
}

export interface SignedPart {
  readonly id: string;
  /** Time of this attempt, so that receivers can reject old, replayed requests. */
  readonly sentAt: Date;
  readonly body: string;
}

/** Returns the headers for a request. Without a key, the request is not signed. */
export function webhookHeaders({ id, sentAt, body }: SignedPart, key: Uint8Array | undefined): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const named = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (!key) return named;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { ...named, 'webhook-signature': `v1,${signature}` };
}
