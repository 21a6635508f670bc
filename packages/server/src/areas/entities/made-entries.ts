// Entries that a provider makes for certificates which are not issued yet, e.g. a key in a key store. One is removed
// only where listings of the location before and after it was made show that it is new and nobody's: the entry that a
// renewal is for is in use.
import {
  entityProviderOperations,
  type LocationDetailResponseDto,
  type MetadataAttribute,
  type RequestAttributeDto,
} from '@signetry/contract';
import { createHash } from 'node:crypto';
import type { RequestContext } from '../../kernel/actor.ts';
import { isAppError } from '../../kernel/errors.ts';
import { answeredCertificate } from '../connectors/index.ts';
import type { DeploymentParts, ReachedLocation } from './push.ts';

type Listed = Pick<LocationDetailResponseDto['certificates'][number], 'certificateData' | 'metadata'>;

/** What a location has; undefined where its provider does not say so: then nothing is removed. */
export async function listEntries(
  { contents, platform }: Pick<DeploymentParts, 'contents' | 'platform'>,
  { location, reached }: ReachedLocation,
  { locationAttributes, context }: { readonly locationAttributes: readonly RequestAttributeDto[]; readonly context: RequestContext }, // prettier-ignore
): Promise<readonly Listed[] | undefined> {
  try {
    return (await contents.ask(reached, locationAttributes, context)).certificates;
  } catch (error) {
    if (!isAppError(error)) throw error;
    platform.log.warn({ error, location: location.name }, 'a location could not be listed');
    return undefined;
  }
}

/** Did the location have no entry that the metadata may mean? */
export const isNewEntry = (before: readonly Listed[] | undefined, made: readonly MetadataAttribute[]): boolean =>
  made.length > 0 && before !== undefined && !before.some(({ metadata = [] }) => mayBeSame(metadata, made));

/**
 * May metadata of an entry be of the same one? Which value names an entry is known to its provider only, so that one
 * that both have is enough, and so is metadata that names nothing. Key stores ignore case.
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

interface MadeEntry {
  readonly metadata: readonly MetadataAttribute[];
  readonly context: RequestContext;
}

/** Removes the entry of a certificate that was not issued; that it stays is not worth another refusal. */
export async function removeMadeEntry(
  parts: DeploymentParts,
  place: ReachedLocation,
  { metadata, context }: MadeEntry,
): Promise<void> {
  const { platform, values } = parts;
  const { location, reached } = place;
  const { client, params, entity } = reached;
  const stays = (facts: object, why: string): void =>
    platform.log.warn(
      { ...facts, location: location.name },
      `the entry of a certificate that was not issued stays in its location: ${why}`,
    );
  try {
    const locationAttributes = await values.toSend(location.uuid, entity.connector_uuid);
    const now = await listEntries(parts, place, { locationAttributes, context });
    if (!now || (await isInUse(parts, now, metadata))) return stays({}, 'it may be in use');
    const body = { certificateMetadata: [...metadata], locationAttributes };
    const { removeCertificateFromLocation } = entityProviderOperations;
    await client.call(removeCertificateFromLocation, { params, body }, { signal: context.signal });
  } catch (error) {
    stays({ error }, 'its provider did not remove it');
  }
}

/** Has somebody put a certificate of the inventory there meanwhile? */
async function isInUse(
  { certificates }: Pick<DeploymentParts, 'certificates'>,
  now: readonly Listed[],
  made: readonly MetadataAttribute[],
): Promise<boolean> {
  const meant = now.filter(({ metadata = [] }) => mayBeSame(metadata, made));
  const fingerprints = meant.map(({ certificateData }) =>
    createHash('sha256').update(answeredCertificate(certificateData)).digest('hex'),
  );
  return meant.length > 0 && (await certificates.identify(fingerprints)).size > 0;
}
