// All approval profiles.
import type { ApprovalProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn, textColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { FullListColumn } from '../../kit/full-list.tsx';
import { approvalProfileListQuery } from '../../queries/approval-profiles.ts';
import { State } from '../../ui/state.tsx';
import { formatHours } from '../approvals/texts.ts';

const columns: readonly FullListColumn<ApprovalProfileDto>[] = [
  nameColumn(paths.approvalProfiles, ({ description }) => description),
  {
    key: 'use',
    title: 'Used by',
    by: ({ associations }) => associations,
    cell: ({ associations }) =>
      associations === 0 ? (
        <State tone="none">Not used</State>
      ) : (
        <State tone="good">{associations === 1 ? '1 RA profile' : `${associations} RA profiles`}</State>
      ),
  },
  {
    key: 'steps',
    title: 'Steps',
    minor: true,
    by: ({ numberOfSteps }) => numberOfSteps,
    cell: (row) => row.numberOfSteps,
  },
  {
    key: 'expiry',
    title: 'Time limit',
    minor: true,
    by: ({ expiry }) => expiry,
    cell: (row) => formatHours(row.expiry),
  },
  textColumn('version', 'Version', ({ version }) => String(version)),
];

export function ApprovalProfileListPage() {
  return (
    <ObjectListPage
      title="Approval profiles"
      term="approval-profile"
      description="Who must approve requests under an RA profile before they are carried out."
      paths={paths.approvalProfiles}
      create={{ label: 'New approval profile', needs: ['approvalProfiles', 'create'] }}
      query={useQuery(approvalProfileListQuery)}
      what="approval profiles"
      columns={columns}
      textOf={({ name, description }) => [name, description].join(' ')}
      empty={{
        title: 'No approval profiles yet',
        text: 'With an approval profile, issuance and revocation under an RA profile wait until a second user approves.',
      }}
    />
  );
}
