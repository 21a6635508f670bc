// The search field of a list. The search follows a moment after typing.
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
  // Cleared by a button or changed by "back"; a search that this field sent must not overwrite what was typed since.
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
