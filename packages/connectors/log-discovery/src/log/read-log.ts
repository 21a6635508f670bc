// Reads entries of a log, tile by tile, and believes nothing that its tree head does not vouch for.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { equalBytes, OID, parseCertificate, parseTbsCertificate, type Certificate } from '@signetry/pki';
import { createPrefilter, hasNameBelow } from './domains.ts';
import { readEntries, type LogEntry } from './entries.ts';
import type { LogClient } from './log-client.ts';
import { falseLog } from './log-error.ts';
import { TILE_WIDTH, widthIn } from './tiles.ts';
import type { TreeHead, TrustedTree } from './trusted-tree.ts';

/** An entry with a name that was asked for. */
export interface LoggedCertificate {
  readonly index: number;
  readonly timestampMs: number;
  readonly kind: 'certificate' | 'precertificate';
  readonly der: Uint8Array;
  /** The same for a precertificate and its certificate: SHA-256 of issuer and serial number, in hexadecimal. */
  readonly identity: string;
  /** Those above it, the issuer first. */
  readonly issuers: readonly { readonly fingerprint: string; readonly der: Uint8Array }[];
}

export interface ReadTile {
  /** Entries that were looked at. */
  readonly entries: number;
  readonly found: readonly LoggedCertificate[];
  /** Entries with such a name somewhere that cannot be read, with their reason. */
  readonly unreadable: readonly string[];
}

export interface LogReading {
  readonly client: LogClient;
  readonly tree: TrustedTree;
  readonly head: TreeHead;
  readonly domains: readonly string[];
  readonly withIssuers: boolean;
}

export interface ReadRange {
  /** The first entry, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** Tiles at the same time. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** Is waited for before a tile is read; tiles are numbered from 0. */
  readonly room?: (number: number) => Promise<void> | undefined;
  /** In whatever order tiles are read; `next` is the entry behind the tile. */
  readonly onTile: (number: number, next: number, tile: ReadTile) => void;
}

/** Throws `LogError`, what `room` and `onTile` throw, and the reason of the signal. */
export async function readRange(reading: LogReading, { from, to, parallel, signal, room, onTile }: ReadRange) {
  const first = Math.floor(from / TILE_WIDTH);
  const count = to > from ? Math.ceil(to / TILE_WIDTH) - first : 0;
  const scan = createScan(reading);
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  let next = 0;
  const lane = async (): Promise<void> => {
    try {
      for (let number = next++; number < count; number = next++) {
        await untilAborted(room?.(number), ending);
        ending.throwIfAborted();
        const start = (first + number) * TILE_WIDTH;
        const range = { from: Math.max(from, start), to: Math.min(to, start + TILE_WIDTH) };
        onTile(number, range.to, await scan(first + number, range));
      }
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(parallel, count) }, lane));
  if (ending.aborted) throw ending.reason;
  const failure = lanes.find((each) => each.status === 'rejected');
  if (failure) throw failure.reason;
}

async function untilAborted(promise: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  if (!promise) return;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Issuers that are kept: a log has some hundreds. */
const MAX_ISSUERS = 1_000;

function createScan({ client, tree, head, domains, withIssuers }: LogReading) {
  const mayMatch = createPrefilter(domains);
  const issuers = new Map<string, Promise<Uint8Array>>();
  const issuerOf = (fingerprint: string): Promise<Uint8Array> => {
    const known = issuers.get(fingerprint) ?? readIssuer(client, fingerprint);
    issuers.set(fingerprint, known);
    if (issuers.size > MAX_ISSUERS) issuers.delete(issuers.keys().next().value ?? fingerprint);
    return known;
  };
  return async (tile: number, range: { readonly from: number; readonly to: number }): Promise<ReadTile> => {
    const width = widthIn(head.size, { level: 0, index: tile });
    const octets = await client.tile({ level: 'data', index: tile, width });
    // Each tile is some milliseconds of work.
    await setImmediate();
    const entries = readEntries(octets, { first: tile * TILE_WIDTH, width });
    await tree.assertLeaves(
      tile,
      entries.map(({ hash }) => hash),
    );
    const read = entries.filter(({ index }) => index >= range.from && index < range.to);
    const found: LoggedCertificate[] = [];
    const unreadable: string[] = [];
    const candidates = mayMatch(octets) ? read.filter((entry) => mayMatch(entry.octets)) : [];
    for (const entry of candidates) {
      const certificate = judge(entry, domains);
      if (typeof certificate === 'string') unreadable.push(certificate);
      else if (certificate) found.push(certificate);
    }
    const complete = found.map(async (each): Promise<LoggedCertificate> => {
      const chain = withIssuers ? (entries[each.index - tile * TILE_WIDTH]?.chain ?? []) : [];
      const above = chain.slice(0, MAX_CHAIN).map((octet) => Buffer.from(octet).toString('hex'));
      return {
        ...each,
        issuers: await Promise.all(
          above.map(async (fingerprint) => ({ fingerprint, der: await issuerOf(fingerprint) })),
        ),
      };
    });
    return { entries: read.length, found: await Promise.all(complete), unreadable };
  };
}

/** Chains have three or four. */
const MAX_CHAIN = 16;

async function readIssuer(client: LogClient, fingerprint: string): Promise<Uint8Array> {
  const der = await client.issuer(fingerprint);
  if (createHash('sha256').update(der).digest('hex') === fingerprint) return der;
  throw falseLog(`The log serves something else under the fingerprint ${fingerprint} of an issuer.`);
}

/** What was found, why it cannot be read, or nothing where the names are others. */
function judge(entry: LogEntry, domains: readonly string[]): LoggedCertificate | string | undefined {
  let certificate: Certificate;
  try {
    certificate = entry.kind === 'certificate' ? parseCertificate(entry.logged) : parseTbsCertificate(entry.logged);
    if (!hasNameBelow(certificate, domains)) return undefined;
  } catch {
    return `Entry ${entry.index}: it may have such a name, but is no certificate that can be read.`;
  }
  if (entry.precertificate) assertSame(entry, certificate, entry.precertificate);
  const { index, timestampMs, kind, logged, precertificate } = entry;
  const identity = createHash('sha256').update(certificate.issuerDer).update(certificate.serialBytes).digest('hex');
  // A copy: the tile is not kept for it.
  return { index, timestampMs, kind, der: Uint8Array.from(precertificate ?? logged), identity, issuers: [] };
}

/**
 * The tree vouches for the TBSCertificate alone. The precertificate beside it has the same but for the poison, and for
 * the issuer where a certificate of its own signed it (RFC 6962 §3.2).
 */
function assertSame({ index }: LogEntry, logged: Certificate, submitted: Uint8Array): void {
  const same = (precertificate: Certificate): boolean =>
    equalBytes(precertificate.serialBytes, logged.serialBytes) &&
    equalBytes(precertificate.subjectDer, logged.subjectDer) &&
    equalBytes(precertificate.spki, logged.spki) &&
    precertificate.notBeforeMs === logged.notBeforeMs &&
    precertificate.notAfterMs === logged.notAfterMs &&
    equalValues(precertificate, logged);
  try {
    if (same(parseCertificate(submitted))) return;
  } catch {
    // Told below: what cannot be read is not what was logged.
  }
  throw falseLog(`Entry ${index} of the log serves another precertificate than the one that it has signed for.`);
}

function equalValues(one: Certificate, other: Certificate): boolean {
  const [names, others] = [one, other].map((each) => each.extensionValue(OID.subjectAltName));
  return names && others ? equalBytes(names, others) : names === others;
}
