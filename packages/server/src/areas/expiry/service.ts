// Expiry threshold use cases. Every change is written in one transaction with its audit record.
import type { ExpiryThresholds, ExpiryThresholdsUpdate } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { requireFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { NamedRow } from '../../platform/objects/named-objects.ts';
import { createSettingsSection } from '../../platform/settings/section.ts';
import type { AuditTrail } from '../audit/index.ts';
import { requireGroups } from '../groups/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import { groupThresholds, raProfileThresholds, type OwnThresholds } from './store.ts';

/** Customary intervals for expiry reminders: a month, two weeks, a week and a day. */
const INITIAL_DAYS = [30, 14, 7, 1] as const;

export interface ThresholdParts {
  readonly audit: AuditTrail;
  readonly raProfiles: Pick<RaProfiles, 'findByUuid' | 'holdForUse'>;
}

export type ThresholdService = ReturnType<typeof createThresholdService>;

export function createThresholdService(platform: Platform, { audit, raProfiles }: ThresholdParts) {
  const { database } = platform;
  const { executor } = database;
  const section = createSettingsSection<{ readonly days: readonly number[] }>(platform, {
    name: 'expiry',
    initial: { days: INITIAL_DAYS },
  });
  const platformDays = async (): Promise<readonly number[]> => (await section.current()).days;

  const platformThresholds = async (): Promise<ExpiryThresholds> => ({
    days: [...(await platformDays())],
    inherited: false,
  });

  async function setPlatformThresholds(
    { days }: ExpiryThresholdsUpdate,
    context: RequestContext,
  ): Promise<ExpiryThresholds> {
    await database.transaction(async (tx) => {
      await section.change(tx, () => ({ days: inOrder(days) }));
      await audit.append(tx, context, { objects: [{ name: 'expiry' }], data: { days: inOrder(days) } });
    });
    section.forget();
    return platformThresholds();
  }

  const raProfileKind: Kind = {
    store: raProfileThresholds,
    require: async (uuid) => requireFound(await raProfiles.findByUuid(uuid), 'RA profile', uuid),
    hold: raProfiles.holdForUse,
  };
  const groupKind: Kind = {
    store: groupThresholds,
    require: async (uuid) => {
      const [group] = await requireGroups(executor, [uuid]);
      return requireFound(group, 'Group', uuid);
    },
    // The row's foreign key locks the group.
    hold: () => Promise.resolve(),
  };

  /** Operations for one kind of object. */
  const of = ({ store, require, hold }: Kind) => ({
    async get(given: string): Promise<ExpiryThresholds> {
      const { uuid } = await require(given);
      const own = await store.find(executor, uuid);
      return own ? { days: [...own], inherited: false } : { ...(await platformThresholds()), inherited: true };
    },
    async set(given: string, { days }: ExpiryThresholdsUpdate, context: RequestContext): Promise<ExpiryThresholds> {
      const { uuid, name } = await require(given);
      const own = inOrder(days);
      await database.transaction(async (tx) => {
        await hold(tx, uuid);
        await store.keep(tx, uuid, own);
        await audit.append(tx, context, { objects: [{ uuid, name }], data: { expiryThresholds: own } });
      });
      return { days: own, inherited: false };
    },
    async inherit(given: string, context: RequestContext): Promise<void> {
      const { uuid, name } = await require(given);
      await database.transaction(async (tx) => {
        await store.forget(tx, uuid);
        await audit.append(tx, context, { objects: [{ uuid, name }], data: { expiryThresholds: 'inherited' } });
      });
    },
  });

  return {
    platformDays,
    platformThresholds,
    setPlatformThresholds,
    raProfile: of(raProfileKind),
    group: of(groupKind),
  };
}

interface Kind {
  readonly store: OwnThresholds;
  /** Throws 404 if the object does not exist. */
  require(uuid: string): Promise<NamedRow>;
  /** Locks the object until the transaction ends. */
  hold(tx: Executor, uuid: string): Promise<void>;
}

/** Sorts thresholds in descending order, without duplicates. */
const inOrder = (days: readonly number[]): number[] => [...new Set(days)].toSorted((one, other) => other - one);
