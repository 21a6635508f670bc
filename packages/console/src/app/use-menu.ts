// The menu with the pages that the user may open.
import { useMayList } from '../api/session.ts';
import { useMay } from '../kit/use-may.ts';
import { menu, type MenuGroup } from './navigation.ts';

/** Groups without such a page are left out. */
export function useMenu(): readonly MenuGroup[] {
  const mayList = useMayList();
  const may = useMay();
  return menu
    .map(({ title, pages }) => ({
      title,
      pages: pages.filter(
        ({ resource, needs }) => (resource === undefined || mayList(resource)) && (needs === undefined || may(needs)),
      ),
    }))
    .filter(({ pages }) => pages.length > 0);
}
