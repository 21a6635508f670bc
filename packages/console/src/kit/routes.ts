// Declarations of an area's pages, which app/router turns into routes. A page's script is loaded when the page is
// opened.
import type { Action, Resource } from '@signetry/contract';
import { useParams, type RouteComponent } from '@tanstack/react-router';
import { readListSearch } from './list-search.ts';
import type { ObjectPaths } from './paths.ts';

/** A URL's search parameters. */
export type Search = Readonly<Record<string, unknown>>;

export interface PageRoute {
  readonly path: string;
  readonly component: RouteComponent;
  /**
   * Permission required to open the page. Without it, the page shows which permission is missing. If the resource has
   * objects, the permission applies to the object in the URL.
   */
  readonly needs?: readonly [resource: Resource, action: Action];
  /** Reads the page's search parameters and drops all others. Absent if the page has none. */
  readonly validateSearch?: (given: Record<string, unknown>) => object;
  /** Prefetches the page's data while its script is loading. */
  readonly loader?: (location: { readonly location: { readonly search: Search } }) => void;
}

export interface ObjectPages {
  /** Resource of the objects. */
  readonly resource: Resource;
  readonly list: RouteComponent;
  readonly new: RouteComponent;
  readonly one: RouteComponent;
  readonly edit: RouteComponent;
  /** Action required to create an object, if it is not `create`. */
  readonly createdBy?: Action;
  /** Prefetches the list while the list page's script is loading. */
  readonly askEarly: () => unknown;
  /** Search parameters for the pages that create and view an object, if there are any. */
  readonly searchOfNew?: PageRoute['validateSearch'];
  readonly searchOfOne?: PageRoute['validateSearch'];
}

/** Returns the routes of an area's pages: list, new, view and edit. */
export const objectRoutes = (paths: ObjectPaths, pages: ObjectPages): readonly PageRoute[] => [
  { path: paths.list, component: pages.list, validateSearch: readListSearch, loader: () => void pages.askEarly() },
  {
    path: paths.new,
    component: pages.new,
    needs: [pages.resource, pages.createdBy ?? 'create'],
    ...(pages.searchOfNew && { validateSearch: pages.searchOfNew }),
  },
  { path: paths.one('$uuid'), component: pages.one, ...(pages.searchOfOne && { validateSearch: pages.searchOfOne }) },
  { path: paths.edit('$uuid'), component: pages.edit, needs: [pages.resource, 'update'] },
];

/** Returns the object identifier from the page's URL. */
export function useUuid(): string {
  const { uuid } = useParams({ strict: false });
  if (uuid === undefined) throw new Error('The URL of this page contains no object identifier.');
  return uuid;
}
