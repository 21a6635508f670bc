// Self-authenticating nonces (RFC 8555 §6.5): a UUIDv7 and a MAC under a key that every node derives from the sealing
// key. A fresh nonce is accepted on any node, even after a restart. A used nonce is detected by its row, which a unique
// key allows to exist only once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Sealer } from '../../../platform/crypto/sealing.ts';

const ID_BYTES = 16;
const MAC_BYTES = 12;

/** Lifetime of a nonce. Its row is stored longer, so that a used nonce never outlives the record of its use. */
export const NONCE_LIFE_MS = 24 * 3_600_000;
/** Allowed clock skew between nodes. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
export const NONCE_MEMORY_MS = NONCE_LIFE_MS + 2 * CLOCK_TOLERANCE_MS;

export type NonceVerdict = { readonly uuid: string } | { readonly problem: string };

export type Nonces = ReturnType<typeof createNonces>;

export function createNonces({ sealer, clock }: { readonly sealer: Sealer; readonly clock: Clock }) {
  const keys = () => sealer.derive('acme nonce');
  const currentKey = (): Uint8Array => {
    const [current] = keys();
    if (!current) throw new Error('The sealer did not derive a key.');
    return current;
  };
  const macOf = (id: Uint8Array, key: Uint8Array): Buffer =>
    createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);

  return {
    /** Returns a fresh nonce in base64url. */
    create(): string {
      const id = Buffer.from(newUuid().replaceAll('-', ''), 'hex');
      return Buffer.concat([id, macOf(id, currentKey())]).toString('base64url');
    },

    /**
     * Returns whether this server created the nonce and whether it has expired. Its row determines whether it was used.
     */
    read(nonce: string): NonceVerdict {
      const bytes = Buffer.from(nonce, 'base64url');
      if (bytes.length !== ID_BYTES + MAC_BYTES || bytes.toString('base64url') !== nonce)
        return { problem: 'The nonce was not issued by this server.' };
      const id = bytes.subarray(0, ID_BYTES);
      const mac = bytes.subarray(ID_BYTES);
      if (!keys().some((key) => timingSafeEqual(macOf(id, key), mac)))
        return { problem: 'The nonce was not issued by this server.' };
      // UUIDv7 starts with a timestamp in milliseconds (RFC 9562 §5.7).
      const ageMs = clock.now().getTime() - id.readUIntBE(0, 6);
      if (ageMs > NONCE_LIFE_MS || ageMs < -CLOCK_TOLERANCE_MS) return { problem: 'The nonce has expired.' };
      return { uuid: uuidText(id) };
    },
  };
}

function uuidText(id: Uint8Array): string {
  const hex = Buffer.from(id).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Returns an upper bound for the identifiers of nonces created before the given time, so that they can be deleted as a
 * range of the primary key.
 */
export function firstNonceOf(instant: Date): string {
  const time = Buffer.alloc(ID_BYTES);
  time.writeUIntBE(instant.getTime(), 0, 6);
  return uuidText(time);
}
