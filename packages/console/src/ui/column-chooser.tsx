// Selects and orders the columns of a list. The first column is always shown.
import { ActionIcon, Button, Checkbox, Popover, ScrollArea, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react';
import { useRef } from 'react';
import classes from './column-chooser.module.css';

export interface ChoosableColumn {
  readonly key: string;
  readonly title: string;
}

export interface ColumnChooserProps {
  /** All columns, sorted by title. */
  readonly columns: readonly ChoosableColumn[];
  /** Keys of the shown columns, in order. */
  readonly shown: readonly string[];
  /** Whether the default columns are shown. */
  readonly isUsual: boolean;
  /** Called when the chooser opens, so that columns that are expensive to determine are loaded only then. */
  readonly onOpen?: () => void;
  /** Undefined resets to the default columns. */
  readonly onChange: (shown: readonly string[] | undefined) => void;
}

export function ColumnChooser({ columns, shown, isUsual, onOpen, onChange }: ColumnChooserProps) {
  return (
    <Popover
      position="bottom-end"
      trapFocus
      returnFocus
      withinPortal={false}
      width="min(20rem, 92vw)"
      shadow="md"
      {...(onOpen && { onOpen })}
    >
      <Popover.Target>
        <ActionIcon variant="default" size="lg" aria-label="Choose columns" title="Choose columns">
          <IconColumns3 size={16} aria-hidden="true" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={classes.frame}>
        <div className={classes.head}>
          <Text fw={650} size="sm">
            Columns
          </Text>
          {!isUsual && (
            <Button size="compact-sm" variant="subtle" onClick={() => onChange(undefined)}>
              Reset columns
            </Button>
          )}
        </div>
        <ScrollArea.Autosize mah="min(24rem, 60vh)" type="auto">
          <Lines columns={columns} shown={shown} onChange={onChange} />
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

function Lines({ columns, shown, onChange }: Omit<ColumnChooserProps, 'isUsual' | 'onOpen'>) {
  const frame = useRef<HTMLUListElement>(null);
  const titleOf = (key: string): string => columns.find((each) => each.key === key)?.title ?? key;
  const move = (key: string, by: -1 | 1): void => {
    onChange(moveKey(shown, key, by));
    // The button moves with its line and keeps the focus.
    requestAnimationFrame(() => {
      const line = frame.current?.querySelector(`[data-key="${CSS.escape(key)}"]`);
      const buttons = [...(line?.querySelectorAll<HTMLButtonElement>('button') ?? [])].filter(({ disabled }) => !disabled);
      (buttons.length > 1 && by === 1 ? buttons.at(-1) : buttons[0])?.focus();
    });
  }; // prettier-ignore
  return (
    <ul className={classes.lines} ref={frame}>
      {shown.map((key, place) => (
        <li key={key} className={classes.line} data-key={key}>
          <Checkbox
            size="xs"
            label={titleOf(key)}
            checked
            onChange={() => onChange(shown.filter((each) => each !== key))}
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            disabled={place === 0}
            aria-label={`Move ${titleOf(key)} up`}
            onClick={() => move(key, -1)}
          >
            <IconArrowUp size={14} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            disabled={place === shown.length - 1}
            aria-label={`Move ${titleOf(key)} down`}
            onClick={() => move(key, 1)}
          >
            <IconArrowDown size={14} aria-hidden="true" />
          </ActionIcon>
        </li>
      ))}
      {columns
        .filter(({ key }) => !shown.includes(key))
        .map(({ key, title }) => (
          <li key={key} className={classes.line} data-key={key}>
            <Checkbox size="xs" label={title} checked={false} onChange={() => onChange([...shown, key])} />
          </li>
        ))}
    </ul>
  );
}

function moveKey(keys: readonly string[], key: string, by: -1 | 1): readonly string[] {
  const place = keys.indexOf(key);
  const others = keys.filter((each) => each !== key);
  return others.toSpliced(Math.max(0, place + by), 0, key);
}
