// List of approvals, newest first.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { useSearchChange } from '../../kit/use-list-search.ts';
import type { ApprovalSearch } from '../../queries/approval-search.ts';
import { approvalListQuery, APPROVALS_PER_PAGE, type ListedApproval } from '../../queries/approvals.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import type { Column } from '../../ui/table.tsx';
import { ApprovalState } from '../approvals/state.tsx';
import { describeProgress, describeRequest } from '../approvals/texts.ts';
import classes from './deciding.module.css';

export interface ApprovalListProps {
  /** Search parameters from the URL. */
  readonly search: ApprovalSearch;
  /** Shown if there are no approvals. */
  readonly empty: ReactNode;
}

export function ApprovalList({ search, empty }: ApprovalListProps) {
  const change = useSearchChange<ApprovalSearch>();
  return (
    <PagedList
      query={useQuery(approvalListQuery(search))}
      what="approvals"
      label="Approvals"
      rowsOf={({ approvals }) => approvals}
      columns={columns}
      nameOf={describeRequest}
      page={search.page ?? 1}
      size={APPROVALS_PER_PAGE}
      onPage={(page) => change({ page })}
      empty={empty}
    />
  );
}

const columns: readonly Column<ListedApproval>[] = [
  {
    key: 'request',
    title: 'Request',
    cell: (approval) => (
      <>
        <ObjectLink to={paths.approvals.one(approval.uuid)} name={describeRequest(approval)} />
        <div className={classes.narrow}>
          <RequestInfo approval={approval} />
          <Deadline approval={approval} />
        </div>
      </>
    ),
  },
  { key: 'state', title: 'State', cell: (approval) => <Progress approval={approval} /> },
  { key: 'requested', title: 'Requested', minor: true, cell: (approval) => <RequestInfo approval={approval} /> },
  { key: 'until', title: 'Decision', minor: true, cell: (approval) => <Deadline approval={approval} /> },
];

interface CellProps {
  readonly approval: ListedApproval;
}

function Progress({ approval }: CellProps) {
  const place = describeProgress(approval);
  return (
    <>
      <ApprovalState of={approval.status} />
      {place !== undefined && <div className={classes.place}>{place}</div>}
    </>
  );
}

const RequestInfo = ({ approval: { creatorUsername, createdAt } }: CellProps) => (
  <span title={formatDateTime(createdAt)}>
    by {creatorUsername ?? 'a deleted user'}, {formatRelative(createdAt)}
  </span>
);

const Deadline = ({ approval: { status, expiryAt, closedAt } }: CellProps) =>
  status === 'PENDING' ? (
    <span title={formatDateTime(expiryAt)}>due {formatRelative(expiryAt)}</span>
  ) : (
    <span title={closedAt && formatDateTime(closedAt)}>{closedAt && `closed ${formatRelative(closedAt)}`}</span>
  );
