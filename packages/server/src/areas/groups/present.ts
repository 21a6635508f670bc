// Presents groups in the API format.
import type { GroupDto } from '@signetry/contract';
import type { GroupRow } from './tables.ts';

export const presentGroup = (row: Pick<GroupRow, 'uuid' | 'name' | 'description' | 'email'>): GroupDto => ({
  uuid: row.uuid,
  name: row.name,
  description: row.description ?? undefined,
  email: row.email ?? undefined,
});
