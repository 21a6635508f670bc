// Certificates by state, validation status and key algorithm. Each number links to its list.
import { Text } from '@mantine/core';
import type { Counts, StatisticsDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Panel } from '../../ui/panel.tsx';
import { inState, listOf, withAlgorithm, withValidation } from '../certificates/filters.ts';
import type { CertificateSearch } from '../../queries/certificate-search.ts';
import { stateWords, validationWords } from '../certificates/words.ts';
import { breakdownQuery } from '../../queries/statistics.ts';
import classes from './start.module.css';

export function Breakdowns({ statistics }: { readonly statistics: StatisticsDto }) {
  const { data: breakdown } = useQuery(breakdownQuery);
  return (
    <div className={classes.breakdowns}>
      <Breakdown
        title="State"
        counts={statistics.certificateStatByState}
        nameOf={(code) => nameIn(stateWords, code)}
        searchOf={(code) => listOf([inState(code)])}
      />
      <Breakdown
        title="Validation"
        counts={statistics.certificateStatByValidationStatus}
        nameOf={(code) => nameIn(validationWords, code)}
        searchOf={(code) => listOf([withValidation(code)])}
      />
      <Breakdown
        title="Key algorithm"
        counts={breakdown?.publicKeyAlgorithms}
        nameOf={(name) => name}
        searchOf={(name) => listOf([withAlgorithm(name)])}
      />
    </div>
  );
}

/** A newer platform may have values that are unknown here. */
const nameIn = (labels: Readonly<Record<string, string>>, code: string): string => labels[code] ?? code;

const MOST_SHOWN = 8;

function Breakdown(props: {
  readonly title: string;
  readonly counts: Counts | undefined;
  readonly nameOf: (value: string) => string;
  readonly searchOf: (value: string) => CertificateSearch;
}) {
  const { title, counts = {}, nameOf, searchOf } = props;
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Panel title={title}>
      {entries.length === 0 ? (
        <Text c="dimmed" size="sm">
          Nothing to count yet.
        </Text>
      ) : (
        <ul className={classes.shares}>
          {entries.slice(0, MOST_SHOWN).map(([value, count]) => (
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
    </Panel>
  );
}
