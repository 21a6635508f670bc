// What a connector offers: function groups with their kinds and endpoints.
import { Badge, Group, Stack, Table, Text, Title } from '@mantine/core';
import classes from './offers.module.css';
import { functionGroupWords } from './words.ts';
import type { FunctionGroup } from './shapes.ts';

export function Offers({ functionGroups }: { readonly functionGroups: readonly FunctionGroup[] }) {
  return (
    <Stack gap="xl">
      {functionGroups.map(({ functionGroupCode: code, kinds, endPoints }) => (
        <section key={code}>
          <Title order={3}>{functionGroupWords[code].title}</Title>
          <Text c="dimmed" mt={2} mb="xs">
            {functionGroupWords[code].text}
          </Text>
          <Group gap="xs" role="list" aria-label="Kinds">
            {kinds.map((kind) => (
              <Badge key={kind} role="listitem" variant="default" radius="sm" tt="none" fw={600}>
                {kind}
              </Badge>
            ))}
          </Group>
          {endPoints.length > 0 && (
            <details className={classes.details}>
              <summary>{endPoints.length === 1 ? '1 endpoint' : `${endPoints.length} endpoints`}</summary>
              <div className={classes.scroll}>
                <Table className={classes.endpoints} aria-label={`Endpoints for ${functionGroupWords[code].title}`}>
                  <Table.Tbody>
                    {endPoints.map(({ name, method, context }) => (
                      <Table.Tr key={`${method} ${context}`}>
                        <Table.Td>{name}</Table.Td>
                        <Table.Td>{method}</Table.Td>
                        <Table.Td>{context}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </div>
            </details>
          )}
        </section>
      ))}
    </Stack>
  );
}
