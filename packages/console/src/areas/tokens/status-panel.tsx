// Current status of a token and its components, as reported by its provider.
import { Group, Stack, Text } from '@mantine/core';
import type { TokenInstanceDetailDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TokenState } from './state.tsx';

export function StatusPanel({ token }: { readonly token: TokenInstanceDetailDto }) {
  const { uuid, name, connectorUuid, status } = token;
  const components = Object.entries(status.components ?? {});
  return (
    <Panel
      title="Status"
      actions={
        connectorUuid !== undefined && (
          <ActionButton
            size="compact-sm"
            action={{
              label: 'Reload',
              name: 'Reload the status',
              needs: ['tokens', 'detail', uuid],
              run: () => api.tokens.reloadTokenInstanceStatus({ params: { uuid } }),
              done: `The status of ${name} was reloaded.`,
              refresh: ['tokens'],
            }}
          />
        )
      }
    >
      <Stack gap="md">
        <Text>{meanings[status.status]}</Text>
        {components.length > 0 && (
          <Facts
            facts={components.map(([part, component]) => ({
              name: part === 'pin' ? 'PIN' : describeName(part),
              value: (
                <>
                  <Group gap="xs" component="span">
                    <TokenState of={component.status} />
                  </Group>
                  {detailsOf(component.details).map((line) => (
                    <Text span key={line} size="xs" c="dimmed" display="block">
                      {line}
                    </Text>
                  ))}
                </>
              ),
            }))}
          />
        )}
      </Stack>
    </Panel>
  );
}

const meanings: Readonly<Record<TokenInstanceDetailDto['status']['status'], string>> = {
  Activated: 'The keys can be used.',
  Connected: 'The provider can reach the token. No activation is required.',
  Deactivated: 'Keys cannot be used or created until the token is activated.',
  Warning: 'The token can be used, but something needs attention.',
  Disconnected: 'The provider cannot reach the token, so its keys cannot be used.',
  Unknown:
    'The provider did not report a status. Check that its connector is running and that the platform can reach it.',
};

/** Returns lines such as `Wrong codes: 2`. The provider defines the names. */
const detailsOf = (details: Readonly<Record<string, unknown>> = {}): readonly string[] =>
  Object.entries(details).map(([name, value]) => `${describeName(name)}: ${describeValue(value)}`);

function describeValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const describeName = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/^[a-z]/, (first) => first.toUpperCase());
