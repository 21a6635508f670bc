// The command palette's search field and results.
import { Loader, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import classes from './command-palette.module.css';
import { useChoices, type Choice } from './palette-choices.tsx';

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const { choices, isSearching } = useChoices(text);
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const listId = useId();
  useEffect(() => setChosen(0), [text]);

  const go = (choice: Choice | undefined): void => {
    if (!choice) return;
    onClose();
    choice.run?.();
    if (choice.to !== undefined) void navigate({ to: choice.to });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setChosen((at) => Math.min(at + 1, choices.length - 1));
    else if (event.key === 'ArrowUp') setChosen((at) => Math.max(at - 1, 0));
    else if (event.key === 'Enter') go(choices[chosen]);
    else return;
    event.preventDefault();
  };

  return (
    <>
      <TextInput
        autoFocus
        size="lg"
        variant="unstyled"
        className={classes.input}
        leftSection={isSearching ? <Loader size={16} /> : <IconSearch size={18} aria-hidden="true" />}
        placeholder="Name, serial number, fingerprint, page or action"
        aria-label="Search certificates or go to a page"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={choices[chosen] ? `${listId}-${chosen}` : undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Results id={listId} choices={choices} chosen={chosen} onPoint={setChosen} onChoose={go} />
      {choices.length === 0 && !isSearching && (
        <Text c="dimmed" p="lg" ta="center">
          No results for “{text}”.
        </Text>
      )}
    </>
  );
}

interface ResultsProps {
  readonly id: string;
  readonly choices: readonly Choice[];
  readonly chosen: number;
  readonly onPoint: (place: number) => void;
  readonly onChoose: (choice: Choice) => void;
}

function Results({ id, choices, chosen, onPoint, onChoose }: ResultsProps) {
  return (
    <div id={id} role="listbox" aria-label="Results" className={classes.results}>
      {choices.map((choice, index) => (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the field
        <div
          key={choice.id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className={classes.choice}
          onMouseMove={() => onPoint(index)}
          onClick={() => onChoose(choice)}
        >
          <span className={classes.label}>{choice.label}</span>
          <span className={classes.detail}>{choice.detail}</span>
        </div>
      ))}
    </div>
  );
}
