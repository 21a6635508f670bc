// Reads the entries of a log, tile by tile, and trusts only what its tree head proves.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { equalBytes, OID, parseCertificate, parseTbsCertificate, type Certificate } from '@signetry/pki';
import { createPrefilter, hasNameBelow } from './domains.ts';
import { readEntries, type LogEntry } from './entries.ts';
import type { LogClient } from './log-client.ts';
import { falseLogError } from './log-error.ts';
import { TILE_WIDTH, widthIn } from './tiles.ts';
import type { TreeHead, TrustedTree } from './trusted-tree.ts';

/** A log entry that contains a requested name. */
export interface LoggedCertificate {
  readonly index: number;
  readonly timestampMs: number;
  readonly kind: 'certificate' | 'precertificate';
  readonly der: Uint8Array;
  /** Identical for a precertificate and its certificate: SHA-256 of issuer and serial number, in hexadecimal. */
  readonly identity: string;
  /** CA certificates in the chain, starting with the issuer. */
  readonly issuers: readonly { readonly fingerprint: string; readonly der: Uint8Array }[];
}

export interface ReadTile {
  /** Number of entries that were checked. */
  readonly entries: number;
  readonly found: readonly LoggedCertificate[];
  /** Reasons why entries that contain a matching name cannot be parsed. */
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
  /** Index of the first entry to read; `to` is the index after the last one. */
  readonly from: number;
  readonly to: number;
  /** Number of tiles read concurrently. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** Awaited before a tile is read; tiles are numbered from 0. */
  readonly room?: (number: number) => Promise<void> | undefined;
  /**
   * Called for each tile as soon as it is read, in any order. `next` is the index of the first entry after the tile.
   */
  readonly onTile: (number: number, next: number, tile: ReadTile) => void;
}

/** Throws `LogError`, any error thrown by `room` or `onTile`, or the signal's abort reason. */
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

/** Maximum number of cached issuers; a log has a few hundred. */
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
    // Yields to the event loop, because each tile takes a few milliseconds of CPU time.
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
      const certificate = evaluateEntry(entry, domains);
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

/** Typical chains have three or four certificates. */
const MAX_CHAIN = 16;

async function readIssuer(client: LogClient, fingerprint: string): Promise<Uint8Array> {
  const der = await client.issuer(fingerprint);
  if (createHash('sha256').update(der).digest('hex') === fingerprint) return der;
  throw falseLogError(`The log returned a different certificate for the issuer fingerprint ${fingerprint}.`);
}

/** Returns the certificate, the reason why it cannot be parsed, or undefined if its names do not match. */
function evaluateEntry(entry: LogEntry, domains: readonly string[]): LoggedCertificate | string | undefined {
  let certificate: Certificate;
  try {
    certificate = entry.kind === 'certificate' ? parseCertificate(entry.logged) : parseTbsCertificate(entry.logged);
    if (!hasNameBelow(certificate, domains)) return undefined;
  } catch {
    return `Entry ${entry.index}: it may contain such a name, but the certificate cannot be parsed.`;
  }
  if (entry.precertificate) assertSame(entry, certificate, entry.precertificate);
  const { index, timestampMs, kind, logged, precertificate } = entry;
  const identity = createHash('sha256').update(certificate.issuerDer).update(certificate.serialBytes).digest('hex');
  // Copied, so that the tile can be freed.
  return { index, timestampMs, kind, der: Uint8Array.from(precertificate ?? logged), identity, issuers: [] };
}

/**
 * Checks that the submitted precertificate matches the logged TBSCertificate, which is all that the tree proves. The
 * two differ only in the poison extension, and in the issuer if a precertificate signing certificate was used (RFC 6962
 * §3.2).
 */
function assertSame({ index }: LogEntry, logged: Certificate, submitted: Uint8Array): void {
  const matchesLogged = (precertificate: Certificate): boolean =>
    equalBytes(precertificate.serialBytes, logged.serialBytes) &&
    equalBytes(precertificate.subjectDer, logged.subjectDer) &&
    equalBytes(precertificate.spki, logged.spki) &&
    precertificate.notBeforeMs === logged.notBeforeMs &&
    precertificate.notAfterMs === logged.notAfterMs &&
    equalValues(precertificate, logged);
  try {
    if (matchesLogged(parseCertificate(submitted))) return;
  } catch {
    // Reported below: a precertificate that cannot be parsed is not the logged one.
  }
  throw falseLogError(
    `Entry ${index} of the log contains a different precertificate than the one that the log signed.`,
  );
}

function equalValues(one: Certificate, other: Certificate): boolean {
  const [names, others] = [one, other].map((each) => each.extensionValue(OID.subjectAltName));
  return names && others ? equalBytes(names, others) : names === others;
}
