// Entries that a provider creates for certificates before they are issued, e.g. a key in a key store. An entry is
// removed only if the location's listings from before and after its creation show that the entry is new and unused.
// Entries that are being renewed are in use.
import {
  entityProviderOperations,
  type LocationDetailResponseDto,
  type MetadataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { formatName, parseCertificate } from '@signetry/pki';
import { createHash } from 'node:crypto';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { decodeReturnedCertificate } from '../connectors/index.ts';
import type { DeploymentParts, ReachedLocation } from './push.ts';

type ListedEntry = Pick<LocationDetailResponseDto['certificates'][number], 'certificateData' | 'metadata'>;

const LOST_ENTRY_TIMEOUT_MS = 30_000;

/** Returns a location's entries; undefined if its provider does not report them, in which case nothing is removed. */
export async function listEntries(
  { contents, platform }: Pick<DeploymentParts, 'contents' | 'platform'>,
  { location, reached }: ReachedLocation,
  { locationAttributes, context }: { readonly locationAttributes: readonly RequestAttributeDto[]; readonly context: RequestContext }, // prettier-ignore
): Promise<readonly ListedEntry[] | undefined> {
  try {
    return (await contents.ask(reached, locationAttributes, context)).certificates;
  } catch (error) {
    if (!isAppError(error)) throw error;
    platform.log.warn({ error, location: location.name }, 'cannot list the entries of a location');
    return undefined;
  }
}

/** Returns whether none of the location's existing entries matches the metadata. */
export const isNewEntry = (before: readonly ListedEntry[] | undefined, made: readonly MetadataAttribute[]): boolean =>
  made.length > 0 && before !== undefined && !before.some(({ metadata = [] }) => mayBeSame(metadata, made));

/**
 * Returns whether two sets of metadata may refer to the same entry. Only the provider knows which value identifies an
 * entry, so one common value is enough, and so is metadata without any identifying values. The comparison ignores case,
 * as key stores do.
 */
export function mayBeSame(one: readonly MetadataAttribute[], other: readonly MetadataAttribute[]): boolean {
  const [mine, theirs] = [namesIn(one), namesIn(other)];
  return mine.size === 0 || theirs.size === 0 || !mine.isDisjointFrom(theirs);
}

const namesIn = (metadata: readonly MetadataAttribute[]): Set<string> =>
  new Set(
    metadata
      .filter(({ contentType }) => contentType !== 'boolean')
      .flatMap(({ name, content = [] }) => content.map(({ data }) => JSON.stringify([name, data]).toLowerCase())),
  );

interface GeneratedEntry {
  readonly metadata: readonly MetadataAttribute[];
  readonly context: RequestContext;
}

/** Removes the entry of a certificate that was not issued; a failure is only logged. */
export async function removeGeneratedEntry(
  parts: DeploymentParts,
  place: ReachedLocation,
  { metadata, context }: GeneratedEntry,
): Promise<void> {
  const { platform, values } = parts;
  const { location, reached } = place;
  const { client, params, entity } = reached;
  const logRemaining = (facts: object, why: string): void =>
    platform.log.warn(
      { ...facts, location: location.name },
      `cannot remove the entry of an unissued certificate from its location: ${why}`,
    );
  try {
    const locationAttributes = await values.toSend(location.uuid, entity.connector_uuid);
    const now = await listEntries(parts, place, { locationAttributes, context });
    if (!now || (await isInUse(parts, now, metadata))) return logRemaining({}, 'it may be in use');
    const body = { certificateMetadata: [...metadata], locationAttributes };
    const { removeCertificateFromLocation } = entityProviderOperations;
    await client.call(removeCertificateFromLocation, { params, body }, { signal: context.signal });
  } catch (error) {
    logRemaining({ error }, 'the provider did not remove it');
  }
}

/**
 * Removes the entry that was created for a lost CSR, as determined by a listing: the only new one, which contains
 * nothing but the self-signed certificate that key stores create together with a key. A failure is only logged.
 */
export async function removeLostEntry(
  parts: DeploymentParts,
  place: ReachedLocation,
  { before, context }: { readonly before: readonly ListedEntry[]; readonly context: RequestContext },
): Promise<void> {
  // The caller may have disconnected; the entry must be removed nevertheless.
  const own = { ...context, signal: AbortSignal.timeout(LOST_ENTRY_TIMEOUT_MS) };
  const { location, reached } = place;
  const locationAttributes = await parts.values.toSend(location.uuid, reached.entity.connector_uuid);
  const after = await listEntries(parts, place, { locationAttributes, context: own });
  const created = (after ?? []).filter(({ metadata = [] }) => isNewEntry(before, metadata));
  const [entry] = created;
  if (!entry || created.length > 1 || !isSelfSigned(entry)) return;
  await removeGeneratedEntry(parts, place, { metadata: entry.metadata ?? [], context: own });
}

function isSelfSigned({ certificateData }: ListedEntry): boolean {
  try {
    const { subject, issuer } = parseCertificate(decodeReturnedCertificate(certificateData));
    return formatName(subject) === formatName(issuer);
  } catch {
    return false;
  }
}

/** Returns whether a certificate from the inventory has been installed there in the meantime. */
async function isInUse(
  { certificates }: Pick<DeploymentParts, 'certificates'>,
  now: readonly ListedEntry[],
  made: readonly MetadataAttribute[],
): Promise<boolean> {
  const meant = now.filter(({ metadata = [] }) => mayBeSame(metadata, made));
  const fingerprints = meant.map(({ certificateData }) =>
    createHash('sha256').update(decodeReturnedCertificate(certificateData)).digest('hex'),
  );
  return meant.length > 0 && (await certificates.identify(fingerprints)).size > 0;
}
