// Certificates that expire soon without automated renewal, with the reason, so that users can act in time.
import { Group, SegmentedControl, Text } from '@mantine/core';
import type { UnattendedCertificate, UnattendedCertificates, UnattendedReason } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useSearchChange } from '../../kit/use-list-search.ts';
import { unattendedQuery } from '../../queries/inventory-statistics.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { formatCertificateCount } from './count-link.tsx';
import type { InsightsSearch } from './insights-search.ts';
import classes from './insights.module.css';
import { Pages } from './pages.tsx';
import { reasonTexts } from './renewal-texts.ts';

const PERIODS = [7, 30, 90, 365] as const;
const USUAL_DAYS = 30;

export function Unattended() {
  const { days = USUAL_DAYS, reason, page = 1 }: InsightsSearch = useSearch({ strict: false });
  const change = useSearchChange<InsightsSearch>();
  const found = useQuery(unattendedQuery({ days, reason, page }));
  return (
    <div className={classes.stack}>
      <Panel title="No automated renewal">
        <Text size="sm" c="dimmed" mb="md" maw="60rem">
          Active certificates that expire soon, are not renewed by an ACME client or the platform, and have not been
          replaced.
        </Text>
        <Group gap="sm" mb="md">
          <Text size="sm" aria-hidden="true">
            Expires within
          </Text>
          <SegmentedControl
            aria-label="Expires within"
            data={PERIODS.map((each) => ({ value: String(each), label: `${each} days` }))}
            value={String(days)}
            onChange={(next) => change({ days: Number(next), page: undefined })}
          />
        </Group>
        <QueryView of={found} what="the certificates">
          {({ counts }) => <Reasons counts={counts} days={days} chosen={reason} />}
        </QueryView>
      </Panel>
      {found.data && <Listed found={found.data} stale={found.isPlaceholderData} page={page} />}
    </div>
  );
}

interface ReasonsProps {
  readonly counts: UnattendedCertificates['counts'];
  readonly days: number;
  readonly chosen: UnattendedReason | undefined;
}

function Reasons({ counts, days, chosen }: ReasonsProps) {
  const all = counts.reduce((sum, { certificates }) => sum + certificates, 0);
  if (all === 0)
    return (
      <Empty title="Nothing to do">{`All certificates that expire within ${days} days are renewed automatically.`}</Empty>
    );
  const one = (reason: UnattendedReason | undefined, certificates: number) => (
    <li key={reason ?? ''} data-chosen={reason === chosen || undefined}>
      <span className={classes.totalName}>{reason === undefined ? 'All' : reasonTexts[reason]}</span>
      <Link
        to={paths.insights}
        search={{ tab: 'unattended', days, ...(reason === undefined ? {} : { reason }) } as never}
        resetScroll={false}
        className={classes.count}
        data-large
        aria-current={reason === chosen || undefined}
        aria-label={`${formatCertificateCount(certificates)}: ${reason === undefined ? 'all' : reasonTexts[reason]}`}
      >
        {formatCount(certificates)}
      </Link>
    </li>
  );
  return (
    <ul className={classes.totals}>
      {one(undefined, all)}
      {counts.map(({ reason, certificates }) => one(reason, certificates))}
    </ul>
  );
}

interface ListedProps {
  readonly found: UnattendedCertificates;
  readonly stale: boolean;
  readonly page: number;
}

function Listed({ found: { certificates, totalPages }, stale, page }: ListedProps) {
  if (certificates.length === 0) return null;
  return (
    <Panel title="Certificates, soonest to expire first" flush>
      <Table
        label="Certificates without automated renewal"
        rows={certificates}
        columns={columns}
        keyOf={({ uuid }) => uuid}
        nameOf={nameOf}
        stale={stale}
      />
      <Pages page={page} hasMore={page < totalPages} />
    </Panel>
  );
}

const nameOf = ({ commonName, uuid }: UnattendedCertificate): string => commonName || uuid;

const columns: readonly Column<UnattendedCertificate>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: (certificate) => <ObjectLink to={paths.certificates.one(certificate.uuid)} name={nameOf(certificate)} />,
  },
  { key: 'ends', title: 'Expires', cell: ({ notAfter }) => formatDateTime(notAfter) },
  { key: 'why', title: 'Reason', cell: ({ explanation }) => <span className={classes.why}>{explanation}</span> },
  {
    key: 'profile',
    title: 'RA profile',
    minor: true,
    cell: ({ raProfileUuid, raProfileName }) =>
      raProfileUuid === undefined ? (
        ''
      ) : (
        <TextLink to={paths.raProfiles.one(raProfileUuid)}>{raProfileName ?? raProfileUuid}</TextLink>
      ),
  },
];
