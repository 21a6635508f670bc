// The tabs of a profile. On narrow screens they are scrolled so that the open one is in sight.
import { Tabs } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useMayList } from '../../api/session.ts';
import classes from './profile-page.module.css';
import { PROFILE_TABS, type ProfileTab } from './profile-search.ts';

const labels: Readonly<Record<ProfileTab, string>> = {
  clients: 'Get a certificate',
  orders: 'Orders',
  accounts: 'Accounts',
  keys: 'External account keys',
  settings: 'Settings',
};

const ofAccounts: ReadonlySet<ProfileTab> = new Set(['orders', 'accounts']);

export function ProfileTabs({ open }: { readonly open: ProfileTab }) {
  const list = useRef<HTMLDivElement>(null);
  const mayList = useMayList();
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!list.current || !chosen) return;
    list.current.scrollLeft = chosen.offsetLeft - (list.current.clientWidth - chosen.offsetWidth) / 2;
  }, [open]);
  // A tab that the user may not open is hidden, unless its URL was opened: then it says which permission is missing.
  const shown = PROFILE_TABS.filter((each) => each === open || !ofAccounts.has(each) || mayList('acmeAccounts'));
  return (
    <Tabs.List ref={list} className={classes.tabs} mb="lg">
      {shown.map((each) => (
        <Tabs.Tab key={each} value={each}>
          {labels[each]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
