// The inventory. Everything that decides what is shown stands in the address.
import { Button, Group, Pagination, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilePlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatDate, formatRelative } from '../../format/dates.ts';
import { formatCount, titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { Empty, Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import classes from './list-page.module.css';
import { DEFAULT_SIZE, PAGE_SIZES, type CertificateSearch } from './list-search.ts';
import { QuickFilters } from './quick-filters.tsx';
import { certificateListQuery } from './queries.ts';
import { CertificateState } from './state.tsx';
import type { ListedCertificate } from './shapes.ts';

const route = getRouteApi('/certificates');

const columns: readonly Column<ListedCertificate>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'commonName',
    cell: (certificate) => (
      <Link to={paths.certificate(certificate.uuid)} className={classes.name}>
        {titleOf(certificate)}
      </Link>
    ),
  },
  {
    key: 'state',
    title: 'State',
    sort: 'state',
    cell: (certificate) => <CertificateState certificate={certificate} />,
  },
  {
    key: 'expires',
    title: 'Expires',
    sort: 'notAfter',
    cell: ({ notAfter }) =>
      notAfter === undefined ? (
        <Text size="sm" c="dimmed">
          not issued
        </Text>
      ) : (
        <span title={notAfter}>
          {formatDate(notAfter)}
          <Text span size="xs" c="dimmed" className={classes.relative}>
            {formatRelative(notAfter)}
          </Text>
        </span>
      ),
  },
  {
    key: 'issuer',
    title: 'Issuer',
    sort: 'issuerCommonName',
    minor: true,
    cell: ({ issuerCommonName }) => issuerCommonName ?? '',
  },
  {
    key: 'profile',
    title: 'RA profile',
    sort: 'raProfile',
    minor: true,
    cell: ({ raProfile }) => raProfile?.name ?? '',
  },
  {
    key: 'key',
    title: 'Key',
    minor: true,
    cell: ({ publicKeyAlgorithm, keySize }) => `${publicKeyAlgorithm} ${keySize}`,
  },
];

export function CertificateListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPlaceholderData, refetch } = useQuery(certificateListQuery(search));
  /** Whatever changes what is listed leads back to the first page. */
  const change = (next: Partial<CertificateSearch>): void =>
    void navigate({ search: (now: CertificateSearch) => ({ ...now, page: undefined, ...next }) as CertificateSearch }); // absent members are left out of the address
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
        </div>
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
              columns={columns}
              rows={data.certificates}
              keyOf={({ uuid }) => uuid}
              nameOf={titleOf}
              stale={isPlaceholderData}
            />
            <Foot search={search} total={data.totalItems} pages={data.totalPages} onChange={change} />
          </>
        )}
      </Panel>
    </Page>
  );
}

/** Typing never waits for the network: the address follows a moment later. */
function SearchField({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) {
  const [value, setValue] = useState(text);
  const search = useDebouncedCallback(onSearch, 200);
  return (
    <TextInput
      value={value}
      onChange={(event) => {
        setValue(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
      placeholder="Name or serial number"
      aria-label="Search the inventory"
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      className={classes.search}
      type="search"
    />
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
  readonly total: number;
  readonly pages: number;
  readonly onChange: (next: Partial<CertificateSearch>) => void;
}) {
  const { search, total, pages, onChange } = props;
  const [page, size] = [search.page ?? 1, search.size ?? DEFAULT_SIZE];
  return (
    <Group justify="space-between" className={classes.foot}>
      <Text size="sm" c="dimmed">
        {formatCount((page - 1) * size + 1)}–{formatCount(Math.min(page * size, total))} of {formatCount(total)}
      </Text>
      <Group gap="md">
        <Select
          size="xs"
          w={120}
          aria-label="Rows per page"
          data={PAGE_SIZES.map((each) => ({ value: String(each), label: `${each} rows` }))}
          value={String(size)}
          onChange={(value) => onChange({ size: Number(value) })}
        />
        {pages > 1 && (
          <Pagination
            size="sm"
            total={pages}
            value={page}
            onChange={(next) => onChange({ page: next })}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        )}
      </Group>
    </Group>
  );
}
