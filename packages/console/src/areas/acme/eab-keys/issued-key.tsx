// A new external account key. The MAC key is shown here only, so it has to be copied now.
import { Stack, Text } from '@mantine/core';
import { formatDateTime } from '../../../format/dates.ts';
import { Code } from '../../../ui/code.tsx';
import { certbotFlags, legoFlags } from '../clients/commands.ts';
import { command } from '../clients/setup.ts';
import type { IssuedEabKey } from '../shapes.ts';

export function IssuedKey({ issued }: { readonly issued: IssuedEabKey }) {
  const { keyId, macKey, expiresAt, reusable } = issued;
  return (
    <Stack>
      <Code place="Key ID" text={keyId} />
      <Code place="MAC key" text={macKey} wrap />
      <Code place="Flags for certbot and acme.sh" text={command(...certbotFlags(issued))} />
      <Code place="Flags for lego" text={command(...legoFlags(issued))} />
      <Text size="sm" c="dimmed">
        {reusable ? 'Any number of accounts can be registered with it' : 'One account can be registered with it'}
        {expiresAt === undefined ? '.' : `, until ${formatDateTime(expiresAt)}.`}
      </Text>
    </Stack>
  );
}
