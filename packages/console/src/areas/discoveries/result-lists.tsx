// Discovery results: certificates found, results that could not be read, and the comparison with a different discovery.
// The URL holds the view state.
import { Select, Tabs, Text } from '@mantine/core';
import type { DiscoveryCertificateDto, DiscoveryProgress } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { formatCount, shownName } from '../../format/names.ts';
import { listingQuery } from '../../kit/filters/listing.ts';
import { PagedList } from '../../kit/paged-list.tsx';
import { paths } from '../../kit/paths.ts';
import { useSearchChange } from '../../kit/use-list-search.ts';
import {
  differenceQuery,
  discoveryListing,
  findingsQuery,
  FOUND_PER_PAGE,
  foundQuery,
} from '../../queries/discoveries.ts';
import {
  differenceChanges,
  discoveryViews,
  type DifferenceChange,
  type DiscoveryView,
  type FoundSearch,
} from '../../queries/discovery-search.ts';
import { ObjectLink } from '../../ui/object-link.tsx';
import { Empty } from '../../ui/outcomes.tsx';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';

const viewWords: Readonly<Record<DiscoveryView, string>> = {
  found: 'All',
  new: 'New',
  known: 'Already known',
  refused: 'Unreadable',
  difference: 'Comparison',
};

interface ListProps {
  readonly progress: DiscoveryProgress;
  readonly search: FoundSearch;
}

/** Updates the search parameters. `change` and `with` apply only to the comparison. */
type Change = ReturnType<typeof useSearchChange<FoundSearch>>;

export function ResultLists({ progress }: { readonly progress: DiscoveryProgress }) {
  const search: FoundSearch = useSearch({ strict: false });
  const change: Change = useSearchChange<FoundSearch>();
  const { view = 'found' } = search;
  return (
    <Tabs
      value={view}
      onChange={(next) =>
        change({ view: discoveryViews.find((each) => each === next), change: undefined, with: undefined })
      }
    >
      <Tabs.List mb="md" aria-label="Result lists">
        {discoveryViews.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {viewWords[each]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={view}>
        {view === 'refused' ? (
          <Findings progress={progress} search={search} />
        ) : view === 'difference' ? (
          <Difference progress={progress} search={search} />
        ) : (
          <FoundCertificates progress={progress} search={search} />
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

const columns: readonly Column<DiscoveryCertificateDto>[] = [
  {
    key: 'name',
    title: 'Common name',
    cell: ({ inventoryUuid, commonName, serialNumber }) =>
      inventoryUuid === undefined ? (
        <>
          {shownName(commonName)}
          <Text size="xs" c="dimmed">
            no longer in the inventory
          </Text>
        </>
      ) : (
        <ObjectLink to={paths.certificates.one(inventoryUuid)} name={shownName(commonName)} detail={serialNumber} />
      ),
  },
  { key: 'issuer', title: 'Issuer', minor: true, cell: ({ issuerCommonName }) => shownName(issuerCommonName) },
  { key: 'until', title: 'Valid until', minor: true, cell: ({ notAfter }) => formatDate(notAfter) },
  {
    key: 'new',
    title: 'Inventory',
    cell: ({ newlyDiscovered }) =>
      newlyDiscovered ? <State tone="good">New</State> : <State tone="none">Already known</State>,
  },
];

function FoundCertificates({ progress: { uuid, phase }, search }: ListProps) {
  const change: Change = useSearchChange<FoundSearch>();
  return (
    <PagedList
      query={useQuery(foundQuery({ uuid, search, isRunning: phase !== 'ended' }))}
      what="certificates"
      label="Discovered certificates"
      rowsOf={({ certificates }) => certificates}
      columns={columns}
      nameOf={({ commonName }) => shownName(commonName)}
      page={search.page ?? 1}
      size={FOUND_PER_PAGE}
      onPage={(page) => change({ page })}
      empty={
        <Empty title="No certificates">
          {phase === 'ended' ? 'The discovery found no such certificates.' : 'Nothing found yet.'}
        </Empty>
      }
    />
  );
}

function Findings({ progress: { uuid, phase, refused }, search }: ListProps) {
  const change: Change = useSearchChange<FoundSearch>();
  return (
    <PagedList
      query={useQuery(findingsQuery({ uuid, search, isRunning: phase !== 'ended' }))}
      what="findings"
      label={`Unreadable results (${formatCount(refused)})`}
      rowsOf={({ findings }) => findings}
      columns={[
        { key: 'reason', title: 'Reason', cell: ({ reason }) => reason },
        { key: 'place', title: 'Position', cell: ({ page, place }) => `Page ${page}, result ${place}` },
        { key: 'id', title: 'Provider ID', minor: true, cell: ({ providerId }) => providerId },
        { key: 'seen', title: 'Seen', minor: true, cell: ({ seenAt }) => formatDateTime(seenAt) },
      ]}
      nameOf={({ page, place }) => `Page ${page}, result ${place}`}
      page={search.page ?? 1}
      size={FOUND_PER_PAGE}
      onPage={(page) => change({ page })}
      empty={<Empty title="No unreadable results">All results could be read.</Empty>}
    />
  );
}

const changeStates = {
  new: ['good', 'New'],
  gone: ['bad', 'No longer found'],
  changed: ['warn', 'Changed'],
} as const;

function Difference({ progress: { uuid }, search }: ListProps) {
  const change: Change = useSearchChange<FoundSearch>();
  const query = useQuery(differenceQuery({ uuid, search }));
  const { data } = query;
  return (
    <PagedList
      query={query}
      what="differences"
      label="Differences"
      rowsOf={({ certificates }) => certificates}
      columns={[
        ...columns.slice(0, -1),
        {
          key: 'change',
          title: 'Change',
          cell: (row: DiscoveryCertificateDto & { readonly change?: DifferenceChange }) => {
            const [tone, word] = changeStates[row.change ?? 'changed'];
            return <State tone={tone}>{word}</State>;
          },
        },
      ]}
      nameOf={({ commonName }) => shownName(commonName)}
      page={search.page ?? 1}
      size={FOUND_PER_PAGE}
      onPage={(page) => change({ page })}
      tools={
        <>
          <OtherDiscovery uuid={uuid} compared={search.with ?? data?.with?.uuid} />
          <Select
            aria-label="Changes"
            value={search.change ?? 'all'}
            allowDeselect={false}
            data={[
              { value: 'all', label: 'All changes' },
              ...differenceChanges.map((each) => ({
                value: each,
                label: `${changeStates[each][1]} (${formatCount(data?.[each] ?? 0)})`,
              })),
            ]}
            onChange={(next) => change({ change: differenceChanges.find((each) => each === next) })}
          />
        </>
      }
      empty={
        <Empty title={data?.with ? 'No differences' : 'No discovery to compare with'}>
          {data?.with
            ? `No certificates match the selected changes; ${formatCount(data.unchanged)} certificates are unchanged.`
            : 'No earlier discovery used the same connector and settings. Choose a different discovery.'}
        </Empty>
      }
    />
  );
}

/** Selector for the discovery to compare with; offers the newest ones. */
function OtherDiscovery({ uuid, compared }: { readonly uuid: string; readonly compared: string | undefined }) {
  const change: Change = useSearchChange<FoundSearch>();
  const { data } = useQuery(listingQuery(discoveryListing, {}));
  const others = (data?.discoveries ?? []).filter((each) => each.uuid !== uuid);
  return (
    <Select
      aria-label="Compared with"
      placeholder="Compare with…"
      data={others.map((each) => ({ value: each.uuid, label: each.name }))}
      value={compared ?? null}
      onChange={(next) => change({ with: next ?? undefined })}
      searchable
    />
  );
}
