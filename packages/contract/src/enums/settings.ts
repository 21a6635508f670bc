// Enumerations for the platform settings.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const SettingsSection = enumeration('SettingsSection', {
  platform: 'Platform',
  events: 'Events',
  authentication: 'Authentication',
  logging: 'Logging',
});
export type SettingsSection = z.output<typeof SettingsSection>;
