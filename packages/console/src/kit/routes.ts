// Pages as an area declares them; app/router makes them routes. Their scripts are loaded when they are opened.
import type { Action, Resource } from '@signetry/contract';
import { useParams, type RouteComponent } from '@tanstack/react-router';
import { readListSearch } from './list-search.ts';
import type { ObjectPaths } from './paths.ts';

/** The search parameters of a URL. */
export type Search = Readonly<Record<string, unknown>>;

export interface PageRoute {
  readonly path: string;
  readonly component: RouteComponent;
  /** Without it, the page says what is missing. On the object in the address, where the resource has objects. */
  readonly needs?: readonly [resource: Resource, action: Action];
  /** Reads the search parameters of the page; all others are dropped. Absent: the page has none. */
  readonly validateSearch?: (given: Record<string, unknown>) => object;
  /** Fetches what the page shows while its script is still loading. */
  readonly loader?: (location: { readonly location: { readonly search: Search } }) => void;
}

export interface ObjectPages {
  /** Whose objects they are. */
  readonly resource: Resource;
  readonly list: RouteComponent;
  readonly new: RouteComponent;
  readonly one: RouteComponent;
  readonly edit: RouteComponent;
  /** The right with which one is created, where it is not `create`. */
  readonly createdBy?: Action;
  /** Fetches the list while the script of its page is still loading. */
  readonly askEarly: () => unknown;
  /** Search parameters of the pages that create and show one, where they have any. */
  readonly searchOfNew?: PageRoute['validateSearch'];
  readonly searchOfOne?: PageRoute['validateSearch'];
}

/** The four pages of an area of objects. */
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

/** The identifier in the address of a page that shows or changes one object. */
export function useUuid(): string {
  const { uuid } = useParams({ strict: false });
  if (uuid === undefined) throw new Error('The address of this page names no object.');
  return uuid;
}
