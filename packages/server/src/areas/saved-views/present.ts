// Presents saved views in the API format.
import type { SavedView } from '@signetry/contract';
import type { FoundView } from './store.ts';

export const presentSavedView = (row: FoundView): SavedView => ({
  uuid: row.uuid,
  resource: row.resource,
  name: row.name,
  search: row.search,
  isDefault: row.is_default,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
