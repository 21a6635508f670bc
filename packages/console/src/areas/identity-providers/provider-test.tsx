// Checks whether the provider responds as configured. No user is signed in.
import { Modal, Stack, Text } from '@mantine/core';
import type { ProviderCheck } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { Callout } from '../../ui/callout.tsx';

/** Display names of the checks. */
const CHECKS: Readonly<Record<string, string>> = {
  discovery: 'Discovery document',
  issuer: 'Issuer',
  keys: 'Keys',
  authorizationUrl: 'Authorization URL',
  tokenUrl: 'Token URL',
  userInfoUrl: 'UserInfo URL',
  logoutUrl: 'Logout URL',
  signIn: 'Browser sign-in',
};

function outcomeOf(found: readonly ProviderCheck[]): string {
  const failed = found.filter(({ passed }) => !passed).length;
  if (failed === 0) return `All ${found.length} checks passed.`;
  return `${failed} of ${found.length} checks failed.`;
}

export interface ProviderTestProps {
  readonly name: string;
  readonly onClose: () => void;
}

export function ProviderTest({ name, onClose }: ProviderTestProps) {
  const checks = useQuery({
    queryKey: ['settings', 'authentication', name, 'test'],
    queryFn: ({ signal }) => api.identityProviders.testProvider({ params: { providerName: name } }, { signal }),
    gcTime: 0,
    retry: false,
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={650}>{`Test of ${name}`}</Text>}>
      <QueryView of={checks} what="the test results">
        {(found) => (
          <Stack gap="sm">
            <Text role="status">{outcomeOf(found)}</Text>
            {found.map(({ check, passed, message }) => (
              <Callout
                key={check}
                tone={passed ? 'good' : 'bad'}
                title={`${CHECKS[check] ?? check}: ${passed ? 'passed' : 'failed'}`}
              >
                {message}
              </Callout>
            ))}
          </Stack>
        )}
      </QueryView>
    </Modal>
  );
}
