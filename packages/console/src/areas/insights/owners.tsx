// Active certificates by owner and group, and certificates without either.
import { Text, VisuallyHidden } from '@mantine/core';
import type { CertificateComposition, NamedShare } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { compositionQuery } from '../../queries/inventory-statistics.ts';
import { Panel } from '../../ui/panel.tsx';
import {
  expiresFrom,
  inGroup,
  inState,
  listOf,
  withArchive,
  withoutValue,
  withValue,
} from '../certificates/filters.ts';
import { formatCertificateCount, CountLink } from './count-link.tsx';
import { FigurePanel } from './figure-panel.tsx';
import classes from './insights.module.css';

interface Props {
  readonly includeArchived: boolean;
}

export function Owners({ includeArchived }: Props) {
  return (
    <QueryView of={useQuery(compositionQuery(includeArchived))} what="the owners" inPanel>
      {(composition) => <OwnerPanels composition={composition} includeArchived={includeArchived} />}
    </QueryView>
  );
}

type Filters = Parameters<typeof listOf>[0];

function OwnerPanels({ composition, includeArchived }: Props & { readonly composition: CertificateComposition }) {
  const { countedAt, owners, byOtherOwners, groups, ofNobody } = composition;
  const searchActive = (...filters: Filters): CertificateSearch =>
    withArchive(listOf([inState('issued'), expiresFrom(new Date(countedAt)), ...filters]), includeArchived);
  return (
    <div className={classes.stack}>
      <Panel title="Unassigned certificates">
        <ul className={classes.totals}>
          <li>
            <span className={classes.totalName}>No owner or group</span>
            <CountLink
              count={ofNobody}
              search={searchActive(withoutValue('OWNER'), withoutValue('GROUP_NAME'))}
              what="without owner or group"
            />
          </li>
          <li>
            <span className={classes.totalName}>No owner</span>
            <CountLink
              count={composition.withoutOwner}
              search={searchActive(withoutValue('OWNER'))}
              what="without an owner"
            />
          </li>
          <li>
            <span className={classes.totalName}>No group</span>
            <CountLink
              count={composition.withoutGroup}
              search={searchActive(withoutValue('GROUP_NAME'))}
              what="without a group"
            />
          </li>
        </ul>
        <Text size="sm" c="dimmed" mt="md">
          No one is recorded as responsible when these certificates expire. Assign owners and groups on the certificate
          page.
        </Text>
      </Panel>
      <div className={classes.pair}>
        <Shares
          title="Owners"
          description="Active certificates by owner."
          none="No active certificate has an owner."
          shares={owners}
          others={byOtherOwners}
          searchOf={(name) => searchActive(withValue('OWNER', name))}
          countedAt={countedAt}
        />
        <Shares
          title="Groups"
          description="Active certificates by group. A certificate in multiple groups counts in each."
          none="No active certificate is in a group that you can list."
          shares={groups}
          others={0}
          searchOf={(name) => searchActive(inGroup(name))}
          countedAt={countedAt}
        />
      </div>
    </div>
  );
}

interface SharesProps {
  readonly title: string;
  readonly description: string;
  readonly none: string;
  readonly shares: readonly NamedShare[];
  /** Number of certificates whose owners the platform does not list. */
  readonly others: number;
  readonly searchOf: (name: string) => CertificateSearch;
  readonly countedAt: string;
}

/** Maximum number of bars. The remaining rows are shown only in the table. */
const MOST_BARS = 15;

function Shares({ title, description, none, shares, others, searchOf, countedAt }: SharesProps) {
  const most = Math.max(1, ...shares.map(({ certificates }) => certificates));
  const hidden = shares.slice(MOST_BARS).reduce((sum, { certificates }) => sum + certificates, others);
  return (
    <FigurePanel
      title={title}
      description={description}
      countedAt={countedAt}
      rows={shares}
      keyOf={({ name }) => name}
      columns={[
        { key: 'name', title: title === 'Owners' ? 'Owner' : 'Group', cell: ({ name }) => name },
        {
          key: 'certificates',
          title: 'Certificates',
          align: 'right',
          cell: ({ name, certificates }) => (
            <CountLink count={certificates} search={searchOf(name)} what={`of ${name}`} />
          ),
        },
      ]}
      chart={
        shares.length === 0 ? (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        ) : (
          <>
            <ul className={classes.bars}>
              {shares.slice(0, MOST_BARS).map(({ name, certificates }) => (
                <li key={name}>
                  <Link to={paths.certificates.list} search={searchOf(name) as never} className={classes.bar}>
                    <bdi>{name}</bdi>
                    <Text span fw={600}>
                      {formatCount(certificates)}{' '}
                      <VisuallyHidden>{certificates === 1 ? 'certificate' : 'certificates'}</VisuallyHidden>
                    </Text>
                    <span className={classes.track} aria-hidden="true">
                      <span style={{ width: `${(certificates / most) * 100}%` }} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            {hidden > 0 && (
              <Text size="sm" c="dimmed" mt="xs">
                {formatCertificateCount(hidden)} not shown in the chart. The table lists up to 1,000 names.
              </Text>
            )}
          </>
        )
      }
    />
  );
}
