// Gives a certificate another RA profile: its authority is asked before, outside the transaction, and a refusal of the
// authority stands in the history.
import type { MetadataAttribute } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, isAppError, notFound } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { Connectors } from '../../connectors/index.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import { arrow, nameOf, type AssignmentChange } from './assignment.ts';
import { identifyCertificate } from '../operations/identify-certificate.ts';
import * as store from '../core/store.ts';
import { historyEntry, insertHistory } from '../core/store-history.ts';
import { findDetail } from './store.ts';
import type { CertificateRow } from '../core/tables.ts';

export interface ProfileChange {
  readonly previous: { readonly name: string; readonly connectorUuid: string | null } | undefined;
  /** Absent: removed. */
  readonly profile: IssuingProfile | undefined;
  /** What the connector of the new profile says about the certificate. */
  readonly metadata: readonly MetadataAttribute[];
}

export interface ProfileChangerOptions {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly raProfiles: Pick<RaProfiles, 'forIssuingByUuid'>;
  readonly connectors: Pick<Connectors, 'client'>;
}

export function createProfileChanger(options: ProfileChangerOptions) {
  const { platform, attributes, raProfiles, connectors } = options;
  const { database, clock } = platform;

  /** `raProfileUuid` as in the request: absent leaves, an empty text removes. */
  async function prepare(
    row: CertificateRow,
    raProfileUuid: string | undefined,
    context: RequestContext,
  ): Promise<ProfileChange | undefined> {
    if (raProfileUuid === undefined) return undefined;
    const previous = await previousOf(row);
    if (raProfileUuid === '') return { previous, profile: undefined, metadata: [] };
    const uuid = raProfileUuid.toLowerCase();
    if (uuid === row.ra_profile_uuid) return undefined;
    if (!isUuid(uuid)) throw notFound('RA profile', raProfileUuid);
    const profile = await raProfiles.forIssuingByUuid(uuid);
    try {
      return { previous, profile, metadata: await identify(row, profile) };
    } catch (error) {
      if (!isAppError(error)) throw error;
      await recordRefusal({ row, message: `${arrow(previous?.name, profile.name)}: ${error.message}` }, context);
      throw refusalOf(error, profile);
    }
  }

  /** Its name and connector, also when it is out of use: without an authority it has no connector any more. */
  async function previousOf(row: CertificateRow): Promise<ProfileChange['previous']> {
    if (row.ra_profile_uuid === null) return undefined;
    const detail = await findDetail(database.executor, row.uuid);
    return { name: detail?.profile_name ?? row.ra_profile_uuid, connectorUuid: detail?.connector_uuid ?? null };
  }

  async function identify(row: CertificateRow, profile: IssuingProfile): Promise<readonly MetadataAttribute[]> {
    if (row.state !== 'issued' && row.state !== 'revoked')
      throw new AppError('invalid_state', { what: 'Certificate', name: nameOf(row), state: row.state, needed: 'an issued one' }); // prettier-ignore
    return identifyCertificate(connectors, { profile, der: await store.contentOf(database.executor, row) });
  }

  /** The audit record of a refusal is written where all refusals are. */
  async function recordRefusal(
    facts: { row: CertificateRow; message: string },
    context: RequestContext,
  ): Promise<void> {
    await insertHistory(
      database.executor,
      historyEntry({
        certificate_uuid: facts.row.uuid,
        event: 'Update RA Profile',
        status: 'FAILED',
        message: facts.message,
        created_at: clock.now(),
        created_by: context.actor.username ?? 'signetry',
      }),
    );
  }

  /** Metadata of the earlier connector goes, that of the new one comes. */
  async function apply(
    tx: Executor,
    row: CertificateRow,
    change: ProfileChange | undefined,
  ): Promise<AssignmentChange[]> {
    if (!change || (change.profile?.uuid ?? null) === row.ra_profile_uuid) return [];
    const { previous, profile, metadata } = change;
    const object = { resource: 'certificates', uuid: row.uuid } as const;
    if (previous?.connectorUuid) await attributes.removeConnectorMetadata(tx, object, previous.connectorUuid);
    if (profile && metadata.length > 0)
      await attributes.appendMetadata(tx, [{ object, connectorUuid: profile.connectorUuid, metadata }]);
    const assignment = { ra_profile_uuid: profile?.uuid ?? null };
    return [{ event: 'Update RA Profile', message: arrow(previous?.name, profile?.name), assignment }];
  }

  return { prepare, apply };
}

/** That the authority does not know the certificate is an answer about the request, not about the path of the request. */
function refusalOf(error: AppError, profile: IssuingProfile): AppError {
  if (error.code !== 'object_not_found' && error.code !== 'rejected_by_rules') return error;
  const problem = `RA profile ${profile.name} cannot be set: its authority ${profile.authorityName} does not identify the certificate (${error.message})`;
  return new AppError('certificate_operation', { problem }, { cause: error });
}
