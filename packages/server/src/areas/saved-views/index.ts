// Views of lists that users save for themselves.
// Owns: saved_view, saved_view_default. Invariants: a view is seen and changed by its user only; the names of the views
// that a user has of a list differ; a list has one default view at most; views end with their user.
import type { Resource, SavedSearch } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { savedViewRoutes } from './routes.ts';
import { createSavedViewService } from './service.ts';

export interface SavedViews {
  /** What a view of the caller searches for; refused where it is of another list. */
  findSearch(
    view: { readonly uuid: string; readonly resource: Resource },
    context: RequestContext,
  ): Promise<SavedSearch>;
}

export function createSavedViewsArea(platform: Platform, areas: { readonly audit: AuditTrail }): Area & SavedViews {
  const service = createSavedViewService(platform, areas);
  return { routes: savedViewRoutes(service), findSearch: service.findSearch };
}
