// The platform's words inside a form or a dialog, where it was asked for something.
import { Text } from '@mantine/core';
import { wordsOf } from './outcomes.tsx';

export function Refusal({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const { title, text } = wordsOf(error);
  return (
    <Text c="var(--bad)" size="sm" role="alert">
      {title}: {text}
    </Text>
  );
}
