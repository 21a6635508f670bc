// API operations on platform-wide settings.
import { platformSettingsOperations, retentionOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { Retention } from './retention.ts';
import type { SettingsService } from './service.ts';

export const settingsRoutes = ({
  service,
  retention,
}: {
  readonly service: SettingsService;
  readonly retention: Retention;
}): readonly Route[] => [
  ...routes(platformSettingsOperations, {
    getPlatformSettings: () => service.platform(),
    updatePlatformSettings: ({ body, context }) => service.changePlatform(body, context),
  }),
  ...routes(retentionOperations, {
    getRetentionSettings: () => retention.current(),
    setRetentionSettings: ({ body, context }) => retention.set(body, context),
  }),
];
