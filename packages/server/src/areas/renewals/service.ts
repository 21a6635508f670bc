// The settings of automatic renewal of RA profiles, and what became of it.
import type {
  AutomaticRenewal,
  AutomaticRenewals,
  AutomaticRenewalSettings,
  AutomaticRenewalState,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { found } from '../../kernel/errors.ts';
import { pageFacts, type PageRequest } from '../../kernel/page.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { findPage, findSetting, keepSetting, type ListedRenewal } from './store.ts';

export interface RenewalServiceParts {
  readonly audit: AuditTrail;
  readonly raProfiles: Pick<RaProfiles, 'findByUuid' | 'holdForUse'>;
  /** The settings have changed. */
  readonly changed: () => void;
}

interface ListRequest {
  readonly raProfileUuid: string;
  readonly state: AutomaticRenewalState | undefined;
  readonly page: PageRequest;
}

export type RenewalService = ReturnType<typeof createRenewalService>;

export function createRenewalService(platform: Platform, { audit, raProfiles, changed }: RenewalServiceParts) {
  const { executor } = platform.database;

  const requireProfile = async (uuid: string) => found(await raProfiles.findByUuid(uuid), 'RA profile', uuid);

  async function settings(raProfileUuid: string): Promise<AutomaticRenewalSettings> {
    await requireProfile(raProfileUuid);
    const row = await findSetting(executor, raProfileUuid);
    return {
      automatic: row?.automatic ?? false,
      ...(row && row.days_before !== null ? { daysBefore: row.days_before } : {}),
    };
  }

  async function set(
    raProfileUuid: string,
    { automatic, daysBefore }: AutomaticRenewalSettings,
    context: RequestContext,
  ): Promise<AutomaticRenewalSettings> {
    const { uuid, name } = await requireProfile(raProfileUuid);
    await platform.database.transaction(async (tx) => {
      await raProfiles.holdForUse(tx, uuid);
      await keepSetting(tx, { ra_profile_uuid: uuid, automatic, days_before: daysBefore ?? null });
      const data = { automaticRenewal: automatic, ...(daysBefore === undefined ? {} : { daysBefore }) };
      await audit.append(tx, context, { objects: [{ uuid, name }], data });
    });
    changed();
    return settings(uuid);
  }

  async function list({ raProfileUuid, state, page }: ListRequest): Promise<AutomaticRenewals> {
    await requireProfile(raProfileUuid);
    const { items, totalItems } = await findPage(executor, { raProfileUuid, state, page });
    return { ...pageFacts(page, totalItems), renewals: items.map(present) };
  }

  return { settings, set, list };
}

const present = (row: ListedRenewal): AutomaticRenewal => ({
  certificateUuid: row.certificate_uuid,
  commonName: row.common_name,
  notAfter: row.not_after.toISOString(),
  entityUuid: row.entity_uuid,
  locationUuid: row.location_uuid,
  locationName: row.location_name,
  state: row.state,
  at: row.next_at.toISOString(),
  attempts: row.attempts,
  ...(row.problem === null ? {} : { problem: row.problem }),
  ...(row.successor_uuid === null ? {} : { successorUuid: row.successor_uuid }),
});
