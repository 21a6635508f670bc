// Validity periods of active certificates, from days to many years.
import { Text, VisuallyHidden } from '@mantine/core';
import type { CertificateComposition, CertificateLifetimeShare } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatUtcDate } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { compositionQuery } from '../../queries/inventory-statistics.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { expiresFrom, inState, listOf, validAtMost, validLongerThan, withArchive } from '../certificates/filters.ts';
import classes from './insights.module.css';
import { VALIDITIES } from './calendar-days.ts';
import { CountLink } from './count-link.tsx';
import { FigurePanel } from './figure-panel.tsx';

interface Props {
  readonly includeArchived: boolean;
}

export function Lifetimes({ includeArchived }: Props) {
  return (
    <QueryView of={useQuery(compositionQuery(includeArchived))} what="the validity periods" inPanel>
      {(composition) => <Histogram composition={composition} includeArchived={includeArchived} />}
    </QueryView>
  );
}

type Share = CertificateLifetimeShare;

function Histogram({ composition, includeArchived }: Props & { readonly composition: CertificateComposition }) {
  const { lifetimes, countedAt, certificates } = composition;
  const search = (share: Share) => searchOfLifetime(share, { countedAt, includeArchived });
  return (
    <FigurePanel
      title="Validity periods"
      description={
        'Active certificates (issued and not expired) by the number of days from notBefore to notAfter. ' +
        'Short periods require automated renewal; long periods keep a compromised key valid for longer.'
      }
      countedAt={countedAt}
      rows={lifetimes}
      keyOf={describeLifetime}
      columns={[
        { key: 'lifetime', title: 'Validity period', cell: (share) => <Lifetime share={share} /> },
        {
          key: 'certificates',
          title: 'Certificates',
          align: 'right',
          cell: (share) => (
            <CountLink
              count={share.certificates}
              search={search(share)}
              what={`with a validity period of ${describeLifetime(share)}`}
            />
          ),
        },
        {
          key: 'part',
          title: 'Share',
          align: 'right',
          cell: (share) => formatShare(share.certificates, certificates),
        },
      ]}
      chart={
        certificates === 0 ? (
          <Text size="sm" c="dimmed">
            No active certificates
          </Text>
        ) : (
          <ul className={classes.bars}>
            {lifetimes.map((share) => (
              <Bar key={describeLifetime(share)} share={share} search={search(share)} of={lifetimes} />
            ))}
          </ul>
        )
      }
    />
  );
}

const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

/** A small share is never rounded down to 0%. */
const formatShare = (count: number, all: number): string =>
  count > 0 && count / all < 0.001 ? '< 0.1%' : percent.format(all === 0 ? 0 : count / all);

function Lifetime({ share }: { readonly share: Share }) {
  const limit = VALIDITIES.find(({ days }) => days === share.atMostDays);
  return (
    <span>
      {describeLifetime(share)}
      {limit && (
        <Text span size="xs" c="dimmed" display="block">
          {limit.days} days is the maximum for public TLS certificates from {formatUtcDate(limit.since)} onward
        </Text>
      )}
    </span>
  );
}

interface BarProps {
  readonly share: Share;
  readonly search: ReturnType<typeof searchOfLifetime>;
  readonly of: readonly Share[];
}

function Bar({ share, search, of }: BarProps) {
  const { certificates } = share;
  const most = Math.max(...of.map((each) => each.certificates));
  const content = (
    <>
      <Lifetime share={share} />
      <Text span fw={600}>
        {formatCount(certificates)}{' '}
        <VisuallyHidden>{certificates === 1 ? 'certificate' : 'certificates'}</VisuallyHidden>
      </Text>
      <span className={classes.track} aria-hidden="true">
        {certificates > 0 && <span style={{ width: `${(certificates / most) * 100}%` }} />}
      </span>
    </>
  );
  return (
    <li>
      {certificates === 0 ? (
        <span className={classes.bar} data-none>
          {content}
        </span>
      ) : (
        <Link to={paths.certificates.list} search={search as never} className={classes.bar}>
          {content}
        </Link>
      )}
    </li>
  );
}

/** Bounds of a validity period, for its label and its search. */
type Bounds = Pick<CertificateLifetimeShare, 'moreThanDays' | 'atMostDays'>;

/** Validity periods, in days including leap days, that are shown in years. */
const YEARS: Readonly<Record<number, string>> = { 1_827: '5 years', 3_653: '10 years' };

/** Formats `48 to 100 days`, `more than 398 days, up to 825` or `more than 10 years`. */
function describeLifetime({ moreThanDays, atMostDays }: Bounds): string {
  if (atMostDays === undefined) return `More than ${formatDays(moreThanDays ?? 0)}`;
  if (moreThanDays === undefined) return `Up to ${formatDays(atMostDays)}`;
  if (YEARS[atMostDays] === undefined) return `${moreThanDays + 1} to ${formatDays(atMostDays)}`;
  return `More than ${formatDays(moreThanDays)}, up to ${formatDays(atMostDays)}`;
}

const formatDays = (days: number): string => YEARS[days] ?? `${days} days`;

/** Returns the search for the counted certificates, which were active at the time of the count. */
const searchOfLifetime = (
  { moreThanDays, atMostDays }: Bounds,
  { countedAt, includeArchived }: { readonly countedAt: string; readonly includeArchived: boolean },
): CertificateSearch =>
  withArchive(
    listOf([
      inState('issued'),
      expiresFrom(new Date(countedAt)),
      ...(moreThanDays === undefined ? [] : [validLongerThan(moreThanDays)]),
      ...(atMostDays === undefined ? [] : [validAtMost(atMostDays)]),
    ]),
    includeArchived,
  );
