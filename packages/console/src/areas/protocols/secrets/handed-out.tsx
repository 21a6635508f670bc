// A new one-time secret. It is shown here only, so it has to be copied now.
import { Stack, Text } from '@mantine/core';
import { namesOfEnrolmentSecret, type HandedOutSecret } from '@signetry/contract';
import { formatDateTime } from '../../../format/dates.ts';
import { Code } from '../../../ui/code.tsx';

export function HandedOut({ handedOut }: { readonly handedOut: HandedOutSecret }) {
  const { protocol, reference, secret, expiresAt } = handedOut;
  const names = namesOfEnrolmentSecret(handedOut);
  return (
    <Stack>
      {protocol === 'cmp' && (
        <>
          <Code place="Reference" text={reference} />
          <Code place="Secret" text={secret} />
          <Code place="Flags for openssl cmp" text={`-ref ${reference} -secret pass:${secret}`} />
        </>
      )}
      {protocol === 'scep' && <Code place="Challenge password" text={secret} />}
      {protocol === 'est' && (
        <>
          <Code place="User name" text={reference} />
          <Code place="Password" text={secret} />
          <Code place="Flag for curl" text={`-u ${reference}:${secret}`} />
        </>
      )}
      <Text size="sm" c="dimmed">
        One certificate can be requested with it{names === undefined ? '' : ` for ${names}`}, until{' '}
        {formatDateTime(expiresAt)}.
      </Text>
    </Stack>
  );
}
