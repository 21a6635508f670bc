// Search within the content of the page: filters on every keystroke, and Enter does not submit the enclosing form.
import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

export interface LiveSearchProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly size?: TextInputProps['size'];
}

export function LiveSearch({ label, placeholder = label, text, onSearch, size = 'sm' }: LiveSearchProps) {
  return (
    <TextInput
      type="search"
      size={size}
      flex="1 1 14rem"
      maw="26rem"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      value={text}
      onChange={(event) => onSearch(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}
