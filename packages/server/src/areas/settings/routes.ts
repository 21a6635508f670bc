// Operations of the settings of the platform as a whole.
import { platformSettingsOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { SettingsService } from './service.ts';

export const settingsRoutes = (service: SettingsService): readonly Route[] =>
  routes(platformSettingsOperations, {
    getPlatformSettings: () => service.platform(),
    updatePlatformSettings: ({ body, context }) => service.changePlatform(body, context),
  });
