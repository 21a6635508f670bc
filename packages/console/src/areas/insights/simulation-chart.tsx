// Renewals per week: bars for the simulated validity period, a line for the current ones.
import { Text } from '@mantine/core';
import type { RenewalSimulation } from '@signetry/contract';
import { formatUtcDate } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { FigurePanel } from './figure-panel.tsx';
import { weeksOf, type Week } from './simulation-figures.ts';
import styles from './simulation.module.css';

const HEIGHT = 100;
const STEP = 10;

export function SimulationChart({ simulation }: { readonly simulation: RenewalSimulation }) {
  const weeks = weeksOf(simulation);
  return (
    <FigurePanel
      title="Renewals per week"
      description="Number of certificates that are renewed in each week, starting today."
      rows={weeks}
      keyOf={({ day }) => day}
      columns={[
        { key: 'week', title: 'Week starting', cell: ({ day }) => formatUtcDate(day) },
        { key: 'renewals', title: 'With this validity', align: 'right', cell: ({ renewals }) => formatCount(renewals) },
        { key: 'now', title: 'Current', align: 'right', cell: ({ renewalsNow }) => formatCount(renewalsNow) },
      ]}
      chart={<Chart weeks={weeks} lifetimeDays={simulation.lifetimeDays} />}
    />
  );
}

function Chart({ weeks, lifetimeDays }: { readonly weeks: readonly Week[]; readonly lifetimeDays: number }) {
  const most = Math.max(0, ...weeks.flatMap(({ renewals, renewalsNow }) => [renewals, renewalsNow]));
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (most === 0 || !first || !last)
    return (
      <Text c="dimmed" size="sm">
        Nothing to renew
      </Text>
    );
  const y = (renewals: number): number => HEIGHT - (renewals / most) * HEIGHT;
  const line = weeks
    .map(({ renewalsNow }, place) => `${place === 0 ? 'M' : 'L'}${place * STEP + STEP / 2} ${y(renewalsNow)}`)
    .join(' ');
  return (
    <figure style={{ margin: 0 }}>
      <ul className={styles.legend}>
        <li>
          <span className={styles.swatch} aria-hidden="true" />
          {lifetimeDays} days at most
        </li>
        <li>
          <span className={styles.swatch} data-line aria-hidden="true" />
          Current validity periods
        </li>
        <li>Peak: {formatCount(most)} per week</li>
      </ul>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${weeks.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Renewals in ${weeks.length} weeks, at most ${formatCount(most)} per week. The table contains all values.`}
      >
        {weeks.map(({ day, renewals }, place) => (
          <rect
            key={day}
            className={styles.bar}
            x={place * STEP + 1}
            y={y(renewals)}
            width={STEP - 2}
            height={HEIGHT - y(renewals)}
          >
            <title>{`Week starting ${formatUtcDate(day)}: ${formatCount(renewals)}`}</title>
          </rect>
        ))}
        <path className={styles.line} d={line} />
      </svg>
      <div className={styles.axis} aria-hidden="true">
        <span>{formatUtcDate(first.day)}</span>
        <span>{formatUtcDate(last.day)}</span>
      </div>
    </figure>
  );
}
