// Assigns a different RA profile to a certificate. The new profile's authority is asked first, outside the transaction.
// If it rejects the change, the rejection is recorded in the history.
import type { MetadataAttribute } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, isAppError, notFound } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import {
  callerName,
  certificateName,
  findContent,
  insertHistory,
  type CertificateRow,
  type CompliancePort,
} from '../../certificates/index.ts';
import { identifyCertificate } from '../../issuing/index.ts';
import { formatChange, type AssignmentChange } from './assignment.ts';
import { findProfileWithConnector } from './store.ts';

export interface ProfileChange {
  readonly previous: { readonly name: string; readonly connectorUuid: string | null } | undefined;
  /** Absent if the RA profile is removed. */
  readonly profile: IssuingProfile | undefined;
  /** Metadata that the new profile's connector returns for the certificate. */
  readonly metadata: readonly MetadataAttribute[];
}

export interface ProfileChangeParts {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly raProfiles: Pick<RaProfiles, 'forIssuingByUuid'>;
  readonly connectors: Pick<Connectors, 'client'>;
  readonly compliance: Pick<CompliancePort, 'appliesTo' | 'checkLater'>;
}

/** RA profile lookups by identifier. Certificates that are changed together usually share profiles. */
export interface ProfileLookups {
  readonly previous: (uuid: string) => Promise<NonNullable<ProfileChange['previous']>>;
  readonly next: (uuid: string) => Promise<IssuingProfile>;
}

/** Looks up each profile once. */
export function createProfileLookups({ platform, raProfiles }: ProfileChangeParts): ProfileLookups {
  const memoize = <Found>(find: (uuid: string) => Promise<Found>) => {
    const found = new Map<string, Promise<Found>>();
    return (uuid: string): Promise<Found> => {
      const finding = found.get(uuid) ?? find(uuid);
      found.set(uuid, finding);
      return finding;
    };
  };
  return {
    previous: memoize((uuid) => previousOf(platform.database.executor, uuid)),
    next: memoize((uuid) => raProfiles.forIssuingByUuid(uuid)),
  };
}

interface DesiredProfile {
  readonly row: CertificateRow;
  readonly raProfileUuid: string | undefined;
  readonly lookups?: ProfileLookups;
}

/** `raProfileUuid` is the value from the request: if absent, the profile stays; an empty string removes it. */
export async function prepareProfileChange(
  parts: ProfileChangeParts,
  { row, raProfileUuid, lookups = createProfileLookups(parts) }: DesiredProfile,
  context: RequestContext,
): Promise<ProfileChange | undefined> {
  if (raProfileUuid === undefined) return undefined;
  const { executor } = parts.platform.database;
  const previous = row.ra_profile_uuid === null ? undefined : await lookups.previous(row.ra_profile_uuid);
  if (raProfileUuid === '') return { previous, profile: undefined, metadata: [] };
  const uuid = raProfileUuid.toLowerCase();
  if (uuid === row.ra_profile_uuid) return undefined;
  if (!isUuid(uuid)) throw notFound('RA profile', raProfileUuid);
  const profile = await lookups.next(uuid);
  try {
    return { previous, profile, metadata: await identify(parts, row, profile) };
  } catch (error) {
    if (!isAppError(error)) throw error;
    // A central handler writes the audit record of a rejection.
    const message = `${formatChange(previous?.name, profile.name)}: ${error.message}`;
    const entry = { event: 'Update RA Profile', status: 'FAILED', message } as const;
    const occasion = { at: parts.platform.clock.now(), by: callerName(context) };
    await insertHistory(executor, [{ certificate_uuid: row.uuid, ...entry }], occasion);
    throw rejectionOf(error, profile);
  }
}

/**
 * Returns the name and connector even if the profile cannot be used. A profile without an authority has no connector.
 */
async function previousOf(executor: Executor, uuid: string) {
  const found = await findProfileWithConnector(executor, uuid);
  return { name: found?.name ?? uuid, connectorUuid: found?.connector_uuid ?? null };
}

async function identify(
  { connectors, platform }: ProfileChangeParts,
  row: CertificateRow,
  profile: IssuingProfile,
): Promise<readonly MetadataAttribute[]> {
  if (row.state !== 'issued' && row.state !== 'revoked') {
    const needed = 'an issued certificate';
    throw new AppError('invalid_state', { what: 'Certificate', name: certificateName(row), state: row.state, needed });
  }
  return identifyCertificate(connectors, { profile, der: await findContent(platform.database.executor, row) });
}

/** Replaces the previous connector's metadata with that of the new connector. */
export async function applyProfileChange(
  tx: Executor,
  { attributes, compliance }: ProfileChangeParts,
  { row, change }: { readonly row: CertificateRow; readonly change: ProfileChange | undefined },
): Promise<AssignmentChange[]> {
  if (!change || (change.profile?.uuid ?? null) === row.ra_profile_uuid) return [];
  const { previous, profile, metadata } = change;
  const object = { resource: 'certificates', uuid: row.uuid } as const;
  if (previous?.connectorUuid) await attributes.removeConnectorMetadata(tx, object, previous.connectorUuid);
  if (profile && metadata.length > 0)
    await attributes.appendMetadata(tx, [{ object, connectorUuid: profile.connectorUuid, metadata }]);
  if (profile && (await compliance.appliesTo(profile.uuid))) await compliance.checkLater(tx, [row.uuid]);
  const assignment = { ra_profile_uuid: profile?.uuid ?? null };
  return [{ event: 'Update RA Profile', message: formatChange(previous?.name, profile?.name), assignment }];
}

/** "Not found" from the authority is an outcome of the request, not an unknown URL. */
function rejectionOf(error: AppError, profile: IssuingProfile): AppError {
  if (error.code !== 'object_not_found' && error.code !== 'rejected_by_rules') return error;
  const problem = `Cannot assign RA profile ${profile.name}: its authority ${profile.authorityName} does not identify the certificate (${error.message})`;
  return new AppError('certificate_operation', { problem }, { cause: error });
}
