// The search field of the command palette and its results: pages by name, certificates as in the inventory.
import { Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useMayList } from '../api/session.ts';
import { certificateSearchQuery } from '../queries/certificates.ts';
import type { ListedCertificate } from '../areas/certificates/shapes.ts';
import { CertificateState } from '../areas/certificates/state.tsx';
import { formatDate } from '../format/dates.ts';
import { titleOf } from '../format/names.ts';
import { paths } from '../kit/paths.ts';
import classes from './command-palette.module.css';
import { menu } from './navigation.ts';

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail: React.ReactNode;
  readonly to: string;
}

const FOUND = 8;

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
    void navigate({ to: choice.to });
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
        placeholder="Name, serial number, fingerprint, or a page"
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
          Nothing found for “{text}”.
        </Text>
      )}
    </>
  );
}

/** Pages are matched at once, certificates after a short pause in typing. */
function useChoices(text: string): { readonly choices: readonly Choice[]; readonly isSearching: boolean } {
  const [wanted] = useDebouncedValue(text.trim(), 150);
  const mayList = useMayList();
  const search = useQuery({
    ...certificateSearchQuery(wanted, FOUND),
    enabled: wanted !== '' && mayList('certificates'),
  });
  const lower = text.trim().toLowerCase();
  const pages = menu
    .flatMap((group) => group.pages)
    .filter(({ resource }) => resource === undefined || mayList(resource))
    .filter(({ label }) => lower === '' || label.toLowerCase().includes(lower));
  const found = wanted === '' ? [] : (search.data?.certificates ?? []);
  return {
    choices: [...pages.map(({ to, label }) => ({ id: to, label, detail: 'Page', to })), ...found.map(choiceOf)],
    isSearching: search.isFetching,
  };
}

const choiceOf = (certificate: ListedCertificate): Choice => ({
  id: certificate.uuid,
  label: titleOf(certificate),
  detail: (
    <>
      <CertificateState certificate={certificate} />
      {certificate.notAfter && <span className={classes.until}>until {formatDate(certificate.notAfter)}</span>}
    </>
  ),
  to: paths.certificates.one(certificate.uuid),
});

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
