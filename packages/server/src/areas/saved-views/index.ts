// Views of lists that users save for themselves.
// Owns: saved_view, saved_view_default. Invariants: a view is seen and changed by its user only; the names of the views
// that a user has of a list differ; a list has one default view at most; views end with their user.
import type { Area, Platform } from '../../platform/platform.ts';
import type { AuditTrail } from '../audit/index.ts';
import { savedViewRoutes } from './routes.ts';
import { createSavedViewService } from './service.ts';

export const createSavedViewsArea = (platform: Platform, areas: { readonly audit: AuditTrail }): Area => ({
  routes: savedViewRoutes(createSavedViewService(platform, areas)),
});
