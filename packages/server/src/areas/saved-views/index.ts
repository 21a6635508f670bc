// Saved views: list views that users save for themselves. Owns: saved_view, saved_view_default. Invariants: only the
// user who saved a view can see and change it; a user's view names are unique per list; each user has at most one
// default view per list; views are deleted along with their user.
import type { Resource, SavedSearch } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { savedViewRoutes } from './routes.ts';
import { createSavedViewService } from './service.ts';

export interface SavedViews {
  /** Returns the search stored in one of the caller's views. Rejects views of a different list. */
  findSearch(
    view: { readonly uuid: string; readonly resource: Resource },
    context: RequestContext,
  ): Promise<SavedSearch>;
}

export function createSavedViewsArea(platform: Platform, areas: { readonly audit: AuditTrail }): Area & SavedViews {
  const service = createSavedViewService(platform, areas);
  return { routes: savedViewRoutes(service), findSearch: service.findSearch };
}
