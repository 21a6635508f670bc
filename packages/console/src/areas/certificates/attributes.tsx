// A certificate's attributes: those of its requests, and connector metadata.
import { Stack, Title } from '@mantine/core';
import type { ResponseAttributeDto } from '@signetry/contract';
import { AttributeFacts } from '../../ui/attributes/attribute-facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { CertificateDetail } from './shapes.ts';

interface AttributeSet {
  readonly key: string;
  readonly title: string;
  readonly values: readonly ResponseAttributeDto[];
}

export function Attributes({ certificate }: { readonly certificate: CertificateDetail }) {
  const sets = attributeSets(certificate).filter(({ values }) => values.length > 0);
  if (sets.length === 0) return null;
  return (
    <Panel title="Attributes">
      <Stack gap="md">
        {sets.map(({ key, title, values }) => (
          <div key={key}>
            <Title order={3} c="dimmed" mb={4}>
              {title}
            </Title>
            <AttributeFacts values={values} />
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

const attributeSets = ({
  issueAttributes = [],
  revokeAttributes = [],
  metadata = [],
}: CertificateDetail): readonly AttributeSet[] => [
  { key: 'issue', title: 'Issuance', values: issueAttributes },
  { key: 'revoke', title: 'Revocation', values: revokeAttributes },
  ...metadata.map(({ connectorUuid, connectorName, sourceObjectType, items }) => ({
    key: `metadata ${connectorUuid} ${sourceObjectType}`,
    title: `From ${connectorName ?? 'the platform'}`,
    values: items,
  })),
];
