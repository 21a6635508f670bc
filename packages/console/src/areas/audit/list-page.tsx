// Audit log: who did what, when, from where, and with what result. The URL holds the complete view state.
import { Button, Text } from '@mantine/core';
import type { AuditLogDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { formatDateTime, formatRelative } from '../../format/dates.ts';
import { PagedList } from '../../kit/paged-list.tsx';
import { useNewSearch, useSearchChange } from '../../kit/use-list-search.ts';
import { auditListQuery, RECORDS_PER_PAGE } from '../../queries/audit.ts';
import type { AuditSearch } from '../../queries/audit-search.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { AuditActions } from './audit-actions.tsx';
import classes from './audit.module.css';
import { Filters } from './filters.tsx';
import { RecordDrawer } from './record-drawer.tsx';
import { ResultState } from './state.tsx';
import { describeActor, describeObjects, describeOperation } from './texts.ts';

export function AuditPage() {
  const search: AuditSearch = useSearch({ strict: false });
  return (
    <Page
      title="Audit log"
      description="All changes, including rejected ones. Records are immutable and sealed within seconds."
      actions={<AuditActions search={search} />}
      wide
    >
      <Records search={search} />
    </Page>
  );
}

interface Row extends AuditLogDto {
  readonly uuid: string;
}

function Records({ search }: { readonly search: AuditSearch }) {
  const change = useSearchChange<AuditSearch>();
  const replace = useNewSearch<AuditSearch>();
  const records = useQuery(auditListQuery(search));
  const { page = 1, record } = search;
  const open = (next: number | undefined) => change({ record: next, page: search.page });
  const shown = records.data?.items.find(({ id }) => id === record);
  return (
    <>
      <PagedList
        query={records}
        what="records"
        label="Audit records"
        rowsOf={({ items }): readonly Row[] => items.map((item) => ({ ...item, uuid: String(item.id) }))}
        columns={columnsOf(open)}
        nameOf={describeOperation}
        page={page}
        size={RECORDS_PER_PAGE}
        onPage={(next) => change({ page: next })}
        tools={<Filters search={search} onChange={change} />}
        empty={
          <Empty
            title="No records found"
            action={
              <Button variant="default" onClick={() => replace({})}>
                Clear filters
              </Button>
            }
          >
            No audit records match the filters.
          </Empty>
        }
      />
      <RecordDrawer record={shown} onClose={() => open(undefined)} />
    </>
  );
}

const columnsOf = (open: (id: number) => void): readonly Column<Row>[] => [
  {
    key: 'what',
    title: 'Operation',
    cell: (row) => (
      <>
        <button type="button" className={classes.open} onClick={() => open(row.id)}>
          {describeOperation(row)}
        </button>
        <Text span size="xs" c="dimmed" className={classes.objects}>
          {describeObjects(row.resource)}
        </Text>
        {/* Replaces the actor column, which is hidden on narrow screens. */}
        <Text size="xs" c="dimmed" hiddenFrom="md">
          Actor: {describeActor(row.actor)}
        </Text>
      </>
    ),
  },
  { key: 'result', title: 'Result', cell: ({ operationResult }) => <ResultState of={operationResult} /> },
  { key: 'actor', title: 'Actor', minor: true, cell: ({ actor }) => describeActor(actor) },
  { key: 'source', title: 'IP address', minor: true, cell: ({ source }) => source?.ipAddress ?? '' },
  {
    key: 'when',
    title: 'Time',
    cell: ({ timestamp }) => (
      <span className={classes.when} title={formatDateTime(timestamp)}>
        {formatRelative(timestamp)}
      </span>
    ),
  },
];
