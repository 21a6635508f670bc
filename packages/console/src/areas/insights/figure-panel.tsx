// A panel that shows figures as a chart or as a table.
import { Button, Text } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { formatRelative } from '../../format/dates.ts';
import { Panel } from '../../ui/panel.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import classes from './insights.module.css';

export interface FigurePanelProps<Row> {
  readonly title: string;
  /** Short description of what is counted. */
  readonly description: ReactNode;
  readonly chart: ReactNode;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Time at which the figures were counted; absent if they are live. */
  readonly countedAt?: string;
  /** Whether the chart is too wide for a phone; phones then show the table first. */
  readonly isWide?: boolean;
}

const isNarrow = (): boolean => window.matchMedia('(max-width: 36em)').matches;

export function FigurePanel<Row>(props: FigurePanelProps<Row>) {
  const { title, description, chart, rows, columns, keyOf, countedAt, isWide = false } = props;
  const [asTable, setAsTable] = useState(() => isWide && isNarrow());
  return (
    <Panel
      title={title}
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={
            asTable ? <IconChartBar size={14} aria-hidden="true" /> : <IconTable size={14} aria-hidden="true" />
          }
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      }
    >
      <Text size="sm" c="dimmed" mb="md" maw="60rem">
        {description} {countedAt !== undefined && <CountedAt at={countedAt} />}
      </Text>
      {asTable ? (
        <div className={classes.table}>
          <Table label={title} rows={rows} columns={columns} keyOf={keyOf} nameOf={keyOf} />
        </div>
      ) : (
        chart
      )}
    </Panel>
  );
}

const RECENT_MS = 60_000;

/** Shows when the figures were counted; renders nothing if that was within the last minute. */
export function CountedAt({ at }: { readonly at: string }) {
  const isRecent = Date.now() - Date.parse(at) < RECENT_MS;
  return isRecent ? null : <Text span inherit fw={600}>{`Last updated ${formatRelative(at)}.`}</Text>;
}
