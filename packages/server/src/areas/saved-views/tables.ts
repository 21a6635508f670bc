// Rows of this area's tables (migration 0051-saved-views).
import type { SavedSearch, SavedViewResource } from '@signetry/contract';
import type { JSONColumnType, Selectable } from 'kysely';

export type SavedViewTables = {
  saved_view: {
    uuid: string;
    user_uuid: string;
    resource: SavedViewResource;
    name: string;
    search: JSONColumnType<SavedSearch>;
    created_at: Date;
    updated_at: Date;
  };
  saved_view_default: {
    user_uuid: string;
    resource: SavedViewResource;
    view_uuid: string;
  };
};

export type SavedViewRow = Selectable<SavedViewTables['saved_view']>;
