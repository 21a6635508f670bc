// Search field of a list. The search is debounced.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

export interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
}

export function SearchField({ label, placeholder, text, onSearch }: SearchFieldProps) {
  const [value, setValue] = useState(text);
  const [sent, setSent] = useState(text);
  const [shown, setShown] = useState(text);
  // A button or the back button changed the search. A search sent by this field must not overwrite later input.
  if (text !== shown) {
    setShown(text);
    if (text !== sent) setValue(text);
    setSent(text);
  }
  const search = useDebouncedCallback((next: string) => {
    setSent(next);
    onSearch(next);
  }, 200);
  return (
    <TextInput
      type="search"
      flex="1 1 14rem"
      maw="26rem"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      value={value}
      onChange={(event) => {
        setValue(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
