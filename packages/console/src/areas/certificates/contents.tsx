// What a certificate says: its names, its key, its usages and its numbers.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { visibleText } from '@signetry/pki/hidden-characters';
import { colonPairs, shownName } from '../../format/names.ts';
import { Facts, type Fact } from '../../ui/facts.tsx';
import { FoldedNames } from '../../ui/folded-names.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './contents.module.css';
import type { ReadName, ReadNames } from './read-names.ts';
import type { CertificateDetail } from './shapes.ts';

export function Contents({ certificate }: { readonly certificate: CertificateDetail }) {
  const { data } = useQuery(namesQuery(certificate));
  return (
    <Panel title="Contents">
      <Facts facts={contentFacts(certificate, data ?? undefined)} />
    </Panel>
  );
}

/** Null where the encoding cannot be read; the text of the platform is shown then. */
const namesQuery = ({ certificateContent, certificateRequest }: CertificateDetail) =>
  queryOptions({
    queryKey: ['certificate-names', certificateContent ?? certificateRequest?.content],
    queryFn: async (): Promise<ReadNames | null> => {
      const { readNames, readRequestedNames } = await import('./read-names.ts');
      if (certificateContent !== undefined) return readNames(certificateContent);
      return certificateRequest ? readRequestedNames(certificateRequest.content) : null;
    },
    staleTime: Infinity,
    retry: false,
  });

const contentFacts = (certificate: CertificateDetail, names: ReadNames | undefined): readonly (Fact | undefined)[] => [
  nameFact('Subject', { read: names?.subject, text: certificate.subjectDn }),
  ...alternativeNameFacts(certificate),
  nameFact('Issuer', { read: names?.issuer, text: certificate.issuerDn }),
  numberFact('Serial number', certificate.serialNumber),
  { name: 'Key', value: `${certificate.publicKeyAlgorithm}, ${certificate.keySize} bits` },
  { name: 'Signature', value: certificate.signatureAlgorithm },
  { name: 'Key usage', value: certificate.keyUsage?.join(', ') },
  { name: 'Extended key usage', value: certificate.extendedKeyUsage?.join(', ') },
  numberFact('Fingerprint (SHA-256)', certificate.fingerprint),
];

const numberFact = (name: string, hex: string | undefined): Fact | undefined =>
  hex === undefined ? undefined : { name, value: colonPairs(hex), code: true, copy: hex };

function nameFact(
  name: string,
  { read, text }: { readonly read: ReadName | undefined; readonly text: string | undefined },
): Fact | undefined {
  // The text is shown as it is: it cannot be told where an attribute of it ends.
  if (read === undefined) return text === undefined ? undefined : { name, value: visibleText(text) };
  if (read.parts.length === 0) return { name, value: 'empty' };
  return { name, value: <NameParts name={read} />, copy: read.text };
}

function NameParts({ name }: { readonly name: ReadName }) {
  return (
    <span className={classes.parts} role="list">
      {name.parts.map(({ type, value, isJoined }, place) => (
        // oxlint-disable-next-line no-array-index-key -- a name may have the same attribute twice, and does not change
        <span key={place} className={classes.part} role="listitem">
          <span className={classes.type}>{isJoined ? `+ ${type}` : type}</span>
          <bdi>{visibleText(value)}</bdi>
        </span>
      ))}
    </span>
  );
}

const alternativeNameFacts = (certificate: CertificateDetail): readonly Fact[] =>
  Object.entries(certificate.subjectAlternativeNames ?? certificate.certificateRequest?.subjectAlternativeNames ?? {})
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => ({
      name: alternativeNames[kind] ?? kind,
      value: names.length > UNFOLDED ? <FoldedNames names={names.map(shownName)} /> : names.map(shownName).join('\n'),
      copy: names.join('\n'),
    }));

/** More names are folded: a page of names hides what follows them. */
const UNFOLDED = 10;

const alternativeNames: Readonly<Record<string, string>> = {
  dNSName: 'DNS names',
  iPAddress: 'IP addresses',
  rfc822Name: 'E-mail addresses',
  uniformResourceIdentifier: 'URIs',
  directoryName: 'Directory names',
  otherName: 'Other names',
  registeredID: 'Registered identifiers',
};
