// Chart of expired certificates that were renewed in time, late or never, in ten-day steps, with a list of the
// certificates with the selected outcome below it.
import { Text } from '@mantine/core';
import { RENEWAL_DAYS, type RenewalHealth, type RenewalOutcome } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { DAY_MS, formatDate, formatDay } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { renewalsQuery } from '../../queries/inventory-statistics.ts';
import { State } from '../../ui/state.tsx';
import { formatCertificateCount } from './count-link.tsx';
import { ExpiredList } from './expired-list.tsx';
import { FigurePanel } from './figure-panel.tsx';
import type { InsightsSearch } from './insights-search.ts';
import classes from './insights.module.css';
import { OUTCOMES, outcomeTexts } from './outcomes.ts';

type Step = RenewalHealth['steps'][number];

interface Props {
  readonly includeArchived: boolean;
}

export function Renewals({ includeArchived }: Props) {
  const { outcome = 'never', from, until, page = 1 }: InsightsSearch = useSearch({ strict: false });
  return (
    <div className={classes.stack}>
      <QueryView of={useQuery(renewalsQuery(includeArchived))} what="the renewals" inPanel>
        {(health) => <Health health={health} includeArchived={includeArchived} />}
      </QueryView>
      <ExpiredList {...{ outcome, from, until, page, includeArchived }} />
    </div>
  );
}

function Health({ health, includeArchived }: Props & { readonly health: RenewalHealth }) {
  const { countedAt, steps } = health;
  const number = (step: Step, outcome: RenewalOutcome) => (
    <OutcomeLink count={step[outcome]} outcome={outcome} step={step} includeArchived={includeArchived} />
  );
  return (
    <FigurePanel
      title={`Expired in the last ${RENEWAL_DAYS} days`}
      description={
        'Issued certificates that expired, excluding revoked ones. A certificate counts as renewed if another one was issued to ' +
        'renew, rekey or replace it, or if a later one with the same subject and SANs has a later expiry: in ' +
        'time if its successor was valid before it expired, otherwise late.'
      }
      countedAt={countedAt}
      rows={steps}
      keyOf={({ from }) => from}
      columns={[
        { key: 'ended', title: 'Expired', cell: periodOf },
        ...OUTCOMES.map((outcome) => ({
          key: outcome,
          title: outcomeTexts[outcome].word,
          align: 'right' as const,
          cell: (step: Step) => number(step, outcome),
        })),
      ]}
      chart={
        <>
          <ul className={classes.totals}>
            {OUTCOMES.map((outcome) => (
              <li key={outcome}>
                <State tone={outcomeTexts[outcome].tone}>{outcomeTexts[outcome].word}</State>
                <OutcomeLink count={health[outcome]} outcome={outcome} includeArchived={includeArchived} isLarge />
              </li>
            ))}
          </ul>
          <Steps steps={steps} includeArchived={includeArchived} />
        </>
      }
    />
  );
}

/** A step ends immediately before the next one begins, so `until` is exclusive. */
const periodOf = ({ from, until }: Step): string =>
  `${formatDate(from)} to ${formatDate(new Date(Date.parse(until) - 1))}`;

const expiredCountOf = (step: Step): number => OUTCOMES.reduce((sum, outcome) => sum + step[outcome], 0);

function Steps({ steps, includeArchived }: Props & { readonly steps: readonly Step[] }) {
  const most = Math.max(...steps.map(expiredCountOf));
  if (most === 0)
    return (
      <Text c="dimmed" size="sm">
        No certificates expired in this period.
      </Text>
    );
  return (
    <ol className={classes.steps} aria-label="Expired certificates per ten days">
      {steps.map((step) => (
        <li key={step.from} className={classes.step}>
          <span className={classes.stepLabel}>
            {formatDay(step.from)} – {formatDay(new Date(Date.parse(step.until) - DAY_MS))}
          </span>
          <span className={classes.stack3}>
            {OUTCOMES.filter((outcome) => step[outcome] > 0).map((outcome) => (
              <Link
                key={outcome}
                to={paths.insights}
                search={searchOf(outcome, includeArchived, step) as never}
                className={classes.part}
                data-tone={outcomeTexts[outcome].tone}
                // React's CSSProperties type does not include custom properties.
                style={{ '--share': step[outcome] / most } as CSSProperties}
                aria-label={`${formatCertificateCount(step[outcome])} ${outcomeTexts[outcome].words}, expired ${periodOf(step)}`}
                title={`${formatCertificateCount(step[outcome])} ${outcomeTexts[outcome].words}`}
              >
                <span>{formatCount(step[outcome])}</span>
              </Link>
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Returns the search for the list below, with this outcome and, if specified, this step. */
const searchOf = (outcome: RenewalOutcome, includeArchived: boolean, step?: Step): InsightsSearch => ({
  tab: 'renewals',
  outcome,
  ...(includeArchived ? { includeArchived } : {}),
  ...(step ? { from: step.from, until: step.until } : {}),
});

interface OutcomeLinkProps extends Props {
  readonly count: number;
  readonly outcome: RenewalOutcome;
  readonly step?: Step;
  readonly isLarge?: boolean;
}

function OutcomeLink({ count, outcome, step, includeArchived, isLarge = false }: OutcomeLinkProps) {
  return (
    <Link
      to={paths.insights}
      search={searchOf(outcome, includeArchived, step) as never}
      resetScroll={false}
      className={classes.count}
      data-large={isLarge || undefined}
      aria-label={`${formatCertificateCount(count)} ${outcomeTexts[outcome].words}${step ? `, expired ${periodOf(step)}` : ''}`}
    >
      {formatCount(count)}
    </Link>
  );
}
