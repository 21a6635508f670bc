// Discoveries and the certificates they found, and locations that hold certificates. Each number links to the matching
// list.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatDateTime } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { listingCountQuery, type FilteredSearch } from '../../kit/filters/listing.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import {
  discoveryListing,
  FAILED_WITHIN_DAYS,
  lastEndedDiscoveryQuery,
  lastFailedDiscoveries,
  progressQuery,
  runningDiscoveries,
  type ListedDiscovery,
} from '../../queries/discoveries.ts';
import { inLocationState, locationStatesQuery } from '../../queries/entities.ts';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { DiscoveryState } from '../discoveries/state.tsx';
import { LocationState } from '../entities/state.tsx';
import classes from './start.module.css';

export function DiscoveriesAndLocations() {
  const mayList = useMayList();
  const [seesDiscoveries, seesLocations] = [mayList('discoveries'), mayList('locations')];
  if (!seesDiscoveries && !seesLocations) return null;
  return (
    <div className={classes.estate}>
      {seesDiscoveries && <Discoveries />}
      {seesLocations && <Locations />}
    </div>
  );
}

function Discoveries() {
  return (
    <Panel title="Discoveries">
      <QueryView of={useQuery(lastEndedDiscoveryQuery)} what="the discoveries">
        {(last) => (
          <>
            <DiscoveryCounts />
            {last ? <LastDiscovery discovery={last} /> : <NoDiscoveries />}
          </>
        )}
      </QueryView>
    </Panel>
  );
}

function DiscoveryCounts() {
  const { data: running } = useQuery(listingCountQuery(discoveryListing, runningDiscoveries));
  const { data: failed } = useQuery(listingCountQuery(discoveryListing, lastFailedDiscoveries));
  return (
    <ul className={classes.shares}>
      <li>
        <Share to={paths.discoveries.list} search={{ filters: runningDiscoveries }} count={running}>
          <span>Running</span>
        </Share>
      </li>
      <li>
        <Share to={paths.discoveries.list} search={{ filters: lastFailedDiscoveries }} count={failed}>
          <span>Failed in the last {FAILED_WITHIN_DAYS} days</span>
        </Share>
      </li>
    </ul>
  );
}

const NoDiscoveries = () => (
  <Text size="sm" c="dimmed" mt="sm">
    No discovery has finished yet.{' '}
    <TextLink to={paths.discoveries.list} inSentence>
      Discoveries
    </TextLink>{' '}
    find certificates that are not in the inventory.
  </Text>
);

/** The results are shown only if the user can see them. */
function LastDiscovery({ discovery: { uuid, name, status, endTime } }: { readonly discovery: ListedDiscovery }) {
  const { data: progress } = useQuery(progressQuery(uuid));
  const page = paths.discoveries.one(uuid);
  return (
    <div className={classes.lastEnded}>
      <div className={classes.lastEndedName}>
        <Text size="sm">
          Last finished:{' '}
          <TextLink to={page} inSentence>
            {name}
          </TextLink>
        </Text>
        <DiscoveryState of={status} />
      </div>
      {endTime && (
        <Text size="xs" c="dimmed">
          {formatDateTime(endTime)}
        </Text>
      )}
      {progress && (
        <ul className={classes.shares}>
          <li>
            <Share to={page} search={{}} count={progress.found}>
              <span>Certificates found</span>
            </Share>
          </li>
          <li>
            <Share to={page} search={{ view: 'new' }} count={progress.newlyDiscovered}>
              <span>New in the inventory</span>
            </Share>
          </li>
          <li>
            <Share to={page} search={{ view: 'refused' }} count={progress.refused}>
              <span>Unreadable</span>
            </Share>
          </li>
        </ul>
      )}
    </div>
  );
}

function Locations() {
  return (
    <Panel title="Locations">
      <QueryView of={useQuery(locationStatesQuery)} what="the locations">
        {(counts) =>
          counts.length === 0 ? (
            <Text size="sm" c="dimmed">
              None yet.{' '}
              <TextLink to={paths.locations.list} inSentence>
                Locations
              </TextLink>{' '}
              are the places where servers store their certificates.
            </Text>
          ) : (
            <ul className={classes.shares}>
              {counts.map(({ state, locations }) => (
                <li key={state}>
                  <Share to={paths.locations.list} search={{ filters: [inLocationState(state)] }} count={locations}>
                    <LocationState of={state} />
                  </Share>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

interface ShareProps {
  readonly to: string;
  readonly search: FilteredSearch | { readonly view?: string };
  readonly count: number | undefined;
  readonly children: React.ReactNode;
}

function Share({ to, search, count, children }: ShareProps) {
  return (
    <Link to={to} search={search as never} className={classes.share}>
      {children}
      <Text span fw={600}>
        {count === undefined ? '…' : formatCount(count)}
      </Text>
    </Link>
  );
}
