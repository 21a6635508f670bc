// The certificates of an authority, its own first, then those above it. The platform learns them through an RA profile.
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import type { CertificateDetail } from '../certificates/shapes.ts';
import { CertificateState, verdictOf } from '../certificates/state.tsx';
import classes from './ca-certificates.module.css';
import { caCertificatesQuery } from './queries.ts';

export interface CaCertificatesProps {
  readonly authorityUuid: string;
  /** One of its RA profiles; absent where there is none. */
  readonly raProfileUuid: string | undefined;
  /** Its RA profiles are not known yet. */
  readonly isLoading: boolean;
}

export function CaCertificates({ authorityUuid, raProfileUuid, isLoading }: CaCertificatesProps) {
  return (
    <Panel title="Certificates of the authority">
      {isLoading ? (
        <Loading what="the certificates" />
      ) : raProfileUuid === undefined ? (
        <Text c="dimmed">They are shown once the authority has an RA profile.</Text>
      ) : (
        <Certificates authorityUuid={authorityUuid} raProfileUuid={raProfileUuid} />
      )}
    </Panel>
  );
}

function Certificates(place: { readonly authorityUuid: string; readonly raProfileUuid: string }) {
  const { data, error, refetch } = useQuery(caCertificatesQuery(place));
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Loading what="the certificates" />;
  if (data.length === 0) return <Text c="dimmed">The connector does not tell them.</Text>;
  return (
    <Stack gap="xl">
      {data.map((certificate) => (
        <CaCertificate key={certificate.uuid} certificate={certificate} />
      ))}
    </Stack>
  );
}

function CaCertificate({ certificate }: { readonly certificate: CertificateDetail }) {
  const { uuid, publicKeyAlgorithm, keySize, subjectDn, issuerDn, notBefore, notAfter } = certificate;
  const isRoot = subjectDn === issuerDn;
  return (
    <div>
      <div className={classes.name}>
        <TextLink to={paths.certificate(uuid)}>{titleOf(certificate)}</TextLink>
        <CertificateState certificate={certificate} />
      </div>
      <Text size="sm" c="dimmed" mb="sm">
        {isRoot ? 'Root, signed by itself' : `Signed by ${certificate.issuerCommonName ?? issuerDn}`} ·{' '}
        {publicKeyAlgorithm} {keySize}
      </Text>
      {notBefore && notAfter && (
        <ValidityBar notBefore={notBefore} notAfter={notAfter} tone={verdictOf(certificate).tone} />
      )}
    </div>
  );
}
