// The menu with the pages that the user can open.
import { useQuery } from '@tanstack/react-query';
import { useMayList } from '../api/session.ts';
import { useMay } from '../kit/use-may.ts';
import { waitingCountQuery, isApproverQuery } from '../queries/approvals.ts';
import { menu, type MenuGroup } from './navigation.ts';

/** Returns the menu groups and their pages, without groups that would be empty. */
export function useMenu(): readonly MenuGroup[] {
  const mayList = useMayList();
  const may = useMay();
  const isDecider = useIsApprover();
  return menu
    .map(({ title, pages }) => ({
      title,
      pages: pages.filter(
        ({ resource, needs, forDeciders = false }) =>
          (resource === undefined || mayList(resource) || (forDeciders && isDecider)) &&
          (needs === undefined || may(needs)),
      ),
    }))
    .filter(({ pages }) => pages.length > 0);
}

/** Returns whether the user has been asked to approve something, now or in the past. */
function useIsApprover(): boolean {
  const { data: waiting = 0 } = useQuery(waitingCountQuery);
  const { data: wasAsked = false } = useQuery(isApproverQuery);
  return waiting > 0 || wasAsked;
}
