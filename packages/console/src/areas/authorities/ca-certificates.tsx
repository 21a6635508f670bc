// An authority's CA chain, starting with the authority's own certificate. The platform retrieves it through an RA
// profile.
import { Stack, Text } from '@mantine/core';
import type { RaProfileDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { shortKeyText } from '../../format/key-text.ts';
import { issuerOf, titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView, type QueryLike } from '../../kit/query-view.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import type { CertificateDetail } from '../certificates/shapes.ts';
import { CertificateState, displayStateOf } from '../certificates/state.tsx';
import classes from './ca-certificates.module.css';
import { caCertificatesQuery } from '../../queries/authorities.ts';

export interface CaCertificatesProps {
  readonly authorityUuid: string;
  /** RA profiles of this authority. */
  readonly raProfiles: QueryLike<readonly RaProfileDto[]>;
}

export function CaCertificates({ authorityUuid, raProfiles }: CaCertificatesProps) {
  return (
    <Panel title="CA certificates">
      <QueryView
        of={raProfiles}
        what="the CA certificates"
        empty={<Text c="dimmed">Available once the authority has an RA profile.</Text>}
      >
        {(profiles) => {
          const { uuid = '' } = profiles.find(({ enabled }) => enabled) ?? profiles[0] ?? {};
          return <Certificates authorityUuid={authorityUuid} raProfileUuid={uuid} />;
        }}
      </QueryView>
    </Panel>
  );
}

function Certificates(place: { readonly authorityUuid: string; readonly raProfileUuid: string }) {
  const chain = useQuery(caCertificatesQuery(place));
  return (
    <QueryView
      of={chain}
      what="the CA certificates"
      empty={<Text c="dimmed">The connector does not provide CA certificates.</Text>}
    >
      {(certificates) => (
        <Stack gap="xl">
          {certificates.map((certificate) => (
            <CaCertificate key={certificate.uuid} certificate={certificate} />
          ))}
        </Stack>
      )}
    </QueryView>
  );
}

function CaCertificate({ certificate }: { readonly certificate: CertificateDetail }) {
  const { uuid, publicKeyAlgorithm, keySize, subjectDn, issuerDn, notBefore, notAfter } = certificate;
  const isRoot = subjectDn === issuerDn;
  return (
    <div>
      <div className={classes.name}>
        <TextLink to={paths.certificates.one(uuid)}>{titleOf(certificate)}</TextLink>
        <CertificateState certificate={certificate} />
      </div>
      <Text size="sm" c="dimmed" mb="sm">
        {isRoot ? 'Self-signed root' : `Signed by ${issuerOf(certificate)}`} ·{' '}
        {shortKeyText(publicKeyAlgorithm, keySize)}
      </Text>
      {notBefore && notAfter && (
        <ValidityBar notBefore={notBefore} notAfter={notAfter} tone={displayStateOf(certificate).tone} />
      )}
    </div>
  );
}
