// Automatic renewal settings and results. Each change shares a transaction with its audit record.
import type {
  AutomaticRenewals,
  AutomaticRenewalSettings,
  AutomaticRenewalState,
  RenewalLimit,
  RenewalSettings,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound } from '../../kernel/errors.ts';
import { pageFacts, type PageRequest } from '../../kernel/page.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SettingsSection } from '../../platform/settings/section.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { Authorities } from '../authorities/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { presentRenewal } from './present.ts';
import { findPage } from './store-list.ts';
import { findLimit, findSetting, storeLimit, storeSetting } from './store.ts';

export interface RenewalServiceParts {
  readonly audit: AuditTrail;
  readonly raProfiles: Pick<RaProfiles, 'findByUuid' | 'holdForUse'>;
  readonly authorities: Pick<Authorities, 'find'>;
  readonly section: SettingsSection<RenewalSettings>;
  /** Called after the settings change. */
  readonly changed: () => void;
}

interface ListRequest {
  readonly raProfileUuid: string;
  readonly state: AutomaticRenewalState | undefined;
  readonly page: PageRequest;
}

export type RenewalService = ReturnType<typeof createRenewalService>;

export const createRenewalService = (platform: Platform, parts: RenewalServiceParts) => ({
  ...createProfileSettings(platform, parts),
  ...createPlatformSettings(platform, parts),
});

function createProfileSettings(platform: Platform, { audit, raProfiles, section, changed }: RenewalServiceParts) {
  const { executor } = platform.database;

  const requireProfile = async (uuid: string) => requireFound(await raProfiles.findByUuid(uuid), 'RA profile', uuid);

  async function settings(raProfileUuid: string): Promise<AutomaticRenewalSettings> {
    await requireProfile(raProfileUuid);
    const row = await findSetting(executor, raProfileUuid);
    return {
      automatic: row?.automatic ?? false,
      tokenKeys: row?.token_keys ?? false,
      paused: row?.paused ?? false,
      ...(row && row.days_before !== null ? { daysBefore: row.days_before } : {}),
    };
  }

  async function set(
    raProfileUuid: string,
    { automatic, daysBefore, tokenKeys = false, paused = false }: AutomaticRenewalSettings,
    context: RequestContext,
  ): Promise<AutomaticRenewalSettings> {
    const { uuid, name } = await requireProfile(raProfileUuid);
    await platform.database.transaction(async (tx) => {
      await raProfiles.holdForUse(tx, uuid);
      const facts = { automatic, days_before: daysBefore ?? null, token_keys: tokenKeys, paused };
      await storeSetting(tx, { ra_profile_uuid: uuid, ...facts });
      const days = daysBefore === undefined ? {} : { daysBefore };
      await audit.append(tx, context, {
        objects: [{ uuid, name }],
        data: { automaticRenewal: automatic, tokenKeys, paused, ...days },
      });
    });
    changed();
    return settings(uuid);
  }

  async function list({ raProfileUuid, state, page }: ListRequest): Promise<AutomaticRenewals> {
    await requireProfile(raProfileUuid);
    const { items, totalItems } = await findPage(executor, { raProfileUuid, state, page });
    const moment = { now: platform.clock.now(), paused: (await section.current()).paused };
    return { ...pageFacts(page, totalItems), renewals: items.map((row) => presentRenewal(row, moment)) };
  }

  return { settings, set, list };
}

function createPlatformSettings({ database }: Platform, { audit, authorities, section, changed }: RenewalServiceParts) {
  async function pause({ paused }: RenewalSettings, context: RequestContext): Promise<RenewalSettings> {
    await database.transaction(async (tx) => {
      await section.change(tx, () => ({ paused }));
      await audit.append(tx, context, { objects: [{ name: 'renewals' }], data: { paused } });
    });
    section.forget();
    changed();
    return section.current();
  }

  const requireAuthority = async (uuid: string) => requireFound(await authorities.find(uuid), 'Authority', uuid);

  async function limit(given: string): Promise<RenewalLimit> {
    const { uuid } = await requireAuthority(given);
    const perHour = await findLimit(database.executor, uuid);
    return perHour === undefined ? {} : { perHour };
  }

  async function setLimit(given: string, { perHour }: RenewalLimit, context: RequestContext): Promise<RenewalLimit> {
    const { uuid, name } = await requireAuthority(given);
    await database.transaction(async (tx) => {
      await storeLimit(tx, uuid, perHour);
      await audit.append(tx, context, { objects: [{ uuid, name }], data: { renewalsPerHour: perHour ?? 'unlimited' } });
    });
    changed();
    return limit(uuid);
  }

  return { platform: (): Promise<RenewalSettings> => section.current(), pause, limit, setLimit };
}
