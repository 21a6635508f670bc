// Certificate details: names, keys, usages and fingerprints.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { ParsedCertificateDto, ParsedKeyDto } from '@signetry/contract';
import { visibleText } from '@signetry/pki/hidden-characters';
import { keyText } from '../../format/key-text.ts';
import { colonPairs, shownName } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { parsedQuery } from '../../queries/certificates.ts';
import { useOidNames, type OidNames } from '../../queries/oids.ts';
import { Facts, type Fact } from '../../ui/facts.tsx';
import { FoldedNames } from '../../ui/folded-names.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './contents.module.css';
import type { ReadName, ReadNames } from './read-names.ts';
import type { CertificateDetail } from './shapes.ts';

export function Contents({ certificate }: { readonly certificate: CertificateDetail }) {
  const { codes } = useOidNames();
  const { data } = useQuery(namesQuery(certificate, codes));
  const { uuid, certificateContent } = certificate;
  const parsed = useQuery({ ...parsedQuery(uuid), enabled: certificateContent !== undefined });
  return (
    <Panel title="Details">
      <Facts
        facts={[
          ...contentFacts(certificate, { names: data ?? undefined, key: parsed.data?.publicKey }),
          ...parsedFacts(parsed.data),
        ]}
      />
    </Panel>
  );
}

/** Returns null if the names cannot be decoded. The platform's text is then shown instead. */
const namesQuery = ({ certificateContent, certificateRequest }: CertificateDetail, codes: OidNames['codes']) =>
  queryOptions({
    queryKey: ['certificate-names', certificateContent ?? certificateRequest?.content, [...codes.byOid]],
    queryFn: async (): Promise<ReadNames | null> => {
      const { readNames, readRequestedNames } = await import('./read-names.ts');
      if (certificateContent !== undefined) return readNames(certificateContent, codes);
      return certificateRequest ? readRequestedNames(certificateRequest.content, codes) : null;
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    retry: false,
  });

interface DecodedContents {
  readonly names: ReadNames | undefined;
  readonly key: ParsedKeyDto | undefined;
}

const contentFacts = (
  certificate: CertificateDetail,
  { names, key }: DecodedContents,
): readonly (Fact | undefined)[] => [
  nameFact('Subject', { read: names?.subject, text: certificate.subjectDn }),
  ...alternativeNameFacts(certificate),
  nameFact('Issuer', { read: names?.issuer, text: certificate.issuerDn }),
  numberFact('Serial number', certificate.serialNumber),
  { name: 'Key', value: keyOf(certificate, key) },
  privateKeyFact(certificate),
  { name: 'Alternative key', value: alternativeKeyOf(certificate) },
  { name: 'Signature algorithm', value: certificate.signatureAlgorithm },
  { name: 'Alternative signature algorithm', value: certificate.altSignatureAlgorithm },
  { name: 'Key usage', value: certificate.keyUsage?.join(', ') },
  { name: 'Extended key usage', value: certificate.extendedKeyUsage?.join(', ') },
  numberFact('Fingerprint (SHA-256)', certificate.fingerprint),
];

/** Adds the curve or parameter set once it has been decoded. */
const keyOf = ({ publicKeyAlgorithm, keySize }: CertificateDetail, key: ParsedKeyDto | undefined): string =>
  keyText([key?.algorithm ?? publicKeyAlgorithm, key?.curve].filter(Boolean).join(' '), keySize);

/** Returns a description of the private key if a key in a token matches the certificate's public key. */
function privateKeyFact({ key, privateKeyAvailability }: CertificateDetail): Fact | undefined {
  if (!key) return privateKeyAvailability ? { name: 'Private key', value: 'Available in a token' } : undefined;
  const where = privateKeyAvailability ? 'Available' : 'No longer available';
  const link = (
    <TextLink to={paths.keys.one(key.uuid)} inSentence>
      {key.name}
    </TextLink>
  );
  return {
    name: 'Private key',
    value: (
      <>
        {where}, key {link}
      </>
    ),
  };
}

/** Returns the alternative key of a hybrid certificate. */
const alternativeKeyOf = ({ altPublicKeyAlgorithm, altKeySize }: CertificateDetail): string | undefined =>
  altPublicKeyAlgorithm === undefined ? undefined : keyText(altPublicKeyAlgorithm, altKeySize);

/**
 * Facts that can be determined only by decoding the certificate. They come last so that the layout does not shift when
 * they load.
 */
const parsedFacts = (parsed: ParsedCertificateDto | undefined): readonly (Fact | undefined)[] =>
  parsed === undefined
    ? []
    : [
        numberFact('Fingerprint (SHA-1)', parsed.fingerprints.sha1),
        numberFact('Public key fingerprint (SHA-256)', parsed.publicKey.fingerprint),
        { name: 'Version', value: String(parsed.version) },
      ];

const numberFact = (name: string, hex: string | undefined): Fact | undefined =>
  hex === undefined ? undefined : { name, value: colonPairs(hex), code: true, copy: hex };

function nameFact(
  name: string,
  { read, text }: { readonly read: ReadName | undefined; readonly text: string | undefined },
): Fact | undefined {
  // The text is shown as is, because the boundaries between its attributes are ambiguous.
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

/** Longer lists are collapsed, so that the facts below them stay visible. */
const UNFOLDED = 10;

const alternativeNames: Readonly<Record<string, string>> = {
  dNSName: 'DNS names',
  iPAddress: 'IP addresses',
  rfc822Name: 'Email addresses',
  uniformResourceIdentifier: 'URIs',
  directoryName: 'Directory names',
  otherName: 'Other names',
  registeredID: 'Registered IDs',
};
