// Revocation and release from hold, for every caller: check and reserve the operation, let the authority perform it,
// record the result, respond.
import {
  HOLD_FEATURE,
  type CertificateRevocationReason,
  type ClientCertificateRevocationDto,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import type { Keys } from '../../keys/index.ts';
import type { IssuingProfile, RaProfiles } from '../../ra-profiles/index.ts';
import type { AwaitApproval } from '../approving/await-approval.ts';
import { approvalNeeded } from '../approving/approval-needed.ts';
import { certificateName, findCertificate, findContent, type CertificateRow } from '../../certificates/index.ts';
import type { CallAttributes } from '../operations/call-attributes.ts';
import type { InFlight } from '../operations/in-flight.ts';
import { newOperation } from '../operations/leases.ts';
import { findHeldUnder, findRevocableUnder, usableProfile, type ProfilePath } from '../operations/preconditions.ts';
import { insertRevokeOperation } from '../operations/store.ts';
import { requesterOf, type Outcome, type RevokingWork } from '../operations/work.ts';
import { requireDestroyPermission } from './destroy-key.ts';

export interface RevokeParts {
  readonly platform: Platform;
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
  readonly keys: Pick<Keys, 'findByPublicKey'>;
  readonly revokeAttributes: CallAttributes;
  readonly carryOut: (work: RevokingWork) => Promise<Outcome>;
  readonly inFlight: InFlight;
  readonly awaitApproval: AwaitApproval;
  /** How long a caller waits for the authority. */
  readonly waitMs: number;
}

export interface RevokeInput extends ProfilePath {
  readonly certificateUuid: string;
  readonly revocation: ClientCertificateRevocationDto;
}

/** Revocation at a v1 authority, which accepts no attributes. */
export interface LegacyRevokeInput {
  readonly profile: IssuingProfile;
  readonly certificateUuid: string;
  readonly reason: CertificateRevocationReason;
}

/** Whether the authority has revoked the certificate, or will do so once the revocation is approved. */
export type Revocation = 'revoked' | 'waitsForApproval';

export interface CertificateRevoker {
  revoke(input: RevokeInput, context: RequestContext): Promise<Revocation>;
  revokeLegacy(input: LegacyRevokeInput, context: RequestContext): Promise<Revocation>;
  /** Releases the certificate from hold at its authority, or will once the release is approved. */
  release(certificateUuid: string, context: RequestContext): Promise<Revocation>;
}

export const createCertificateRevoker = (parts: RevokeParts): CertificateRevoker => ({
  revoke: async (input, context) => perform(parts, await check(parts, input, context), context),
  revokeLegacy: async (input, context) => perform(parts, await checkLegacy(parts, input), context),
  release: async (certificateUuid, context) => perform(parts, await checkRelease(parts, certificateUuid), context),
});

type CheckedRevocation = Pick<RevokingWork, 'certificateUuid' | 'profile' | 'attributes' | 'reason' | 'destroysKey'> & {
  readonly row: CertificateRow;
};

async function perform(
  parts: RevokeParts,
  { row, ...checked }: CheckedRevocation,
  context: RequestContext,
): Promise<Revocation> {
  const der = await findContent(parts.platform.database.executor, row);
  const work = { ...checked, der, operationUuid: newUuid(), requester: requesterOf(context), attempts: 1, context };
  const approvalProfileUuid = approvalNeeded(work.profile, context);
  await reserve(parts, row, { ...work, approvalProfileUuid });
  if (approvalProfileUuid !== undefined) return 'waitsForApproval';
  const { inFlight, carryOut, waitMs, platform } = parts;
  const outcome = await inFlight.within({ operationUuid: work.operationUuid, waitMs }, () => carryOut(work));
  platform.faultPoint('revoke.beforeAnswer');
  assertRevoked(outcome, row);
  return 'revoked';
}

async function check(
  { platform, raProfiles, revokeAttributes, keys }: RevokeParts,
  input: RevokeInput,
  context: RequestContext,
): Promise<CheckedRevocation> {
  const { certificateUuid, revocation } = input;
  const { reason, destroyKey: destroysKey } = revocation;
  const profile = await usableProfile(raProfiles, { ...input, alsoInternal: true });
  rejectHold(reason, profile);
  const row = await findRevocableUnder(platform.database.executor, { certificateUuid, profile, reason });
  const key = destroysKey ? await keys.findByPublicKey(row.public_key_fingerprint) : undefined;
  if (key) requireDestroyPermission(key, context);
  const attributes = await revokeAttributes.validate(profile, revocation.attributes, context);
  return { certificateUuid: row.uuid, row, profile, attributes, reason, destroysKey };
}

async function checkLegacy(
  { platform }: RevokeParts,
  { certificateUuid, profile, reason }: LegacyRevokeInput,
): Promise<CheckedRevocation> {
  rejectHold(reason, profile);
  const row = await findRevocableUnder(platform.database.executor, { certificateUuid, profile, reason });
  return { certificateUuid: row.uuid, row, profile, attributes: [], reason, destroysKey: false };
}

async function checkRelease(
  { platform, raProfiles }: RevokeParts,
  certificateUuid: string,
): Promise<CheckedRevocation> {
  const { executor } = platform.database;
  const known = await findCertificate(executor, certificateUuid);
  if (!known) throw notFound('Certificate', certificateUuid);
  if (known.ra_profile_uuid === null)
    throw rejected(`certificate: ${certificateName(known)} has no RA profile, so no authority can release it`);
  const profile = await raProfiles.forUpkeep(known.ra_profile_uuid);
  raProfiles.assertEnabled(profile);
  const row = await findHeldUnder(executor, { certificateUuid, profile });
  rejectHold('certificateHold', profile);
  return { certificateUuid, row, profile, attributes: [], reason: 'removeFromCRL', destroysKey: false };
}

/** Rejects a hold that the authority cannot release, because it would be permanent despite its name. */
export function rejectHold(
  reason: CertificateRevocationReason,
  { name, features, legacy }: Pick<IssuingProfile, 'name' | 'features' | 'legacy'>,
): void {
  if (reason !== 'certificateHold' || (!legacy && features.includes(HOLD_FEATURE))) return;
  throw rejected(
    `reason: certificateHold is not supported by the authority of RA profile ${name}: its connector does not declare the feature ${HOLD_FEATURE}, so a hold could not be released; use a different reason`,
  );
}

/** Reserves the operation, with the attributes of the call. */
async function reserve(
  parts: RevokeParts,
  row: CertificateRow,
  work: RevokingWork & { readonly approvalProfileUuid: string | undefined },
): Promise<void> {
  const { platform, attributes, revokeAttributes, awaitApproval } = parts;
  const { approvalProfileUuid, reason, destroysKey } = work;
  const payload = { reason, ...(destroysKey ? { destroysKey } : {}) };
  platform.faultPoint('revoke.beforeIntent');
  const isReserved = await platform.database.transaction(async (tx) => {
    if (!(await insertRevokeOperation(tx, newOperation(platform, work, payload)))) return false;
    // A release has no attributes; the attributes of the hold are kept.
    if (reason !== 'removeFromCRL')
      await attributes.replaceValues(tx, revokeAttributes.valueSet(row.uuid, work.profile, work.attributes));
    const purpose = reason === 'removeFromCRL' ? 'release from hold' : undefined;
    if (approvalProfileUuid !== undefined)
      await awaitApproval(tx, { ...work, kind: 'revoke', approvalProfileUuid, purpose });
    return true;
  });
  if (isReserved) return;
  throw new AppError('invalid_state', {
    what: 'Certificate',
    name: row.common_name || row.uuid,
    state: 'already being revoked or renewed',
    needed: 'no operation in progress or waiting for approval',
  });
}

function assertRevoked(outcome: Outcome | undefined, row: CertificateRow): void {
  if (outcome?.status === 'failed' || outcome?.status === 'waiting') throw outcome.error;
  if (outcome) return;
  throw new AppError(
    'unavailable',
    {
      reason:
        'the authority has not confirmed the revocation yet; it continues in the background, see the history of the certificate',
    },
    { objectUuid: row.uuid },
  );
}
