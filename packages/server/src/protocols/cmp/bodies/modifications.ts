// Differences between a certificate and its request: the client receives `grantedWithMods`, and `statusString` names
// each change (RFC 9810 §5.2.3). Values that the client left to the CA are not changes. Pure.
import {
  equalBytes,
  equalNames,
  findExtension,
  formatGeneralName,
  formatName,
  isPkiError,
  OID,
  parseCertificate,
  parseCrmfRequest,
  parseCertificationRequest,
  readAltNames,
  readBasicConstraints,
  readExtKeyUsage,
  readKeyUsage,
  type Certificate,
  type CertTemplateValidity,
  type Extension,
  type RequestedCertificate,
} from '@signetry/pki';
import type { RequestFacts } from '../../../areas/certificates/index.ts';

type StoredRequest = Pick<RequestFacts, 'der' | 'format'>;

/** Maximum number of changes that are named individually. */
const MAX_CHANGES = 20;

/** Names by OID; all other OIDs are shown as numbers. */
const names = new Map<string, string>(Object.entries(OID).map(([name, oid]) => [oid, name]));
const nameOf = (oid: string): string => names.get(oid) ?? oid;

interface Requested extends Pick<RequestedCertificate, 'subject' | 'extensions'> {
  readonly validity: CertTemplateValidity | undefined;
}

/** Returns a sentence for each change, or an empty list if the certificate is as requested. */
export function modificationsOf(request: StoredRequest, certificateDer: Uint8Array): readonly string[] {
  const requested = read(request);
  const certificate = parseCertificate(certificateDer);
  const changes = [
    ...subjectChange(requested, certificate),
    ...validityChanges(requested, certificate),
    ...requested.extensions.flatMap((extension) => extensionChanges(extension, certificate.extensions)),
  ];
  if (changes.length <= MAX_CHANGES) return changes;
  return [...changes.slice(0, MAX_CHANGES), `${changes.length - MAX_CHANGES} more changes.`];
}

function read({ der, format }: StoredRequest): Requested {
  if (format !== 'crmf') return { ...pick(parseCertificationRequest(der)), validity: undefined };
  const request = parseCrmfRequest(der);
  return { ...pick(request), validity: request.message.request.template.validity };
}

const pick = ({ subject, extensions }: RequestedCertificate) => ({ subject, extensions });

function subjectChange({ subject }: Requested, certificate: Certificate): string[] {
  if (subject.rdns.length === 0 || equalNames(subject, certificate.subject)) return [];
  return [`The subject is "${formatName(certificate.subject)}" instead of "${formatName(subject)}".`];
}

function validityChanges({ validity }: Requested, { notBeforeMs, notAfterMs }: Certificate): string[] {
  const change = (what: string, requestedMs: number | undefined, issuedMs: number): string[] =>
    requestedMs === undefined || inSeconds(requestedMs) === inSeconds(issuedMs)
      ? []
      : [`The validity ${what} ${timeText(issuedMs)} instead of ${timeText(requestedMs)}.`];
  return [
    ...change('begins at', validity?.notBeforeMs, notBeforeMs),
    ...change('ends at', validity?.notAfterMs, notAfterMs),
  ];
}

const inSeconds = (ms: number): number => Math.floor(ms / 1_000);

/** Dates that JavaScript cannot represent are possible in requests. */
const timeText = (ms: number): string => {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'an unknown time' : date.toISOString().replace('.000Z', 'Z');
};

/** Extensions whose values the CA derives from keys, so that requested values are only hints. */
const DERIVED: readonly string[] = [OID.subjectKeyIdentifier, OID.authorityKeyIdentifier];

function extensionChanges(requested: Extension, issued: readonly Extension[]): string[] {
  if (DERIVED.includes(requested.oid)) return [];
  const found = findExtension(issued, requested.oid);
  const compare = COMPARISONS[requested.oid];
  try {
    if (compare) return compare(requested.value, found?.value);
  } catch (error) {
    // The value in the request is malformed, and the authority replaced it.
    if (!isPkiError(error)) throw error;
  }
  if (!found) return [`The extension ${nameOf(requested.oid)} was dropped.`];
  return equalBytes(found.value, requested.value) ? [] : [`The extension ${nameOf(requested.oid)} was changed.`];
}

type Compare = (requested: Uint8Array, issued: Uint8Array | undefined) => string[];

const ofList =
  (what: string, valuesOf: (value: Uint8Array) => readonly string[]): Compare =>
  (requested, issued) => {
    const [asked, granted] = [valuesOf(requested), issued ? valuesOf(issued) : []];
    const dropped = asked.filter((each) => !granted.includes(each));
    const added = granted.filter((each) => !asked.includes(each));
    return [
      ...(dropped.length === 0 ? [] : [`The ${what} ${list(dropped)} was dropped.`]),
      ...(added.length === 0 ? [] : [`The ${what} ${list(added)} was added.`]),
    ];
  };

const list = (values: readonly string[]): string =>
  values.length <= 5 ? values.join(', ') : `${values.slice(0, 5).join(', ')} and ${values.length - 5} more`;

function constraintChanges(requested: Uint8Array, issued: Uint8Array | undefined): string[] {
  const asked = readBasicConstraints(requested);
  const granted = issued ? readBasicConstraints(issued) : { ca: false, pathLength: undefined };
  if (asked.ca !== granted.ca)
    return [asked.ca ? 'The CA flag was dropped.' : 'The certificate is a CA certificate, which was not requested.'];
  if (!asked.ca || asked.pathLength === granted.pathLength) return [];
  return [`The path length is ${granted.pathLength ?? 'unlimited'} instead of ${asked.pathLength ?? 'unlimited'}.`];
}

const COMPARISONS: Readonly<Record<string, Compare>> = {
  [OID.keyUsage]: ofList('key usage', readKeyUsage),
  [OID.extKeyUsage]: ofList('extended key usage', (value) => readExtKeyUsage(value).map(nameOf)),
  [OID.subjectAltName]: ofList('subject alternative name', (value) => readAltNames(value).map(formatGeneralName)),
  [OID.basicConstraints]: constraintChanges,
};
