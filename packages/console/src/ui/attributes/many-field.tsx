// Values of a list without choices, each with its own control. Values can be added, removed and reordered.
import { ActionIcon, Button, Input, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconX, type Icon } from '@tabler/icons-react';
import { useId } from 'react';
import { problemOfEntry } from './attribute-problems.ts';
import { entryOf, type Entry, type FieldDefinition, type FieldState } from './attribute-values.ts';
import type { ControlFacts } from './control-facts.ts';
import { ItemControl } from './item-control.tsx';
import { addEntry, isFixedPosition, moveEntry, removeEntry } from './attribute-values.ts';
import classes from './attributes.module.css';

export interface ManyFieldProps {
  readonly facts: ControlFacts;
  readonly definition: FieldDefinition;
  readonly entries: readonly Entry[];
  readonly onChange: (state: FieldState) => void;
}

export function ManyField({ facts, definition, entries, onChange }: ManyFieldProps) {
  const { id, label, description, error, required } = facts;
  const labelId = useId();
  const set = (next: readonly Entry[]): void => onChange({ control: 'many', entries: next });
  const add = (): void => {
    const key = newKey(entries);
    set(addEntry(entries, entryOf(definition, { key })));
    // Runs after the new control is rendered.
    requestAnimationFrame(() => document.getElementById(`${id}-${key}`)?.focus());
  };
  return (
    <Input.Wrapper
      label={label}
      description={description}
      // Errors of a single value are shown at that value.
      error={entries.some((entry) => problemOfEntry(definition, entry) !== undefined) ? undefined : error}
      required={required}
      labelElement="div"
      labelProps={{ id: labelId }}
    >
      {entries.length > 0 && (
        <ol className={classes.many} aria-labelledby={labelId}>
          {entries.map((entry, place) => (
            <EntryRow
              key={entry.key}
              {...{ facts, definition, entries, place, entry }}
              id={`${id}-${entry.key}`}
              onChange={set}
            />
          ))}
        </ol>
      )}
      <Button
        id={id}
        mt={6}
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        aria-describedby={labelId}
        onClick={add}
      >
        Add<span className="visually-hidden"> a value of {label}</span>
      </Button>
    </Input.Wrapper>
  );
}

const newKey = (entries: readonly Entry[]): string =>
  String(Math.max(-1, ...entries.map(({ key }) => Number(key))) + 1);

interface RowProps extends Pick<ManyFieldProps, 'facts' | 'definition' | 'entries'> {
  readonly id: string;
  readonly entry: Entry;
  readonly place: number;
  readonly onChange: (entries: readonly Entry[]) => void;
}

function EntryRow({ facts, definition, entries, id, entry, place, onChange }: RowProps) {
  const { state } = entry;
  const name = `${facts.label} ${place + 1}`;
  const change = (next: FieldState): void =>
    onChange(entries.map((each) => (each.key === entry.key ? { ...each, state: next } : each)));
  // Entries contain exactly one entered value.
  if (state.control === 'fixed' || state.control === 'choice' || state.control === 'many') return null;
  const error = facts.error === undefined ? undefined : problemOfEntry(definition, entry);
  const isFixed = isFixedPosition(entries, place);
  return (
    <li className={classes.entry}>
      <ItemControl
        facts={{ ...facts, id, label: name, description: undefined, required: false, error }}
        contentType={definition.contentType}
        state={state}
        onChange={change}
      />
      <div className={classes.entryTools}>
        <Tool
          label={`Move ${name} up`}
          icon={IconArrowUp}
          disabled={place === 0 || isFixed || isFixedPosition(entries, place - 1)}
          onClick={() => onChange(moveEntry(entries, place, -1))}
        />
        <Tool
          label={`Move ${name} down`}
          icon={IconArrowDown}
          disabled={place === entries.length - 1 || isFixed}
          onClick={() => onChange(moveEntry(entries, place, 1))}
        />
        <Tool
          label={`Remove ${name}`}
          icon={IconX}
          disabled={isFixedPosition(entries, place + 1)}
          onClick={() => onChange(removeEntry(entries, place))}
        />
      </div>
    </li>
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: Icon;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

const Tool = ({ label, icon: Drawn, disabled, onClick }: ToolProps) => (
  <Tooltip label={label} disabled={disabled}>
    <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} disabled={disabled} onClick={onClick}>
      <Drawn size={16} aria-hidden="true" />
    </ActionIcon>
  </Tooltip>
);
