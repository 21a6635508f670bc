// Number of objects by type, each linked to the corresponding list.
import type { Resource, StatisticsDto } from '@signetry/contract';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { withArchive } from '../certificates/filters.ts';
import classes from './start.module.css';

export interface TotalsProps {
  readonly statistics: StatisticsDto;
  readonly includeArchived: boolean;
}

interface Total {
  readonly resource: Resource;
  readonly label: string;
  readonly to: string;
  readonly count: number | undefined;
}

export function Totals({ statistics, includeArchived }: TotalsProps) {
  const mayList = useMayList();
  return (
    <ul className={classes.totals} aria-label="Totals">
      {totalsOf(statistics)
        .filter(({ resource, count }) => count !== undefined && mayList(resource))
        .map(({ resource, label, to, count = 0 }) => (
          <li key={resource}>
            <Link
              to={to}
              search={(resource === 'certificates' ? withArchive({}, includeArchived) : {}) as never}
              className={classes.total}
            >
              <span className={classes.totalCount}>{formatCount(count)}</span>
              <span>{label}</span>
            </Link>
          </li>
        ))}
    </ul>
  );
}

const totalsOf = (statistics: StatisticsDto): readonly Total[] => [
  {
    resource: 'certificates',
    label: 'Certificates',
    to: paths.certificates.list,
    count: statistics.totalCertificates,
  },
  { resource: 'authorities', label: 'Authorities', to: paths.authorities.list, count: statistics.totalAuthorities },
  { resource: 'raProfiles', label: 'RA profiles', to: paths.raProfiles.list, count: statistics.totalRaProfiles },
  { resource: 'groups', label: 'Groups', to: paths.groups.list, count: statistics.totalGroups },
  { resource: 'connectors', label: 'Connectors', to: paths.connectors.list, count: statistics.totalConnectors },
  { resource: 'credentials', label: 'Credentials', to: paths.credentials.list, count: statistics.totalCredentials },
];
