// Expired certificates and their renewal outcomes, with pagination.
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import type { EndedCertificate, RenewalOutcome } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDate, formatDateTime, formatPeriod } from '../../format/dates.ts';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useSearchChange } from '../../kit/use-list-search.ts';
import { expiredQuery, type ExpiredSearch } from '../../queries/inventory-statistics.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { CountedAt } from './figure-panel.tsx';
import type { InsightsSearch } from './insights-search.ts';
import classes from './insights.module.css';
import { OUTCOMES, outcomeTexts } from './outcomes.ts';
import { Pages } from './pages.tsx';

export function ExpiredList(search: ExpiredSearch) {
  const { outcome, from, until, page } = search;
  const change = useSearchChange<InsightsSearch>();
  const ended = useQuery(expiredQuery(search));
  return (
    <Panel title="Expired certificates" flush>
      <Group className={classes.tools} gap="sm">
        <Text size="sm" aria-hidden="true">
          Renewed
        </Text>
        <SegmentedControl
          aria-label="Renewed"
          data={OUTCOMES.map((each) => ({ value: each, label: outcomeTexts[each].short }))}
          value={outcome}
          onChange={(next) => change({ outcome: OUTCOMES.find((each): each is RenewalOutcome => each === next) })}
        />
        {from !== undefined && until !== undefined && (
          <Button size="compact-sm" variant="default" onClick={() => change({ from: undefined, until: undefined })}>
            Expired {formatDate(from)} to {formatDate(new Date(Date.parse(until) - 1))}: show all days
          </Button>
        )}
      </Group>
      <QueryView of={ended} what="expired certificates">
        {({ countedAt, certificates, hasMore }) =>
          certificates.length === 0 ? (
            <Empty title="No certificates">{`There are no certificates that expired in this period and were ${outcomeTexts[outcome].words}.`}</Empty>
          ) : (
            <>
              <Table
                label="Expired certificates"
                rows={certificates}
                columns={columns}
                keyOf={({ uuid }) => uuid}
                nameOf={titleOf}
                stale={ended.isPlaceholderData}
              />
              <Text size="sm" px="1.25rem" className={classes.age}>
                <CountedAt at={countedAt} />
              </Text>
              <Pages page={page} hasMore={hasMore} />
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}

const columns: readonly Column<EndedCertificate>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: (certificate) => <ObjectLink to={paths.certificates.one(certificate.uuid)} name={titleOf(certificate)} />,
  },
  { key: 'ended', title: 'Expired', cell: ({ notAfter }) => formatDateTime(notAfter) },
  {
    key: 'outcome',
    title: 'Renewal',
    cell: ({ outcome }) => <State tone={outcomeTexts[outcome].tone}>{outcomeTexts[outcome].word}</State>,
  },
  {
    key: 'renewed',
    title: 'Renewed at',
    minor: true,
    cell: ({ renewedAt, notAfter, outcome }) =>
      renewedAt === undefined
        ? ''
        : outcome === 'late'
          ? `${formatDateTime(renewedAt)}, ${formatPeriod(notAfter, renewedAt)} after expiry`
          : formatDateTime(renewedAt),
  },
];
