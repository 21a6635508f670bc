// List of bulk changes, both in progress and finished.
import { Progress, Stack } from '@mantine/core';
import type { CertificateChange } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime, formatRelative } from '../../../format/dates.ts';
import { formatCount } from '../../../format/names.ts';
import { ActionButton } from '../../../kit/actions.tsx';
import { textColumn } from '../../../kit/columns.tsx';
import { paths } from '../../../kit/paths.ts';
import { FullList, type FullListColumn } from '../../../kit/full-list.tsx';
import { changeListQuery } from '../../../queries/certificate-changes.ts';
import { ObjectLink } from '../../../ui/object-link.tsx';
import { Empty } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { State } from '../../../ui/state.tsx';
import { stopAction } from './progress.tsx';
import { shareOf, stateOfChange, titleOfChange, describeAssigned, describeChangeSelection } from './texts.ts';

const numberColumn = (
  key: string,
  title: string,
  numberOf: (change: CertificateChange) => number,
): FullListColumn<CertificateChange> => ({
  key,
  title,
  minor: true,
  by: numberOf,
  cell: (change) => formatCount(numberOf(change)),
});

const columns: readonly FullListColumn<CertificateChange>[] = [
  {
    key: 'change',
    title: 'Change',
    by: titleOfChange,
    cell: (change) => (
      <ObjectLink
        to={paths.certificates.change(change.uuid)}
        name={titleOfChange(change)}
        detail={describeAssigned(change.assigned) ?? describeChangeSelection(change)}
      />
    ),
  },
  {
    key: 'state',
    title: 'State',
    by: (change) => stateOfChange(change)[1],
    cell: (change) => <ChangeStatus of={change} />,
  },
  numberColumn('changed', 'Changed', ({ changed }) => changed),
  numberColumn('refused', 'Rejected', ({ refused }) => refused),
  textColumn('requestedBy', 'Requested by', ({ requestedBy }) => requestedBy),
  {
    key: 'startedAt',
    title: 'Started',
    by: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <span title={formatDateTime(startedAt)}>{formatRelative(startedAt)}</span>,
  },
];

export function CertificateChangesPage() {
  return (
    <Page
      title="Bulk changes"
      description="Changes to multiple certificates, in progress and from the last 30 days. They continue in the background and after a restart."
      parent={{ to: paths.certificates.list, label: 'Inventory' }}
      wide
    >
      <FullList
        query={useQuery(changeListQuery)}
        what="changes"
        columns={columns}
        nameOf={titleOfChange}
        textOf={(change) =>
          [
            titleOfChange(change),
            describeAssigned(change.assigned),
            describeChangeSelection(change),
            change.requestedBy,
            stateOfChange(change)[1],
          ].join(' ')
        }
        empty={
          <Empty title="No bulk changes yet">
            Select certificates in the inventory to assign, archive or delete them in bulk.
          </Empty>
        }
      />
    </Page>
  );
}

function ChangeStatus({ of: change }: { readonly of: CertificateChange }) {
  const [tone, words] = stateOfChange(change);
  const share = shareOf(change);
  return (
    <Stack gap={6} align="flex-start">
      <State tone={tone}>{words}</State>
      {change.finishedAt === undefined && (
        <Progress w="100%" size="sm" value={share} aria-label={`${share}% of certificates processed`} />
      )}
      {change.stoppable && (
        <ActionButton size="compact-xs" action={{ ...stopAction(change), name: `Stop: ${titleOfChange(change)}` }} />
      )}
    </Stack>
  );
}
