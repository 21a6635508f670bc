// Overview page: items that need attention, totals, and certificates by expiry. New platforms show the first steps
// instead.
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMayList, useProfile } from '../../api/session.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { useMay } from '../../kit/use-may.ts';
import { useNewSearch } from '../../kit/use-list-search.ts';
import { issueAction } from '../../kit/common-actions.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Attention } from './attention.tsx';
import { Breakdowns } from './breakdowns.tsx';
import { DiscoveriesAndLocations } from './discoveries-and-locations.tsx';
import { ExpiryTimeline } from './expiry-timeline.tsx';
import { FirstSteps } from './first-steps.tsx';
import { statisticsQuery } from '../../queries/statistics.ts';
import type { StartSearch } from './start-search.ts';
import { Totals } from './totals.tsx';
import classes from './start.module.css';

/** Certificates that the platform issues to itself: root, TLS server and OCSP responder. */
const OWN_CERTIFICATES = 3;

export function StartPage() {
  const { username } = useProfile();
  const mayList = useMayList();
  const search: StartSearch = useSearch({ strict: false });
  const includeArchived = search.includeArchived ?? false;
  const change = useNewSearch<StartSearch>();
  return (
    <Page
      title="Overview"
      description={`Signed in as ${username}.`}
      actions={
        <>
          {mayList('certificates') && (
            <Switch
              mr="sm"
              label="Include archived"
              checked={includeArchived}
              onChange={({ currentTarget: { checked } }) => change(checked ? { includeArchived: true } : {})}
            />
          )}
          {mayList('raProfiles') && <ActionButton action={issueAction} />}
        </>
      }
      wide
    >
      {mayList('certificates') ? (
        <Certificates includeArchived={includeArchived} />
      ) : (
        <div className={classes.page}>
          <Panel>
            <Empty title="You do not have permission to list certificates">
              An administrator can assign you a role that grants it. The menu shows the pages that you can open.
            </Empty>
          </Panel>
          <DiscoveriesAndLocations />
        </div>
      )}
    </Page>
  );
}

function Certificates({ includeArchived }: { readonly includeArchived: boolean }) {
  const mayIssue = useMay()(['certificates', 'issue']);
  return (
    <QueryView of={useQuery(statisticsQuery(includeArchived))} what="the statistics" inPanel>
      {(statistics) => (
        <div className={classes.page}>
          {(statistics.totalCertificates ?? 0) <= OWN_CERTIFICATES && mayIssue && <FirstSteps />}
          <Totals statistics={statistics} includeArchived={includeArchived} />
          <div className={classes.now}>
            <Attention />
            <ExpiryTimeline includeArchived={includeArchived} />
          </div>
          <DiscoveriesAndLocations />
          <Breakdowns statistics={statistics} includeArchived={includeArchived} />
        </div>
      )}
    </QueryView>
  );
}
