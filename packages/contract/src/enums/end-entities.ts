// Enumerations for end entities in first-generation authorities.
import type { z } from 'zod';
import { enumeration } from '../enumeration.ts';

export const EndEntityStatus = enumeration('EndEntityStatus', {
  NEW: 'New',
  FAILED: 'Failed',
  INITIALIZED: 'Initialized',
  IN_PROCESS: 'In process',
  GENERATED: 'Generated',
  REVOKED: 'Revoked',
  HISTORICAL: 'Historical',
  KEY_RECOVERY: 'Key recovery',
  WAITING_FOR_ADD_APPROVAL: 'Waiting for approval',
});
export type EndEntityStatus = z.output<typeof EndEntityStatus>;
