// Enumerations for notifications.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const RecipientType = enumeration('RecipientType', {
  none: 'None',
  default: 'Default',
  user: 'User',
  group: 'Group',
  role: 'Role',
  owner: 'Owner',
});
export type RecipientType = z.output<typeof RecipientType>;
