// Parses the results of a discovery provider, each of which must contain exactly one certificate. Runs in a worker
// thread.
import type { NameCodes } from '@signetry/pki';
import { prepareRow, setOf, type PreparedRow, type PreparedSet } from './prepare-sets.ts';
import { readBundle } from './read-bundle.ts';

export interface DiscoveredTask {
  /** Base64-encoded DER, or PEM. */
  readonly contents: readonly string[];
  /**
   * Fingerprints of keys whose certificates are imported one at a time, because a pending operation is waiting for
   * them.
   */
  readonly awaitedKeys: readonly string[];
  /** Attribute type codes used in distinguished names. */
  readonly codes: NameCodes;
}

/** Lowercase hex SHA-256 of the certificate, or the reason why there is no certificate. */
export type DiscoveredOutcome = { readonly fingerprint: string } | { readonly reason: string };

export interface PreparedDiscovered {
  /** In the order of `contents`. */
  readonly outcomes: readonly DiscoveredOutcome[];
  /** Contains each certificate once; absent if there are none. */
  readonly set?: PreparedSet;
  /** DER certificates for the awaited keys. */
  readonly awaited: readonly Uint8Array[];
}

export function prepareDiscovered({ contents, awaitedKeys, codes }: DiscoveredTask): PreparedDiscovered {
  const awaiting = new Set(awaitedKeys);
  const rows = new Map<string, PreparedRow>();
  const outcomes = contents.map((content): DiscoveredOutcome => {
    const row = prepareOne(content, codes);
    if ('reason' in row) return row;
    rows.set(row.fingerprint, row);
    return { fingerprint: row.fingerprint };
  });
  const { awaited = [], others = [] } = Object.groupBy(rows.values(), ({ key }) =>
    awaiting.has(key) ? 'awaited' : 'others',
  );
  return { outcomes, awaited: awaited.map(({ der }) => der), ...(others.length > 0 && { set: setOf(others) }) };
}

/** Exceeds the Base64 length of the PEM of the largest certificate that can be stored. */
const MAX_TEXT_LENGTH = 1024 * 1024;

function prepareOne(content: string, codes: NameCodes): PreparedRow | { readonly reason: string } {
  if (content.length > MAX_TEXT_LENGTH) return { reason: `The result is longer than ${MAX_TEXT_LENGTH} characters.` };
  const { found, refused, isCut } = readBundle([{ content }], 1);
  const [first, ...others] = found;
  if (isCut || others.length > 0)
    return { reason: 'The result contains more than one certificate; each result must contain exactly one.' };
  const [refusal] = refused;
  if (!first || refusal) return { reason: refusal?.reason ?? 'The result does not contain a certificate.' };
  return prepareRow(first, codes);
}
