// Result of an endpoint check: each address, with the certificate chain that it served.
import { List, Stack, Text, Title } from '@mantine/core';
import type { ServedAtAddress, ServedCertificate, ServedNow } from '@signetry/contract';
import { formatDate } from '../../format/dates.ts';
import { colonPairs } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { breakAtColons } from '../../ui/facts.tsx';
import { State } from '../../ui/state.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './served.module.css';

export function ServedResult({ now: { asExpected, addresses, problems } }: { readonly now: ServedNow }) {
  return (
    <Stack gap="md">
      {asExpected ? (
        <Callout tone="good" title="The endpoint serves the installed certificate" />
      ) : (
        <Callout
          tone="bad"
          title={
            addresses.length > 0
              ? 'The endpoint does not serve the installed certificate'
              : 'The endpoint does not serve any certificate'
          }
        >
          {addresses.length > 0 &&
            'Usually, the server has not reloaded its files since the certificate was installed.'}
        </Callout>
      )}
      {problems.length > 0 && (
        <List size="sm">
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      )}
      {addresses.map((address) => (
        <ServedEndpoint key={address.address} served={address} />
      ))}
    </Stack>
  );
}

function ServedEndpoint({ served: { address, protocol, chain, asExpected } }: { readonly served: ServedAtAddress }) {
  return (
    <section className={classes.address}>
      <div className={classes.head}>
        <Title order={3}>
          {address}, {protocol.replace(/^TLSv/, 'TLS ')}
        </Title>
        {asExpected ? (
          <State tone="good">Installed certificate</State>
        ) : (
          <State tone="bad">Different certificate</State>
        )}
      </div>
      <ol className={classes.chain} aria-label={`Chain at ${address}`}>
        {chain.map((certificate) => (
          <ChainEntry key={certificate.fingerprint} certificate={certificate} />
        ))}
      </ol>
    </section>
  );
}

function ChainEntry({ certificate }: { readonly certificate: ServedCertificate }) {
  const { subject, fingerprint, notAfter, certificateUuid } = certificate;
  return (
    <li>
      <Text size="sm" className={classes.subject}>
        {certificateUuid === undefined ? (
          subject
        ) : (
          <TextLink to={paths.certificates.one(certificateUuid)}>{subject}</TextLink>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        valid until {formatDate(notAfter)}
        {certificateUuid === undefined && ', not in the inventory'}
      </Text>
      <Text size="xs" c="dimmed" className={classes.fingerprint}>
        {breakAtColons(colonPairs(fingerprint))}
      </Text>
    </li>
  );
}
