// The inventory. The URL holds the complete view state.
import { ActionIcon, Button, Group, Select, Switch } from '@mantine/core';
import type { SavedView } from '@signetry/contract';
import { IconFileSpreadsheet, IconListCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { formatCount, titleOf } from '../../format/names.ts';
import { ActionButton, Actions, type LinkAction } from '../../kit/actions.tsx';
import { ActiveFilters } from '../../kit/filters/active-filters.tsx';
import { FilterButton } from '../../kit/filters/list-filters.tsx';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { issueAction } from '../../kit/common-actions.tsx';
import type { SearchChange } from '../../kit/use-list-search.ts';
import { useViewSearch } from '../saved-views/use-view-search.ts';
import { ViewsMenu } from '../saved-views/views-menu.tsx';
import { DEFAULT_SIZE, PAGE_SIZES, type CertificateSearch } from '../../queries/certificate-search.ts';
import { certificateListQuery, exportOf } from '../../queries/certificates.ts';
import { certificateFieldsQuery } from '../../queries/search-fields.ts';
import { notify } from '../../ui/notices.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { CertificateFilters } from './certificate-filters.tsx';
import { saveFile } from './downloads.ts';
import { ColumnMenu, useShownColumns } from './list-columns.tsx';
import { importAction } from './import-dialog.tsx';
import { describeFilter } from './filter-text.ts';
import { isQuickFilter, QuickFilters } from './quick-filters.tsx';
import classes from './list-page.module.css';
import { useSelection } from './use-selection.ts';
import { isViewChanged, savedSearchOf, searchOfView } from './views.ts';

const changesAction: LinkAction = {
  label: 'Bulk changes',
  icon: IconListCheck,
  to: paths.certificates.changes,
};

export function CertificateListPage() {
  return (
    <Page
      title="Inventory"
      description="All certificates issued here, uploaded or discovered."
      actions={<Actions actions={[changesAction, importAction, issueAction]} />}
      wide
    >
      <Inventory />
    </Page>
  );
}

type Change = (change: SearchChange<CertificateSearch>) => void;

function Inventory() {
  const { search, isReady, change, show } = useViewSearch<CertificateSearch>('certificates', searchOfView);
  const certificates = useQuery({ ...certificateListQuery(search), enabled: isReady });
  const selection = useSelection(search);
  const queries = useQueryClient();
  const { text, filters = [], sort, direction = 'asc', page = 1, size = DEFAULT_SIZE, columns } = search;
  const { chosen, keys, beyond, isCollecting, clear } = selection;
  const isFiltered = text !== undefined || filters.length > 0;
  return (
    <PagedList
      query={certificates}
      what="certificates"
      label="Certificates"
      rowsOf={(answer) => answer.certificates}
      columns={useShownColumns(columns)}
      nameOf={titleOf}
      sort={sort && { field: sort, direction }}
      onSort={
        // Only columns with a search field can be sorted.
        ({ field, direction: next }) => change({ sort: field as CertificateSearch['sort'], direction: next })
      }
      selected={keys}
      onSelect={(next) => selection.choose(next, certificates.data?.certificates ?? [])}
      selectAll={{
        label: `Select all ${formatTotal(certificates.data)} that match`,
        run: () =>
          (certificates.data?.totalPages ?? 1) > 1 && selection.chooseAll(certificates.data?.certificates ?? []),
      }}
      page={page}
      size={size}
      onPage={(next) => change({ page: next })}
      onApproach={(next) => void queries.prefetchQuery(certificateListQuery({ ...search, page: next }))}
      tools={<Tools search={search} error={certificates.error} onChange={change} onShow={show} />}
      selection={
        (chosen.length > 0 || isCollecting) && (
          <BulkActions selected={chosen} beyond={beyond} isCollecting={isCollecting} onDone={clear} />
        )
      }
      empty={<NoCertificates isFiltered={isFiltered} onClear={() => change({ text: undefined, filters: undefined })} />}
      footTools={
        <Select
          size="xs"
          w={120}
          aria-label="Rows per page"
          data={PAGE_SIZES.map((each) => ({ value: String(each), label: `${each} rows` }))}
          value={String(size)}
          onChange={(value) => change({ size: Number(value) })}
        />
      }
    />
  );
}

/** Number of matching certificates; the platform can stop counting early. */
const formatTotal = (answer: { readonly totalItems: number; readonly totalIsExact?: boolean } | undefined): string =>
  answer === undefined ? '' : `${answer.totalIsExact === false ? 'more than ' : ''}${formatCount(answer.totalItems)}`;

interface ToolsProps {
  readonly search: CertificateSearch;
  /** Error from the list request. */
  readonly error: unknown;
  readonly onChange: Change;
  readonly onShow: (view: SavedView | undefined) => void;
}

function Tools({ search, error, onChange, onShow }: ToolsProps) {
  const { text = '', filters = [], columns, page, archived, view } = search;
  const [edited, edit] = useState<EditedFilter>();
  const queries = useQueryClient();
  const change = (next: CertificateSearch['filters'] = []): void =>
    onChange({ filters: next.length === 0 ? undefined : next });
  return (
    <>
      <ViewsMenu
        resource="certificates"
        everything="All certificates"
        chosen={view}
        search={savedSearchOf(search)}
        isChanged={(each) => isViewChanged(each, search)}
        onShow={onShow}
      />
      <FilterButton onApproach={() => void queries.prefetchQuery(certificateFieldsQuery)} onOpen={() => edit({})} />
      <SearchField
        label="Search the inventory"
        placeholder="Name, serial number or fingerprint"
        text={text}
        onSearch={(next) => onChange({ text: next })}
      />
      <div className={classes.quick}>
        <QuickFilters filters={filters} onChange={change} />
        <Group gap="xs" ml="auto">
          <Switch
            size="xs"
            label="Include archived"
            checked={archived ?? false}
            onChange={(event) => onChange({ archived: event.currentTarget.checked ? true : undefined })}
          />
          <ExportButton search={search} />
          <ColumnMenu shown={columns} onChange={(next) => onChange({ columns: next, page })} />
        </Group>
      </div>
      <ActiveFilters
        filters={filters}
        wordsOf={describeFilter}
        isShownElsewhere={isQuickFilter}
        error={error}
        onChange={change}
        onEdit={(place) => edit({ place })}
      />
      {edited && (
        <CertificateFilters search={search} place={edited.place} onChange={change} onClose={() => edit(undefined)} />
      )}
    </>
  );
}

interface EditedFilter {
  /** Index of the filter being edited; absent for a new filter. */
  readonly place?: number;
}

/** Exports the whole filtered list, in the order shown. */
function ExportButton({ search }: { readonly search: CertificateSearch }) {
  const run = useMutation({
    mutationFn: () => api.certificateSearch.exportCertificates({ body: exportOf(search) }),
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
      title="No certificates found"
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      No certificate in the inventory matches your search and filters.
    </Empty>
  ) : (
    <Empty
      title="No certificates yet"
      action={<ActionButton action={{ ...issueAction, label: 'Issue the first certificate' }} />}
    >
      Issued, uploaded and discovered certificates appear here.
    </Empty>
  );
}
