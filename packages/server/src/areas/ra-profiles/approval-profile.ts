// Approval profile of an RA profile: if it is set, operations under the RA profile wait for approval. It is replaced in
// a single step, so that the RA profile is never temporarily without an approval profile.
import type { ApprovalProfileDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound, rejected } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Approvals } from '../approvals/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { IssuingProfiles } from './issuing-profiles.ts';
import type { RaProfileKey, RaProfileService } from './service.ts';
import { raProfiles } from './store.ts';

export interface ApprovalProfileParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly approvals: Pick<Approvals, 'describeProfiles' | 'holdProfile'>;
  readonly profiles: IssuingProfiles;
  readonly service: Pick<RaProfileService, 'require' | 'requireChangeable'>;
}

export type ApprovalProfileOfRaProfile = ReturnType<typeof createApprovalProfileOfRaProfile>;

export function createApprovalProfileOfRaProfile(parts: ApprovalProfileParts) {
  const { platform, audit, approvals, profiles, service } = parts;

  async function list(key: RaProfileKey): Promise<ApprovalProfileDto[]> {
    const { approval_profile_uuid: uuid } = await service.require(key);
    return uuid === null ? [] : approvals.describeProfiles([uuid]);
  }

  async function associate(key: RaProfileKey, approvalProfileUuid: string, context: RequestContext): Promise<void> {
    const { uuid } = await service.requireChangeable(key);
    await platform.database.transaction(async (tx) => {
      const approvalProfile = await approvals.holdProfile(tx, approvalProfileUuid);
      const changes = { approval_profile_uuid: approvalProfile.uuid, updated_at: platform.clock.now() };
      const row = requireFound(await raProfiles.update(tx, uuid, changes), raProfiles.what, uuid);
      const affiliated = { resource: 'approvalProfiles', objects: [approvalProfile] } as const;
      await audit.append(tx, context, { objects: [row], affiliated });
    });
    profiles.invalidate([uuid]);
  }

  async function disassociate(key: RaProfileKey, approvalProfileUuid: string, context: RequestContext): Promise<void> {
    const { uuid } = await service.requireChangeable(key);
    await platform.database.transaction(async (tx) => {
      const row = await raProfiles.lock(tx, uuid);
      if (row.approval_profile_uuid !== approvalProfileUuid.toLowerCase())
        throw rejected(`RA profile ${row.name} is not associated with this approval profile`);
      await raProfiles.update(tx, uuid, { approval_profile_uuid: null, updated_at: platform.clock.now() });
      const affiliated = { resource: 'approvalProfiles', objects: [{ uuid: approvalProfileUuid }] } as const;
      await audit.append(tx, context, { objects: [row], affiliated });
    });
    profiles.invalidate([uuid]);
  }

  return { list, associate, disassociate };
}
