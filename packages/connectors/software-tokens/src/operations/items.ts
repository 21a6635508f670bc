// Lists of what is to be signed, verified, encrypted or decrypted in one call.
import { rejected } from '@signetry/connector-sdk';

/** Beyond the size of the body, since small items cost a signature each. */
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

/** Refuses empty lists and what is too much for one call. */
export function readItems(sent: readonly SentItem[], what: string): readonly Item[] {
  refuseCount(sent, what);
  return sent.map(({ data, identifier }) => ({ octets: Buffer.from(data, 'base64'), identifier }));
}

export function refuseCount(sent: readonly SentItem[], what: string): void {
  if (sent.length === 0) throw rejected(`There is nothing to ${what}.`);
  if (sent.length > MAX_ITEMS) throw rejected(`One call can ${what} ${MAX_ITEMS} items, not ${sent.length}.`);
  // Four characters of Base64 are three octets.
  const total = sent.reduce((sum, { data }) => sum + data.length, 0) * 0.75;
  if (total > MAX_TOTAL_BYTES)
    throw rejected(`One call can ${what} ${MAX_TOTAL_BYTES / 2 ** 20} MiB. Send the rest in further calls.`);
}

/** The result of an item, which keeps its identifier. */
export const answered = (item: Item | undefined, octets: Uint8Array) => ({
  data: Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('base64'),
  ...(item?.identifier === undefined ? {} : { identifier: item.identifier }),
});
