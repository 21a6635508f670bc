// Lists of items to sign, verify, encrypt or decrypt in one call.
import { rejected } from '@signetry/connector-sdk';

/** Limit in addition to the body size, since each small item costs a signature. */
const MAX_ITEMS = 1_000;
const MAX_TOTAL_BYTES = 16 * 1024 * 1024;

export interface Item {
  readonly octets: Uint8Array;
  readonly identifier: string | undefined;
}

interface SentItem {
  readonly data: string;
  readonly identifier?: string | undefined;
}

/** Rejects empty lists and lists that exceed the limits for a call. */
export function readItems(sent: readonly SentItem[], what: string): readonly Item[] {
  rejectInvalidCount(sent, what);
  return sent.map(({ data, identifier }) => ({ octets: Buffer.from(data, 'base64'), identifier }));
}

export function rejectInvalidCount(sent: readonly SentItem[], what: string): void {
  if (sent.length === 0) throw rejected(`The request contains nothing to ${what}.`);
  if (sent.length > MAX_ITEMS) throw rejected(`One call can ${what} at most ${MAX_ITEMS} items, not ${sent.length}.`);
  // Four Base64 characters encode three bytes.
  const total = sent.reduce((sum, { data }) => sum + data.length, 0) * 0.75;
  if (total > MAX_TOTAL_BYTES)
    throw rejected(
      `One call can ${what} at most ${MAX_TOTAL_BYTES / 2 ** 20} MiB. Split the data across multiple calls.`,
    );
}

/** Returns an item's result with the item's identifier. */
export const resultItem = (item: Item | undefined, octets: Uint8Array) => ({
  data: Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('base64'),
  ...(item?.identifier === undefined ? {} : { identifier: item.identifier }),
});
