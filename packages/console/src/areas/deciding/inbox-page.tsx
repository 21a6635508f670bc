// The user's pending and past approvals. Users who can list all approvals also see those.
import { Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { useNewSearch } from '../../kit/use-list-search.ts';
import { APPROVAL_TABS, type ApprovalSearch, type ApprovalTab } from '../../queries/approval-search.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { ApprovalList } from './approval-list.tsx';

const labels: Readonly<Record<ApprovalTab, string>> = { waiting: 'Waiting for me', history: 'History', all: 'All' };

const nothing: Readonly<Record<ApprovalTab, { readonly title: string; readonly text: string }>> = {
  waiting: {
    title: 'No pending approvals',
    text: 'Requests that need your approval appear here.',
  },
  history: {
    title: 'No approval requests yet',
    text: 'Requests that you were asked to approve are kept here, with the decision.',
  },
  all: {
    title: 'No approvals yet',
    text: 'Requests under an RA profile with an approval profile wait here until they are approved.',
  },
};

export function InboxPage() {
  const search: ApprovalSearch = useSearch({ strict: false });
  const { tab = 'waiting' } = search;
  const open = useNewSearch<ApprovalSearch>();
  const mayList = useMayList();
  // A tab that the user is not permitted to open is hidden, unless it was opened by URL: the tab then names the missing
  // permission.
  const shown = APPROVAL_TABS.filter((each) => each === tab || each !== 'all' || mayList('approvals'));
  const openTab = (wanted: string | null): void => {
    const next = APPROVAL_TABS.find((each) => each === wanted);
    open(next === undefined || next === 'waiting' ? {} : { tab: next }, { replace: true });
  };
  return (
    <Page title="Approvals" description="Requests that must be approved before they are carried out." wide>
      <Tabs value={tab} onChange={openTab}>
        <Tabs.List mb="lg">
          {shown.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <ApprovalList search={search} empty={<Empty title={nothing[tab].title}>{nothing[tab].text}</Empty>} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
