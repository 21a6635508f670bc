// Shows the names of object identifiers below a text that contains them.
import { Text } from '@mantine/core';
import { visibleText } from '@signetry/pki/hidden-characters';
import { useOidNames } from '../../queries/oids.ts';
import type { IdentifierNamesProps } from '../../ui/attributes/identifiers-in-text.tsx';

export function OidNameHints({ identifiers }: IdentifierNamesProps) {
  const { names } = useOidNames();
  const known = identifiers.flatMap((oid) => {
    const name = names.get(oid);
    return name === undefined ? [] : [`${oid} is ${visibleText(name)}`];
  });
  return (
    <Text component="div" size="xs" c="dimmed" mt={known.length === 0 ? 0 : 4} role="status">
      {known.map((words) => (
        <div key={words}>{words}</div>
      ))}
    </Text>
  );
}
