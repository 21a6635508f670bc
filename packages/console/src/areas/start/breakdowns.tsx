// Certificates by state, validation, compliance, key, RA profile, group and protocol. Each number links to the matching
// list.
import { Button, Text } from '@mantine/core';
import type { Counts, SearchFilterRequestDto, StatisticsDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sizeText } from '../../format/key-text.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Panel } from '../../ui/panel.tsx';
import {
  inState,
  listOf,
  withAlgorithm,
  withArchive,
  withCompliance,
  withKeySizes,
  withoutValue,
  withValidation,
  withValue,
  type OptionalField,
} from '../certificates/filters.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { stateTexts, validationTexts } from '../certificates/texts.ts';
import { complianceTexts } from '../compliance-results/texts.ts';
import { breakdownQuery } from '../../queries/statistics.ts';
import classes from './start.module.css';

interface BreakdownsProps {
  readonly statistics: StatisticsDto;
  readonly includeArchived: boolean;
}

/** Name that the platform uses to count certificates without a value. */
const UNASSIGNED = 'Unassigned';

export function Breakdowns({ statistics, includeArchived }: BreakdownsProps) {
  const { data: breakdown } = useQuery(breakdownQuery(includeArchived));
  const search = (filter: SearchFilterRequestDto): CertificateSearch => withArchive(listOf([filter]), includeArchived);
  const valueOf = (field: OptionalField) => (value: string) =>
    search(value === UNASSIGNED ? withoutValue(field) : withValue(field, value));
  return (
    <div className={classes.breakdowns}>
      <Breakdown
        title="State"
        counts={statistics.certificateStatByState}
        nameOf={(code) => nameIn(stateTexts, code)}
        searchOf={(code) => search(inState(code))}
      />
      <Breakdown
        title="Validation"
        counts={statistics.certificateStatByValidationStatus}
        nameOf={(code) => nameIn(validationTexts, code)}
        searchOf={(code) => search(withValidation(code))}
      />
      <Breakdown
        title="Compliance"
        counts={statistics.certificateStatByComplianceStatus}
        nameOf={(code) => nameIn(complianceTexts, code)}
        searchOf={(code) => search(withCompliance(code))}
      />
      <Breakdown
        title="Key algorithm"
        counts={breakdown?.publicKeyAlgorithms}
        searchOf={(name) => search(withAlgorithm(name))}
      />
      <Breakdown
        title="Key size"
        counts={statistics.certificateStatByKeySize}
        nameOf={sizeText}
        searchOf={(size) => search(withKeySizes([Number(size)]))}
      />
      <Breakdown
        title="Signature algorithm"
        counts={breakdown?.signatureAlgorithms}
        nameOf={(name) => (name === UNASSIGNED ? 'Unknown' : name)}
        searchOf={valueOf('SIGNATURE_ALGORITHM')}
      />
      <Breakdown
        title="RA profile"
        counts={statistics.raProfileStatByCertificateCount}
        nameOf={(name) => (name === UNASSIGNED ? 'No RA profile' : name)}
        searchOf={valueOf('RA_PROFILE_NAME')}
      />
      <Breakdown
        title="Group"
        counts={statistics.groupStatByCertificateCount}
        nameOf={(name) => (name === UNASSIGNED ? 'No group' : name)}
        searchOf={valueOf('GROUP_NAME')}
      />
      <Breakdown
        title="Protocol"
        counts={breakdown?.protocols}
        nameOf={(code) => (code === UNASSIGNED ? 'No protocol' : code.toUpperCase())}
        searchOf={valueOf('CERTIFICATE_PROTOCOL')}
      />
    </div>
  );
}

/** Returns the label for a code, or the code itself if it is unknown because a newer platform added it. */
const nameIn = (labels: Readonly<Record<string, string>>, code: string): string => labels[code] ?? code;

const MOST_SHOWN = 8;

function Breakdown(props: {
  readonly title: string;
  readonly counts: Counts | undefined;
  readonly nameOf?: (value: string) => string;
  readonly searchOf: (value: string) => CertificateSearch;
}) {
  const { title, counts = {}, nameOf = (value) => value, searchOf } = props;
  const [isOpen, setIsOpen] = useState(false);
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Panel title={title}>
      {entries.length === 0 ? (
        <Text c="dimmed" size="sm">
          No data yet.
        </Text>
      ) : (
        <ul className={classes.shares}>
          {(isOpen ? entries : entries.slice(0, MOST_SHOWN)).map(([value, count]) => (
            <li key={value}>
              <Link to={paths.certificates.list} search={searchOf(value) as never} className={classes.share}>
                <span>{nameOf(value)}</span>
                <Text span fw={600}>
                  {formatCount(count)}
                </Text>
                <span className={classes.track} aria-hidden="true">
                  <span style={{ width: `${(count / total) * 100}%` }} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {entries.length > MOST_SHOWN && (
        <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? `Show the first ${MOST_SHOWN}` : `Show all ${formatCount(entries.length)}`}
        </Button>
      )}
    </Panel>
  );
}
