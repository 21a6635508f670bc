// Simulates a shorter validity period: the number of renewals, how they are carried out, and what is not ready. The URL
// contains the validity period, so the page can be shared and printed.
import { Button, Group, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import type { SimulatedShare, SimulatedWay, RenewalSimulation } from '@signetry/contract';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatDateTime, formatUtcDate } from '../../format/dates.ts';
import { formatCount } from '../../format/names.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useSearchChange } from '../../kit/use-list-search.ts';
import { simulationQuery } from '../../queries/inventory-statistics.ts';
import { Panel } from '../../ui/panel.tsx';
import { State } from '../../ui/state.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { saveFile } from '../certificates/downloads.ts';
import type { InsightsSearch } from './insights-search.ts';
import classes from './insights.module.css';
import { SimulationChart } from './simulation-chart.tsx';
import { busiestDayOf, csvOf } from './simulation-figures.ts';
import styles from './simulation.module.css';
import { UnreadyPanels } from './unready.tsx';
import { AUTOMATIC_METHODS, methodTexts } from './renewal-texts.ts';

/** Maximum validity periods of public TLS certificates, in the order in which they take effect. */
const LIFETIMES = [200, 100, 47] as const;
const DAYS = 365;

export function Simulation() {
  const { lifetime = 47, start }: InsightsSearch = useSearch({ strict: false });
  const body = { lifetimeDays: lifetime, days: DAYS, ...(start === undefined ? {} : { from: start }) };
  const query = useQuery(simulationQuery(body));
  return (
    <div className={classes.stack}>
      <Panel
        title={`Simulation: maximum validity of ${lifetime} ${lifetime === 1 ? 'day' : 'days'}`}
        actions={query.data && <Files simulation={query.data} />}
      >
        <Text size="sm" c="dimmed" mb="md" maw="60rem">
          Renewals of the active certificates are calculated day by day for a year, with their current validity periods
          and with this one. Nothing is changed.
        </Text>
        <Choice key={`${lifetime} ${start ?? ''}`} lifetime={lifetime} start={start} />
        <QueryView of={query} what="the simulation">
          {(simulation) => <Totals simulation={simulation} />}
        </QueryView>
      </Panel>
      {query.data && <Result simulation={query.data} />}
    </div>
  );
}

interface ChoiceProps {
  readonly lifetime: number;
  readonly start: string | undefined;
}

function Choice({ lifetime, start }: ChoiceProps) {
  const change = useSearchChange<InsightsSearch>();
  const isUsual = LIFETIMES.some((days) => days === lifetime);
  const [isOwn, setOwn] = useState(!isUsual);
  const [own, setOwnDays] = useState<number | string>(lifetime);
  const choose = (value: string): void => {
    setOwn(value === 'own');
    if (value !== 'own') change({ lifetime: Number(value) });
  };
  const applyLifetime = (): void => {
    const days = Number(own);
    if (Number.isInteger(days) && days >= 1 && days <= 3_650) change({ lifetime: days });
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        applyLifetime();
      }}
    >
      <SegmentedControl
        className={styles.lifetimes}
        aria-label="Validity period in days"
        data={[
          ...LIFETIMES.map((days) => ({ value: String(days), label: `${days} days` })),
          { value: 'own', label: 'Other' },
        ]}
        value={isOwn ? 'own' : String(lifetime)}
        onChange={choose}
      />
      {isOwn && (
        <Group gap="xs" align="flex-end">
          <NumberInput
            label="Days"
            min={1}
            max={3_650}
            allowDecimal={false}
            value={own}
            onChange={setOwnDays}
            w="7rem"
          />
          <Button type="submit" variant="default">
            Simulate
          </Button>
        </Group>
      )}
      <TextInput
        type="date"
        label="For certificates issued on or after"
        value={start ?? ''}
        onChange={({ currentTarget: { value } }) => change({ start: value === '' ? undefined : value })}
      />
    </form>
  );
}

function Files({ simulation }: { readonly simulation: RenewalSimulation }) {
  const save = (): void =>
    saveFile(`renewals-of-${simulation.lifetimeDays}-days.csv`, new TextEncoder().encode(csvOf(simulation)));
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" leftSection={<IconDownload size={14} aria-hidden="true" />} onClick={save}>
        Save as CSV
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPrinter size={14} aria-hidden="true" />}
        onClick={() => window.print()}
      >
        Print
      </Button>
    </Group>
  );
}

function Totals({ simulation }: { readonly simulation: RenewalSimulation }) {
  const { certificates, renewals, renewalsNow, perDay, firstDay, ways, from, countedAt } = simulation;
  const busiest = busiestDayOf(perDay, firstDay);
  const byPeople = ways.filter(({ way }) => !AUTOMATIC_METHODS.has(way));
  const facts = [
    ['Active certificates', formatCount(certificates)],
    ['Renewals per year, currently', formatCount(renewalsNow)],
    ['Renewals per year, simulated', formatCount(renewals)],
    ['Manual renewals', formatCount(byPeople.reduce((sum, way) => sum + way.renewals, 0))],
    ['Renewals on the busiest day', `${formatCount(busiest.renewals)}`],
  ] as const;
  return (
    <>
      <ul className={classes.totals}>
        {facts.map(([name, value]) => (
          <li key={name}>
            <span className={classes.totalName}>{name}</span>
            <Text span fz="1.5rem" fw={600}>
              {value}
            </Text>
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed">
        The busiest day is {formatUtcDate(busiest.day)}. The validity period applies to certificates issued from{' '}
        {formatUtcDate(from)} onward. Last updated {formatDateTime(countedAt)}.
      </Text>
    </>
  );
}

function Result({ simulation }: { readonly simulation: RenewalSimulation }) {
  const { ways, authorities, groups, firstDay } = simulation;
  return (
    <>
      <SimulationChart simulation={simulation} />
      <UnreadyPanels simulation={simulation} />
      <Panel title="Renewal methods" flush>
        <Table
          label="Renewals by method"
          rows={ways.toSorted((one, other) => other.renewals - one.renewals)}
          columns={[
            { key: 'way', title: 'Method', cell: (row: SimulatedWay) => methodTexts[row.way] },
            {
              key: 'automatic',
              title: 'Automation',
              titled: true,
              cell: ({ way }) =>
                AUTOMATIC_METHODS.has(way) ? <State tone="good">Automatic</State> : <State tone="warn">Manual</State>,
            },
            ...figureColumns<SimulatedWay>(firstDay),
          ]}
          keyOf={({ way }) => way}
          nameOf={({ way }) => methodTexts[way]}
        />
      </Panel>
      <Shares title="Authorities" rows={authorities} firstDay={firstDay} />
      <Shares title="Groups" rows={groups} firstDay={firstDay} />
    </>
  );
}

type Figures = Pick<SimulatedShare, 'certificates' | 'renewals' | 'perDay'>;

const figureColumns = <Row extends Figures>(firstDay: string): readonly Column<Row>[] => [
  {
    key: 'certificates',
    title: 'Certificates',
    align: 'right',
    titled: true,
    cell: (row) => formatCount(row.certificates),
  },
  {
    key: 'renewals',
    title: 'Renewals per year',
    align: 'right',
    titled: true,
    cell: (row) => formatCount(row.renewals),
  },
  {
    key: 'busiest',
    title: 'Busiest day',
    align: 'right',
    titled: true,
    cell: ({ perDay }) => {
      const { day, renewals } = busiestDayOf(perDay, firstDay);
      return renewals === 0 ? '' : `${formatCount(renewals)} on ${formatUtcDate(day)}`;
    },
  },
];

interface SharesProps {
  readonly title: string;
  readonly rows: readonly SimulatedShare[];
  readonly firstDay: string;
}

function Shares({ title, rows, firstDay }: SharesProps) {
  if (rows.length === 0) return null;
  return (
    <Panel title={title} flush>
      <Table
        label={`Renewals by ${title.toLowerCase()}`}
        rows={rows}
        columns={[{ key: 'name', title: 'Name', cell: ({ name }) => name }, ...figureColumns<SimulatedShare>(firstDay)]}
        keyOf={({ uuid }) => uuid}
        nameOf={({ name }) => name}
      />
    </Panel>
  );
}
