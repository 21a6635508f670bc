// What needs attention, the most urgent first, with links to the lists concerned.
import { Text } from '@mantine/core';
import { IconChevronRight, IconCircleCheck } from '@tabler/icons-react';
import type { StatisticsDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Panel } from '../../ui/panel.tsx';
import { State, type Tone } from '../../ui/state.tsx';
import { endedBefore, endsWithinDays, inState, listOf, withValidation } from '../certificates/filters.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { connectorListQuery } from '../../queries/connectors.ts';
import classes from './start.module.css';

/** Clients renew earlier: what expires this soon was forgotten, or its renewal fails. A bucket of the statistics. */
const SOON_DAYS = 10;

interface Matter {
  readonly key: string;
  readonly tone: Tone;
  readonly word: string;
  readonly count: number;
  readonly what: string;
  /** What would help. */
  readonly next: string;
  readonly to: string;
  readonly search?: CertificateSearch;
}

export function Attention({ statistics }: { readonly statistics: StatisticsDto }) {
  const matters = [...matterOfCertificates(statistics, new Date()), ...useConnectorMatters()].filter(
    ({ count }) => count > 0,
  );
  return (
    <Panel title="Needs attention" flush>
      {matters.length === 0 ? (
        <div className={classes.calm}>
          <IconCircleCheck size={20} aria-hidden="true" />
          <Text>All is well. No certificate failed, and none expires within {SOON_DAYS} days.</Text>
        </div>
      ) : (
        <ul className={classes.matters}>
          {matters.map((matter) => (
            <li key={matter.key}>
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
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function matterOfCertificates(statistics: StatisticsDto, now: Date): Matter[] {
  const {
    certificateStatByExpiry: ends = {},
    certificateStatByState: states = {},
    certificateStatByValidationStatus: validation = {},
  } = statistics;
  const soon = ends[String(SOON_DAYS)];
  return [
    {
      key: 'failed',
      tone: 'bad',
      word: 'Failed',
      count: states['failed'] ?? 0,
      what: certificates(states['failed'], 'could not be issued', 'could not be issued'),
      next: 'Open one to see why, and issue it again once the cause is fixed.',
      to: paths.certificates.list,
      search: listOf([inState('failed')]),
    },
    {
      key: 'invalid',
      tone: 'bad',
      word: 'Invalid',
      count: validation['invalid'] ?? 0,
      what: certificates(validation['invalid'], 'does not pass validation', 'do not pass validation'),
      next: 'Check the chain: an issuer may be missing, or a signature may be wrong.',
      to: paths.certificates.list,
      search: listOf([withValidation('invalid')]),
    },
    {
      key: 'soon',
      tone: 'warn',
      word: 'Expires soon',
      count: soon ?? 0,
      what: `${certificates(soon, 'expires', 'expire')} within ${SOON_DAYS} days`,
      next: 'Renew those that are not renewed automatically.',
      to: paths.certificates.list,
      search: listOf([inState('issued'), endsWithinDays(SOON_DAYS)], 'notAfter'),
    },
    {
      key: 'expired',
      tone: 'none',
      word: 'Expired',
      count: ends['Expired'] ?? 0,
      what: certificates(ends['Expired'], 'has expired', 'have expired'),
      next: 'Replace those that are still in use.',
      to: paths.certificates.list,
      search: listOf([endedBefore(now)], 'notAfter'),
    },
  ];
}

function useConnectorMatters(): Matter[] {
  const mayList = useMayList()('connectors');
  const { data = [] } = useQuery({ ...connectorListQuery, enabled: mayList });
  const count = data.filter(({ status }) => status === 'failed' || status === 'offline').length;
  return [
    {
      key: 'connectors',
      tone: 'bad',
      word: 'Offline',
      count,
      what: count === 1 ? 'connector does not answer' : 'connectors do not answer',
      next: 'Authorities behind it can neither issue nor revoke until it answers.',
      to: paths.connectors.list,
    },
  ];
}

const certificates = (count: number | undefined, one: string, many: string): string =>
  count === 1 ? `certificate ${one}` : `certificates ${many}`;
