// Metadata of an object, as returned by connectors.
import { Stack, Title } from '@mantine/core';
import type { MetadataResponseDto } from '@signetry/contract';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';

/** Returns whether there is any metadata. */
export const hasMetadata = (metadata: readonly MetadataResponseDto[] = []): boolean =>
  metadata.some(({ items }) => items.length > 0);

export function Metadata({ metadata }: { readonly metadata: readonly MetadataResponseDto[] | undefined }) {
  return (
    <Stack gap="md">
      {(metadata ?? []).map(({ connectorUuid = '', connectorName = 'the platform', sourceObjectType, items }) => (
        <div key={`${connectorUuid} ${sourceObjectType ?? ''}`}>
          <Title order={3} c="dimmed" mb={4}>
            From {connectorName}
          </Title>
          <AttributeFacts values={items} />
        </div>
      ))}
    </Stack>
  );
}
