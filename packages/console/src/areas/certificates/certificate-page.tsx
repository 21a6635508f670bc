// One certificate: how long it lives and what to do next at the top, then what it says, where it comes from, what happened to it.
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMayList } from '../../api/session.ts';
import { formatDateTime } from '../../format/dates.ts';
import { colonPairs, nameParts, titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { Facts, type Fact } from '../../ui/facts.tsx';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import { Attributes } from './attributes.tsx';
import { CertificateActions } from './certificate-actions.tsx';
import classes from './certificate-page.module.css';
import { Chain } from './chain.tsx';
import { Extensions } from './extensions.tsx';
import { History } from './history.tsx';
import { certificateQuery } from './queries.ts';
import { CertificateState, verdictOf } from './state.tsx';
import { WhyNot } from './why-not.tsx';
import type { CertificateDetail } from './shapes.ts';

const route = getRouteApi('/certificates/$uuid');

export function CertificatePage() {
  const { uuid } = route.useParams();
  const { data: certificate, error, refetch } = useQuery(certificateQuery(uuid));
  if (!certificate)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the certificate" />;
  return (
    <Page
      title={titleOf(certificate)}
      mark={<CertificateState certificate={certificate} />}
      description={certificate.issuerCommonName && `Issued by ${certificate.issuerCommonName}`}
      parent={{ to: paths.certificates, label: 'Inventory' }}
      actions={<CertificateActions certificate={certificate} />}
    >
      <div className={classes.columns}>
        <Stack gap="lg">
          <Panel>
            {certificate.notBefore && certificate.notAfter && certificate.state !== 'failed' ? (
              <ValidityBar
                notBefore={certificate.notBefore}
                notAfter={certificate.notAfter}
                tone={verdictOf(certificate).tone}
                ended={certificate.state === 'revoked' ? 'Revoked' : undefined}
              />
            ) : (
              <WhyNot certificate={certificate} />
            )}
          </Panel>
          <Panel title="What it says">
            <Facts facts={contentFacts(certificate)} />
          </Panel>
          {certificate.certificateContent && <Extensions content={certificate.certificateContent} />}
          <Attributes certificate={certificate} />
          <Place certificate={certificate} />
        </Stack>
        <Stack gap="lg">
          {certificate.certificateContent && <Chain uuid={uuid} />}
          <History uuid={uuid} />
        </Stack>
      </div>
    </Page>
  );
}

const nameText = (name: string | undefined): string =>
  nameParts(name ?? '')
    .map(({ type, value }) => `${type}  ${value}`)
    .join('\n');

const contentFacts = (certificate: CertificateDetail): readonly (Fact | undefined)[] => [
  { name: 'Subject', value: nameText(certificate.subjectDn), copy: certificate.subjectDn },
  ...Object.entries(certificate.subjectAlternativeNames ?? {}).flatMap(([kind, names]): Fact[] =>
    names.length === 0
      ? []
      : [{ name: alternativeNames[kind] ?? kind, value: names.join('\n'), copy: names.join('\n') }],
  ),
  { name: 'Issuer', value: nameText(certificate.issuerDn) },
  certificate.serialNumber === undefined
    ? undefined
    : {
        name: 'Serial number',
        value: colonPairs(certificate.serialNumber),
        code: true,
        copy: certificate.serialNumber,
      },
  { name: 'Key', value: `${certificate.publicKeyAlgorithm}, ${certificate.keySize} bits` },
  { name: 'Signature', value: certificate.signatureAlgorithm },
  { name: 'Key usage', value: certificate.keyUsage?.join(', ') },
  { name: 'Purposes', value: certificate.extendedKeyUsage?.join(', ') },
  certificate.fingerprint === undefined
    ? undefined
    : {
        name: 'Fingerprint (SHA-256)',
        value: colonPairs(certificate.fingerprint),
        code: true,
        copy: certificate.fingerprint,
      },
];

const alternativeNames: Readonly<Record<string, string>> = {
  dNSName: 'DNS names',
  iPAddress: 'IP addresses',
  rfc822Name: 'E-mail addresses',
  uniformResourceIdentifier: 'URIs',
  directoryName: 'Directory names',
  otherName: 'Other names',
  registeredID: 'Registered identifiers',
};

const protocols: Readonly<Record<string, string>> = { acme: 'ACME', scep: 'SCEP', cmp: 'CMP' };

function Place({ certificate }: { readonly certificate: CertificateDetail }) {
  const maySeeProfiles = useMayList()('raProfiles');
  return (
    <Panel title="Where it belongs">
      <Facts facts={placeFacts(certificate, maySeeProfiles)} />
    </Panel>
  );
}

const placeFacts = (certificate: CertificateDetail, maySeeProfiles: boolean): readonly (Fact | undefined)[] => [
  {
    name: 'RA profile',
    value:
      certificate.raProfile && maySeeProfiles ? (
        <TextLink to={paths.raProfile(certificate.raProfile.uuid)}>{certificate.raProfile.name}</TextLink>
      ) : (
        certificate.raProfile?.name
      ),
  },
  { name: 'Owner', value: certificate.owner ?? 'nobody' },
  { name: 'Groups', value: certificate.groups?.map(({ name }) => name).join(', ') },
  { name: 'Came by', value: certificate.protocolInfo ? protocols[certificate.protocolInfo.protocol] : undefined },
  {
    name: 'Valid',
    value:
      certificate.notBefore && certificate.notAfter
        ? `${formatDateTime(certificate.notBefore)} – ${formatDateTime(certificate.notAfter)}`
        : undefined,
  },
  { name: 'Identifier', value: certificate.uuid, code: true, copy: certificate.uuid },
];
