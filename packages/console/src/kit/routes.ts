// Pages as an area declares them: app/router makes routes of them. Their scripts are loaded when somebody goes there.
import { useParams, type RouteComponent } from '@tanstack/react-router';
import { readListSearch } from './list-search.ts';
import type { ObjectPaths } from './paths.ts';

/** What an address says behind the question mark. */
export type Search = Readonly<Record<string, unknown>>;

export interface PageRoute {
  readonly path: string;
  readonly component: RouteComponent;
  /** Reads what the page takes from its address; the rest is dropped. Without it, the page takes nothing. */
  readonly validateSearch?: (given: Record<string, unknown>) => object;
  /** Asks for what the page shows while its script is still on its way. */
  readonly loader?: (location: { readonly location: { readonly search: Search } }) => void;
}

export interface ObjectPages {
  readonly list: RouteComponent;
  readonly new: RouteComponent;
  readonly one: RouteComponent;
  readonly edit: RouteComponent;
  /** Asks for the list while the script of its page is on its way. */
  readonly askEarly: () => unknown;
  /** Of the page that makes one and the page that shows one, where they take anything from their addresses. */
  readonly searchOfNew?: PageRoute['validateSearch'];
  readonly searchOfOne?: PageRoute['validateSearch'];
}

/** The four pages of an area of objects. */
export const objectRoutes = (paths: ObjectPaths, pages: ObjectPages): readonly PageRoute[] => [
  { path: paths.list, component: pages.list, validateSearch: readListSearch, loader: () => void pages.askEarly() },
  { path: paths.new, component: pages.new, ...(pages.searchOfNew && { validateSearch: pages.searchOfNew }) },
  { path: paths.one('$uuid'), component: pages.one, ...(pages.searchOfOne && { validateSearch: pages.searchOfOne }) },
  { path: paths.edit('$uuid'), component: pages.edit },
];

/** The identifier in the address of a page that shows or changes one object. */
export function useUuid(): string {
  const { uuid } = useParams({ strict: false });
  if (uuid === undefined) throw new Error('The address of this page names no object.');
  return uuid;
}
