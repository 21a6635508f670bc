// Items that need attention, most urgent first, with links to the relevant lists.
import { Text } from '@mantine/core';
import type { LocationState } from '@signetry/contract';
import { IconChevronRight, IconCircleCheck } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import type { FilteredSearch } from '../../kit/filters/listing.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import { Panel } from '../../ui/panel.tsx';
import { State, type Tone } from '../../ui/state.tsx';
import { EXPIRES_SOON_DAYS } from '../certificates/expires-soon.ts';
import {
  expiredFilter,
  expiresWithinDays,
  inState,
  listOf,
  notReplaced,
  withValidation,
} from '../certificates/filters.ts';
import { protocols } from '../protocols/protocol.ts';
import { certificateCountQuery } from '../../queries/certificates.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { connectorListQuery } from '../../queries/connectors.ts';
import { unattendedQuery } from '../../queries/inventory-statistics.ts';
import type { InsightsSearch } from '../insights/insights-search.ts';
import { inLocationState, locationStatesQuery } from '../../queries/entities.ts';
import classes from './start.module.css';

interface AttentionItem {
  readonly key: string;
  readonly tone: Tone;
  readonly word: string;
  readonly count: number;
  readonly what: string;
  /** Suggested next step. */
  readonly next: string;
  readonly to: string;
  readonly search?: CertificateSearch | FilteredSearch | InsightsSearch;
}

export function Attention() {
  const others = [...useUnattendedItems(), ...useLocationItems(), ...useConnectorItems(), ...useProfileItems()];
  return (
    <Panel title="Needs attention" flush>
      <QueryView of={useCertificateItems()} what="the items that need attention">
        {(ofCertificates) => (
          <AttentionList matters={[...ofCertificates, ...others].filter(({ count }) => count > 0)} />
        )}
      </QueryView>
    </Panel>
  );
}

function AttentionList({ matters }: { readonly matters: readonly AttentionItem[] }) {
  if (matters.length === 0)
    return (
      <div className={classes.calm}>
        <IconCircleCheck size={20} aria-hidden="true" />
        <Text>
          Nothing needs attention. No certificate has failed, and none expires within {EXPIRES_SOON_DAYS} days.
        </Text>
      </div>
    );
  return (
    <ul className={classes.matters}>
      {matters.map((matter) => (
        <li key={matter.key}>
          <AttentionLink matter={matter} />
        </li>
      ))}
    </ul>
  );
}

function AttentionLink({ matter }: { readonly matter: AttentionItem }) {
  return (
    <Link to={matter.to} search={matter.search as never} className={classes.matter}>
      <span className={classes.state}>
        <State tone={matter.tone}>{matter.word}</State>
      </span>
      <span className={classes.what}>
        <Text span fw={600}>
          {formatCount(matter.count)} {matter.what}
        </Text>
        <Text span size="sm" c="dimmed" className={classes.next}>
          {matter.next}
        </Text>
      </span>
      <IconChevronRight size={16} aria-hidden="true" />
    </Link>
  );
}

/** The numbers come from the searches behind the links, so that they match the linked lists. */
function useCertificateItems(): QueryLike<readonly AttentionItem[]> {
  return useQueries({
    queries: kinds.map(({ search }) => certificateCountQuery(search)),
    combine: (counts) => ({
      data: counts.every(({ data }) => data !== undefined)
        ? kinds.map((kind, place) => toAttentionItem(kind, counts[place]?.data ?? 0))
        : undefined,
      error: counts.find(({ error }) => error !== null)?.error,
      refetch: () => Promise.all(counts.map(({ refetch }) => refetch())),
    }),
  });
}

const toAttentionItem = ({ what: [one, many], ...kind }: Kind, count: number): AttentionItem => ({
  ...kind,
  count,
  what: count === 1 ? `certificate ${one}` : `certificates ${many}`,
  to: paths.certificates.list,
});

interface Kind extends Pick<AttentionItem, 'key' | 'tone' | 'word' | 'next'> {
  /** Singular and plural forms. */
  readonly what: readonly [one: string, many: string];
  readonly search: CertificateSearch;
}

/** Only current certificates need attention; replaced certificates are kept until they expire. */
const kinds: readonly Kind[] = [
  {
    key: 'failed',
    tone: 'bad',
    word: 'Failed',
    what: ['could not be issued', 'could not be issued'],
    next: 'Open a certificate to see why. Issue it again after fixing the cause.',
    search: listOf([inState('failed')]),
  },
  {
    key: 'invalid',
    // These are mostly imported chains whose root is not trusted on this platform.
    tone: 'warn',
    word: 'Failed validation',
    what: ['does not pass validation', 'do not pass validation'],
    next: 'Open a certificate to see the reason and the fix. Often, a root only needs to be trusted.',
    search: listOf([withValidation('invalid'), notReplaced]),
  },
  {
    key: 'expired',
    tone: 'bad',
    word: 'Expired',
    what: ['has expired', 'have expired'],
    next: 'Replace certificates that are still in use.',
    search: listOf([inState('issued'), expiredFilter, notReplaced], 'notAfter'),
  },
  {
    key: 'soon',
    tone: 'warn',
    word: 'Expires soon',
    what: [`expires within ${EXPIRES_SOON_DAYS} days`, `expire within ${EXPIRES_SOON_DAYS} days`],
    next: 'Renew certificates that are not renewed automatically.',
    search: listOf([inState('issued'), expiresWithinDays(EXPIRES_SOON_DAYS), notReplaced], 'notAfter'),
  },
];

/** The numbers come from the linked list, so that they match it. */
function useUnattendedItems(): AttentionItem[] {
  const { data } = useQuery(unattendedQuery({ days: EXPIRES_SOON_DAYS, page: 1 }));
  const count = (data?.counts ?? []).reduce((sum, { certificates }) => sum + certificates, 0);
  return [
    {
      key: 'unattended',
      tone: 'warn',
      word: 'Manual',
      count,
      what: count === 1 ? 'certificate has no automated renewal' : 'certificates have no automated renewal',
      next: `${count === 1 ? 'It expires' : 'They expire'} within ${EXPIRES_SOON_DAYS} days. The list shows the reason and a suggested fix.`,
      to: paths.insights,
      search: { tab: 'unattended', days: EXPIRES_SOON_DAYS },
    },
  ];
}

/** States in which a location does not use its certificate, or in which it is unknown whether it does. */
const UNWELL: readonly LocationState[] = ['failed', 'notServed', 'unreadable'];

function useLocationItems(): AttentionItem[] {
  const mayList = useMayList()('locations');
  const { data = [] } = useQuery({ ...locationStatesQuery, enabled: mayList });
  const count = data.filter(({ state }) => UNWELL.includes(state)).reduce((sum, { locations }) => sum + locations, 0);
  return [
    {
      key: 'locations',
      tone: 'bad',
      word: 'Not in use',
      count,
      what: count === 1 ? 'location is not using its certificate' : 'locations are not using their certificates',
      next: 'Open a location to see why: the certificate was not installed or is not served, or the location cannot be read.',
      to: paths.locations.list,
      search: { filters: [inLocationState(...UNWELL)] },
    },
  ];
}

function useConnectorItems(): AttentionItem[] {
  const mayList = useMayList()('connectors');
  const { data = [] } = useQuery({ ...connectorListQuery, enabled: mayList });
  const count = data.filter(({ status }) => status === 'failed' || status === 'offline').length;
  return [
    {
      key: 'connectors',
      tone: 'bad',
      word: 'Offline',
      count,
      what: count === 1 ? 'connector does not respond' : 'connectors do not respond',
      next: 'Authorities cannot issue or revoke certificates through a connector that does not respond.',
      to: paths.connectors.list,
    },
  ];
}

/** Lists profiles that predate the name binding setting, until an administrator decides on it. */
function useProfileItems(): AttentionItem[] {
  const mayList = useMayList();
  const listed = Object.values(protocols).filter(({ resource }) => mayList(resource));
  const answers = useQueries({ queries: listed.map(({ listQuery }) => listQuery) });
  return listed.map(({ id, label, paths: { list } }, place) => {
    const count = (answers[place]?.data ?? []).filter(({ bindNames }) => bindNames === undefined).length;
    return {
      key: `names-${id}`,
      tone: 'warn',
      word: 'Names not bound',
      count,
      what: `${label} ${count === 1 ? 'profile does' : 'profiles do'} not bind names to certificates`,
      next: 'A client can use its certificate to request one for other names. Edit the profile to decide.',
      to: list,
    };
  });
}
