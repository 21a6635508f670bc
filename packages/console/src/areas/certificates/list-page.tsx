// The inventory. Everything that decides what is shown stands in the address.
import { ActionIcon, Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilePlus, IconFileSpreadsheet, IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { PageFoot } from '../../ui/page-foot.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { notify } from '../../ui/notices.tsx';
import { Table } from '../../ui/table.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { saveFile } from './downloads.ts';
import { ColumnMenu, shownColumns } from './list-columns.tsx';
import classes from './list-page.module.css';
import { DEFAULT_SIZE, PAGE_SIZES, type CertificateSearch } from './list-search.ts';
import { QuickFilters } from './quick-filters.tsx';
import { certificateListQuery, selectionOf } from './queries.ts';

const route = getRouteApi('/certificates');

export function CertificateListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPlaceholderData, refetch } = useQuery(certificateListQuery(search));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  /** Whatever changes what is listed leads back to the first page. */
  const change = (next: Partial<CertificateSearch>): void =>
    void navigate({ search: (now: CertificateSearch) => ({ ...now, page: undefined, ...next }) as CertificateSearch }); // absent members are left out of the address
  const chosen = (data?.certificates ?? []).filter(({ uuid }) => selected.has(uuid));
  const isFiltered = search.text !== undefined || (search.filters ?? []).length > 0;

  return (
    <Page
      title="Inventory"
      description="Every certificate that was issued here or brought in, whatever way it came."
      actions={
        <Button component={Link} to={paths.issue} leftSection={<IconFilePlus size={16} />}>
          Issue a certificate
        </Button>
      }
    >
      <Panel flush>
        <div className={classes.tools}>
          <SearchField text={search.text ?? ''} onSearch={(text) => change({ text })} />
          <QuickFilters filters={search.filters ?? []} onChange={(filters) => change({ filters })} />
          <Group gap="xs" ml="auto">
            <ExportButton search={search} />
            <ColumnMenu
              shown={search.columns}
              onChange={(columns) =>
                void navigate({ search: (now: CertificateSearch) => ({ ...now, columns }) as CertificateSearch })
              }
            />
          </Group>
        </div>
        {chosen.length > 0 && <BulkActions selected={chosen} onDone={() => setSelected(new Set())} />}
        {error && !data ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Loading what="certificates" />
        ) : data.certificates.length === 0 ? (
          <NoCertificates isFiltered={isFiltered} onClear={() => change({ text: '', filters: [] })} />
        ) : (
          <>
            <Table
              label="Certificates"
              columns={shownColumns(search.columns)}
              rows={data.certificates}
              keyOf={({ uuid }) => uuid}
              nameOf={titleOf}
              sort={search.sort && { field: search.sort, direction: search.direction ?? 'asc' }}
              onSort={(sort) => change(sort as Partial<CertificateSearch>)} // the columns name fields of the search only
              selected={selected}
              onSelect={setSelected}
              stale={isPlaceholderData}
            />
            <Foot search={search} total={data} onChange={change} />
          </>
        )}
      </Panel>
    </Page>
  );
}

/** Typing never waits for the network: the address follows a moment later. */
function SearchField({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) {
  const [value, setValue] = useState(text);
  const [sent, setSent] = useState(text);
  const [shown, setShown] = useState(text);
  // Cleared by a button, or changed by "back"; what is typed meanwhile is nobody else's.
  if (text !== shown) {
    setShown(text);
    if (text !== sent) setValue(text);
    setSent(text);
  }
  const search = useDebouncedCallback((next: string) => {
    setSent(next);
    onSearch(next);
  }, 200);
  return (
    <TextInput
      value={value}
      onChange={(event) => {
        setValue(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      placeholder="Name, serial number or fingerprint"
      aria-label="Search the inventory"
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      className={classes.search}
      type="search"
    />
  );
}

/** The whole filtered list, in the order that is shown. */
function ExportButton({ search }: { readonly search: CertificateSearch }) {
  const run = useMutation({
    mutationFn: () => api.certificateSearch.exportCertificates({ body: selectionOf(search) }),
    onSuccess: (bytes) => saveFile('certificates.csv', new Uint8Array(bytes)),
    onError: notify.failed,
  });
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Export as CSV"
      title="Export as CSV"
      loading={run.isPending}
      onClick={() => run.mutate()}
    >
      <IconFileSpreadsheet size={16} aria-hidden="true" />
    </ActionIcon>
  );
}

function NoCertificates({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return isFiltered ? (
    <Empty
      title="No certificate fits"
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      Nothing in the inventory has all of what you asked for.
    </Empty>
  ) : (
    <Empty
      title="No certificates yet"
      action={
        <Button component={Link} to={paths.issue}>
          Issue the first one
        </Button>
      }
    >
      What is issued, uploaded or discovered stands here.
    </Empty>
  );
}

function Foot(props: {
  readonly search: CertificateSearch;
  readonly total: { readonly totalItems: number; readonly totalPages: number; readonly totalIsExact: boolean };
  readonly onChange: (next: Partial<CertificateSearch>) => void;
}) {
  const { search, total, onChange } = props;
  const size = search.size ?? DEFAULT_SIZE;
  return (
    <PageFoot
      page={search.page ?? 1}
      size={size}
      totalItems={total.totalItems}
      totalPages={total.totalPages}
      isAtLeast={!total.totalIsExact}
      onPage={(page) => onChange({ page })}
    >
      <Select
        size="xs"
        w={120}
        aria-label="Rows per page"
        data={PAGE_SIZES.map((each) => ({ value: String(each), label: `${each} rows` }))}
        value={String(size)}
        onChange={(value) => onChange({ size: Number(value) })}
      />
    </PageFoot>
  );
}
