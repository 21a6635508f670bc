// Statistics about the inventory, one topic per tab. Every number links to its certificates.
import { Switch, Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useNewSearch } from '../../kit/use-list-search.ts';
import { Page } from '../../ui/page.tsx';
import { ExpiryCalendar } from './expiry-calendar.tsx';
import { INSIGHT_TABS, type InsightsSearch, type InsightTab } from './insights-search.ts';
import classes from './insights.module.css';
import { Issuers } from './issuers.tsx';
import { Keys } from './keys.tsx';
import { Lifetimes } from './lifetimes.tsx';
import { Owners } from './owners.tsx';
import { Quantum } from './quantum.tsx';
import { Simulation } from './simulation.tsx';
import { Renewals } from './renewals.tsx';
import { Unattended } from './unattended.tsx';

const labels: Readonly<Record<InsightTab, string>> = {
  expiry: 'Expiry calendar',
  renewals: 'Renewals',
  unattended: 'No automated renewal',
  simulation: 'Simulation',
  lifetimes: 'Validity periods',
  keys: 'Keys and signatures',
  quantum: 'Post-quantum readiness',
  issuers: 'Issuers',
  owners: 'Owners and groups',
};

/** Tabs that do not include archived certificates, because those are not renewed. */
const LIVE_TABS: ReadonlySet<InsightTab> = new Set(['unattended', 'simulation']);

export function InsightsPage() {
  const { tab = 'expiry', includeArchived, month }: InsightsSearch = useSearch({ strict: false });
  const open = useNewSearch<InsightsSearch>();
  const archive = includeArchived ? { includeArchived } : {};
  const openTab = (wanted: string | null): void => {
    const next = INSIGHT_TABS.find((each) => each === wanted);
    open({ ...(next && next !== 'expiry' ? { tab: next } : {}), ...archive });
  };
  return (
    <Page
      title="Insights"
      description="Statistics about the inventory. Every number links to its certificates."
      actions={
        !LIVE_TABS.has(tab) && (
          <Switch
            label="Include archived"
            checked={includeArchived ?? false}
            onChange={({ currentTarget: { checked } }) =>
              open({
                ...(tab === 'expiry' ? { ...(month && { month }) } : { tab }),
                ...(checked ? { includeArchived: true } : {}),
              })
            }
          />
        )
      }
      wide
    >
      <Tabs value={tab} onChange={openTab}>
        <TabList open={tab} />
        <Tabs.Panel value={tab}>
          {tab === 'expiry' && <ExpiryCalendar includeArchived={includeArchived ?? false} />}
          {tab === 'renewals' && <Renewals includeArchived={includeArchived ?? false} />}
          {tab === 'unattended' && <Unattended />}
          {tab === 'simulation' && <Simulation />}
          {tab === 'lifetimes' && <Lifetimes includeArchived={includeArchived ?? false} />}
          {tab === 'keys' && <Keys includeArchived={includeArchived ?? false} />}
          {tab === 'quantum' && <Quantum includeArchived={includeArchived ?? false} />}
          {tab === 'issuers' && <Issuers includeArchived={includeArchived ?? false} />}
          {tab === 'owners' && <Owners includeArchived={includeArchived ?? false} />}
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** On narrow screens, the tabs scroll to keep the open tab visible. */
function TabList({ open }: { readonly open: InsightTab }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!list.current || !chosen) return;
    list.current.scrollLeft = chosen.offsetLeft - (list.current.clientWidth - chosen.offsetWidth) / 2;
  }, [open]);
  return (
    <Tabs.List ref={list} className={classes.tabs} mb="lg">
      {INSIGHT_TABS.map((each) => (
        <Tabs.Tab key={each} value={each}>
          {labels[each]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
