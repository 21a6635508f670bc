// Sets of provider pages: fetched in parallel, parsed, and written with their counters in one transaction.
import type { DiscoveryProviderCertificateDataDto, DiscoveryProviderDto } from '@signetry/contract';
import { isStorableText } from '@signetry/connector-sdk';
import type { RequestContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { describeOrigin, type AttributeEngine } from '../attributes/index.ts';
import { decodeReturnedCertificate } from '../connectors/index.ts';
import type { DiscoveredCertificates, ReadDiscovered, ImportedCertificate } from '../inventory/index.ts';
import { digestOfMetadata, expectedOn, pagesOf, CONCURRENT_PAGES, PAGES_PER_SET } from './run-rules.ts';
import { factsOfDiscovery } from './events.ts';
import type { DiscoveryTriggers } from './ports.ts';
import type { Provider } from './provider.ts';
import * as found from './store-found.ts';
import { advance, type Lease } from './store-runs.ts';
import type { DiscoveryFindingRow, DiscoveryRow } from './tables.ts';

export interface PageParts {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly certificates: Pick<DiscoveredCertificates, 'read' | 'take' | 'letGo' | 'taken'>;
  readonly triggers: () => Pick<DiscoveryTriggers, 'findIgnored'>;
  readonly provider: Pick<Provider, 'page'>;
}

/** A result and its position, counted from 1 across the whole discovery. */
interface PositionedResult {
  readonly page: number;
  readonly onPage: number;
  readonly place: number;
  readonly data: DiscoveryProviderCertificateDataDto;
}

/** Pages in order, up to the first empty one. */
export interface PageSet {
  readonly from: number;
  readonly to: number;
  /** The provider has no more results, even if it reported more. */
  readonly isLast: boolean;
  readonly warning: string | null;
  readonly results: readonly PositionedResult[];
  readonly read: ReadDiscovered;
}

/** The provider returned something other than requested; a retry is pointless. */
export class UnusablePages extends Error {}

export async function fetchSet(
  parts: PageParts,
  row: DiscoveryRow,
  { from, context }: { readonly from: number; readonly context: RequestContext },
): Promise<PageSet> {
  const upTo = Math.min(row.pages ?? 0, from + PAGES_PER_SET);
  const numbers = Array.from({ length: upTo - from }, (_, index) => from + index + 1);
  const pages = new Map<number, DiscoveryProviderDto>();
  const waiting = numbers.values();
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const worker = async () => {
    for (const number of waiting) pages.set(number, await parts.provider.page(row, number, signal));
  };
  try {
    await Promise.all(Array.from({ length: Math.min(CONCURRENT_PAGES, numbers.length) }, worker));
  } catch (error) {
    failed.abort();
    throw error;
  }
  const set = evaluatePages(row, { from, pages });
  const contents = set.results.map(({ data }) =>
    Buffer.from(decodeReturnedCertificate(data.base64Content)).toString('base64'),
  );
  const read = await parts.certificates.read(contents, context);
  return { ...set, read };
}

/**
 * Accepts pages with fewer results, or a different total, than previously announced; the discovery then ends with a
 * warning.
 */
export function evaluatePages(
  row: Pick<DiscoveryRow, 'announced' | 'page_size'>,
  { from, pages }: { readonly from: number; readonly pages: ReadonlyMap<number, DiscoveryProviderDto> },
): Omit<PageSet, 'read'> {
  const results: PositionedResult[] = [];
  const numbers = [...pages.keys()].toSorted((a, b) => a - b);
  let warning: string | null = null;
  for (const number of numbers) {
    const { certificateData, totalCertificatesDiscovered: total } = pages.get(number) ?? emptyPage;
    if (certificateData.length > row.page_size)
      throw new UnusablePages(
        `The provider returned ${certificateData.length} results on page ${number}; ${row.page_size} were requested.`,
      );
    if (total !== row.announced)
      warning ??=
        `The provider reported ${row.announced} results, but ${total} while they were being read; ` +
        `results beyond page ${pagesOf(row.announced, row.page_size)} were not requested.`;
    if (certificateData.length === 0 && expectedOn(number, row) > 0) {
      warning = `Page ${number} from the provider was empty, although it reported ${row.announced} results.`;
      return { from, to: number - 1, isLast: true, warning, results };
    }
    for (const [index, data] of certificateData.entries())
      results.push({ page: number, onPage: index + 1, place: (number - 1) * row.page_size + index + 1, data });
  }
  return { from, to: numbers.at(-1) ?? from, isLast: false, warning, results };
}

const emptyPage = { certificateData: [], totalCertificatesDiscovered: 0 };

/** Returns the updated discovery; undefined if another node has taken it over or it has ended. */
export async function writeSet(
  parts: PageParts,
  row: DiscoveryRow,
  { set, lease, context, workingMs }: {
    readonly set: PageSet;
    readonly lease: Lease;
    readonly context: RequestContext;
    readonly workingMs: number;
  }, // prettier-ignore
): Promise<DiscoveryRow | undefined> {
  const { database, events } = parts.platform;
  const written = await database
    .transaction(async (tx) => {
      const { taken, certificatesOfSet, refused } = await importSet(tx, parts, { row, set, context });
      const first = await found.insertFound(tx, row.uuid, certificatesOfSet);
      await found.insertFindings(
        tx,
        refused.map((each) => findingOf(each, row, parts.platform.clock.now())),
        row.refused,
      );
      await parts.attributes.appendMetadata(
        tx,
        metadataOf(row, set, (fingerprint) => {
          const certificate = taken.get(fingerprint);
          return certificate?.isLeftOut ? undefined : certificate?.uuid;
        }),
      );
      const fresh = [...taken.values()].filter(({ isNew }) => isNew);
      const [leftOut, kept] = [fresh.filter((each) => each.isLeftOut), fresh.filter((each) => !each.isLeftOut)];
      await parts.certificates.letGo(
        tx,
        leftOut.map(({ uuid }) => uuid),
      );
      await reportDiscovered(tx, parts, { row, uuids: kept.map(({ uuid }) => uuid) });
      const advanced = await advance(tx, lease, {
        from: set.from,
        to: set.to,
        results: set.results.length,
        found: first.size,
        newlyFound: fresh.length,
        refused: refused.length,
        workingMs,
        warning: set.warning,
      });
      // Rolls back the transaction.
      if (!advanced) throw new LeaseLost();
      return { advanced, isNew: fresh.length > 0 };
    })
    .catch((error: unknown) => {
      if (error instanceof LeaseLost) return undefined;
      throw error;
    });
  if (written?.isNew) {
    parts.certificates.taken();
    events.wake();
  }
  return written?.advanced;
}

/** Imports a set into the inventory; also returns the rejected results. */
async function importSet(
  tx: Executor,
  parts: PageParts,
  { row, set, context }: { readonly row: DiscoveryRow; readonly set: PageSet; readonly context: RequestContext },
) {
  const { certificates, refused: unreadable } = separateResults(set);
  const recordOf = new Map(certificates.map(({ fingerprint, uuid }) => [fingerprint, uuid]));
  const outcomes = await parts.certificates.take(tx, set.read, {
    context,
    message: `Found by discovery ${row.name}`,
    leavingOut: (within, fresh) =>
      parts.triggers().findIgnored(within, {
        discoveryUuid: row.uuid,
        found: [...fresh].map(([uuid, fingerprint]) => ({ uuid, recordUuid: recordOf.get(fingerprint) ?? null })),
      }),
  });
  const { taken, refused: unfit } = splitImported(set, outcomes);
  const certificatesOfSet = certificates.flatMap((each) => {
    const outcome = taken.get(each.fingerprint);
    return outcome ? [{ ...each, isNew: outcome.isNew }] : [];
  });
  return { taken, certificatesOfSet, refused: [...unreadable, ...unfit] };
}

class LeaseLost extends Error {}

interface RejectedResult {
  readonly result: PositionedResult;
  readonly reason: string;
}

/** Separates the certificates, each listed once at its first position, from the results that are not certificates. */
function separateResults({ results, read }: PageSet) {
  const certificates = new Map<string, Omit<found.FoundCertificate, 'isNew'>>();
  const refused: RejectedResult[] = [];
  for (const [index, result] of results.entries()) {
    const outcome = read.outcomes[index];
    if (outcome === undefined) continue;
    if ('reason' in outcome) {
      refused.push({ result, reason: outcome.reason });
      continue;
    }
    const { fingerprint } = outcome;
    const before = certificates.get(fingerprint);
    const digest = digestOfMetadata(result.data.meta);
    certificates.set(
      fingerprint,
      before
        ? { ...before, digest: before.digest + digest }
        : { fingerprint, uuid: newUuid(), place: result.place, digest },
    );
  }
  return { certificates: [...certificates.values()], refused };
}

/** Returns the imported certificates and the results that cannot be imported. */
function splitImported(
  { results, read }: PageSet,
  outcomes: Awaited<ReturnType<DiscoveredCertificates['take']>>,
): { readonly taken: ReadonlyMap<string, ImportedCertificate>; readonly refused: readonly RejectedResult[] } {
  const taken = new Map<string, ImportedCertificate>();
  for (const [fingerprint, outcome] of outcomes) if ('uuid' in outcome) taken.set(fingerprint, outcome);
  const refused = results.flatMap((result, index): RejectedResult[] => {
    const outcome = read.outcomes[index];
    const unfit = outcome && 'fingerprint' in outcome ? outcomes.get(outcome.fingerprint) : undefined;
    return unfit && 'reason' in unfit ? [{ result, reason: unfit.reason }] : [];
  });
  return { taken, refused };
}

const MAX_PROVIDER_ID = 200;

const findingOf = ({ result, reason }: RejectedResult, { uuid }: DiscoveryRow, at: Date): DiscoveryFindingRow => ({
  discovery_uuid: uuid,
  page: result.page,
  place: result.onPage,
  provider_id: isStorableText(result.data.uuid) ? result.data.uuid.slice(0, MAX_PROVIDER_ID) : '',
  reason: `${reason}${describeOrigin(result.data.meta)}`,
  seen_at: at,
});

function metadataOf(
  row: DiscoveryRow,
  { results, read }: PageSet,
  uuidOf: (fingerprint: string) => string | undefined,
) {
  const { connector_uuid: connectorUuid } = row;
  if (connectorUuid === null) return [];
  const source = { resource: 'discoveries', uuid: row.uuid, name: row.name } as const;
  return results.flatMap(({ data }, index) => {
    const outcome = read.outcomes[index];
    const uuid = outcome && 'fingerprint' in outcome ? uuidOf(outcome.fingerprint) : undefined;
    if (uuid === undefined || data.meta.length === 0) return [];
    return [{ object: { resource: 'certificates', uuid } as const, connectorUuid, source, metadata: data.meta }];
  });
}

async function reportDiscovered(
  tx: Executor,
  { platform: { events } }: PageParts,
  { row, uuids }: { readonly row: DiscoveryRow; readonly uuids: readonly string[] },
): Promise<void> {
  if (uuids.length === 0 || !events.isWanted('certificate_discovered')) return;
  const facts = factsOfDiscovery(row);
  await events.appendAll(
    tx,
    'certificate_discovered',
    (await found.findFactsOf(tx, row.uuid, uuids)).map((certificate) => ({
      ...facts,
      certificateUuid: certificate.uuid,
      discoveryCertificateUuid: certificate.record_uuid,
      fingerprint: certificate.fingerprint,
      serialNumber: certificate.serial_number ?? '',
      subjectDn: certificate.subject_dn ?? '',
      issuerDn: certificate.issuer_dn ?? '',
      notBefore: certificate.not_before?.toISOString() ?? '',
      expiresAt: certificate.not_after?.toISOString() ?? '',
    })),
  );
}
