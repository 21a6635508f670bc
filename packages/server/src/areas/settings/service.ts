// Use cases of the settings. A change and its audit record are one transaction.
import type {
  EventSettingsDto,
  EventsSettingsDto,
  PlatformSettingsDto,
  PlatformSettingsUpdateDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { createSettingsSection, type SettingsSection } from '../../platform/settings/section.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { PlatformSettings } from './platform-section.ts';

/** The triggers that exist, of these identifiers. */
export type FindTriggers = (
  executor: Executor,
  uuids: readonly string[],
) => Promise<readonly { readonly uuid: string }[]>;

interface Parts {
  readonly audit: AuditTrail;
  readonly section: SettingsSection<PlatformSettings>;
  readonly findTriggers: FindTriggers;
}

type EventsMapping = EventsSettingsDto['eventsMapping'];

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService(platform: Platform, { audit, section, findTriggers }: Parts) {
  const { database } = platform;
  const events = createSettingsSection<{ readonly mapping: EventsMapping }>(platform, {
    name: 'events',
    initial: { mapping: {} },
  });

  async function changePlatform(request: PlatformSettingsUpdateDto, context: RequestContext): Promise<void> {
    assertWebAddress(request.utils?.utilsServiceUrl);
    await database.transaction(async (tx) => {
      await section.change(tx, (before) => merged(before, request));
      await audit.append(tx, context, { objects: [{ name: 'platform' }], data: request });
    });
    section.forget();
  }

  async function changeEvents(
    request: EventsSettingsDto | EventSettingsDto,
    { next, context }: { readonly next: (before: EventsMapping) => EventsMapping; readonly context: RequestContext },
  ): Promise<void> {
    const uuids = 'event' in request ? request.triggerUuids : Object.values(request.eventsMapping).flat();
    await database.transaction(async (tx) => {
      const known = new Set((await findTriggers(tx, uuids)).map(({ uuid }) => uuid));
      const unknown = [...new Set(uuids)].filter((uuid) => !known.has(uuid.toLowerCase()));
      if (unknown.length > 0) throw rejected(...unknown.map((uuid) => `There is no trigger ${uuid}.`));
      await events.change(tx, ({ mapping }) => ({ mapping: next(mapping) }));
      await audit.append(tx, context, { objects: [{ name: 'events' }], data: request });
    });
    events.forget();
  }

  return {
    platform: async (): Promise<PlatformSettingsDto> => presentPlatform(await section.current()),
    changePlatform,
    events: async (): Promise<EventsSettingsDto> => ({ eventsMapping: (await events.current()).mapping }),
    /** The mapping takes the place of the whole earlier one. */
    replaceEvents: (request: EventsSettingsDto, context: RequestContext) =>
      changeEvents(request, { next: () => request.eventsMapping, context }),
    changeEvent: (request: EventSettingsDto, context: RequestContext) =>
      changeEvents(request, { next: (before) => ({ ...before, [request.event]: request.triggerUuids }), context }),
  };
}

/** A part that the request leaves out stays. Numbers of a validation that is switched off are not kept. */
function merged(before: PlatformSettings, { utils, certificates }: PlatformSettingsUpdateDto): PlatformSettings {
  const validation = certificates?.validation;
  return {
    utilsServiceUrl: utils ? (utils.utilsServiceUrl ?? null) : before.utilsServiceUrl,
    validation: validation
      ? {
          enabled: validation.enabled,
          frequencyDays: validation.frequency,
          expiringThresholdDays: validation.expiringThreshold,
        }
      : before.validation,
  };
}

const presentPlatform = ({ utilsServiceUrl, validation }: PlatformSettings): PlatformSettingsDto => ({
  utils: utilsServiceUrl === null ? {} : { utilsServiceUrl },
  certificates: {
    validation: validation.enabled
      ? { enabled: true, frequency: validation.frequencyDays, expiringThreshold: validation.expiringThresholdDays }
      : { enabled: false },
  },
});

function assertWebAddress(text: string | undefined): void {
  const scheme = text && URL.parse(text)?.protocol;
  if (text && scheme !== 'http:' && scheme !== 'https:')
    throw rejected('The address of the utils service must begin with http:// or https://.');
}
