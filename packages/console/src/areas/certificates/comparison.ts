// Compares two certificates line by line.
import { visibleText } from '@signetry/pki/hidden-characters';
import { formatDateTime, formatPeriod } from '../../format/dates.ts';
import { keyText } from '../../format/key-text.ts';
import { colonPairs, titleOf } from '../../format/names.ts';
import type { ExtensionLine } from './compared-extensions.ts';
import type { CertificateDetail } from './shapes.ts';
import { displayStateOf } from './state.tsx';

export interface ComparedCertificate {
  readonly certificate: CertificateDetail;
  /** Decoded from the certificate itself; empty if the certificate was not issued. */
  readonly extensions: readonly ExtensionLine[];
}

export interface ComparedLine {
  readonly name: string;
  /** Empty if the certificate does not have this property. */
  readonly one: string;
  readonly other: string;
  readonly differs: boolean;
  readonly code: boolean;
}

/** Compares two certificates; omits lines that are empty for both. */
export function compare(one: ComparedCertificate, other: ComparedCertificate): readonly ComparedLine[] {
  const [ofOne, ofOther] = [linesOf(one), linesOf(other)];
  const names = [...new Set([...ofOne.keys(), ...ofOther.keys()])];
  return names
    .map((name) => {
      const [first, second] = [ofOne.get(name)?.value ?? '', ofOther.get(name)?.value ?? ''];
      const code = (ofOne.get(name) ?? ofOther.get(name))?.code ?? false;
      return { name, one: first, other: second, differs: first !== second, code };
    })
    .filter((line) => line.one !== '' || line.other !== '');
}

interface Line {
  readonly value: string;
  readonly code?: boolean | undefined;
}

function linesOf({ certificate, extensions }: ComparedCertificate): ReadonlyMap<string, Line> {
  const { notBefore, notAfter, serialNumber, fingerprint, issuerDn } = certificate;
  return new Map<string, Line>([
    ['Name', { value: titleOf(certificate) }],
    ['State', { value: displayStateOf(certificate).word }],
    ['Valid from', { value: formatInstant(notBefore) }],
    ['Expires', { value: formatInstant(notAfter) }],
    ['Validity period', { value: notBefore && notAfter ? formatPeriod(notBefore, notAfter) : '' }],
    ['Subject', { value: visibleText(certificate.subjectDn ?? '') }],
    ...Object.entries(certificate.subjectAlternativeNames ?? {}).map(([kind, names]): [string, Line] => [
      `Subject alternative names (${kind})`,
      { value: names.map(visibleText).toSorted().join('\n') },
    ]),
    ['Issuer', { value: visibleText(issuerDn ?? '') }],
    ['Serial number', hex(serialNumber)],
    ['Key', { value: keyText(certificate.publicKeyAlgorithm, certificate.keySize) }],
    ['Signature algorithm', { value: certificate.signatureAlgorithm ?? '' }],
    ['Key usage', { value: [...(certificate.keyUsage ?? [])].toSorted().join('\n') }],
    ['Extended key usage', { value: [...(certificate.extendedKeyUsage ?? [])].toSorted().join('\n') }],
    ...extensions.map(({ name, value, code }): [string, Line] => [name, { value, code }]),
    ['Fingerprint (SHA-256)', hex(fingerprint)],
    ['RA profile', { value: certificate.raProfile?.name ?? '' }],
    ['Owner', { value: certificate.owner ?? '' }],
    ['Groups', { value: (certificate.groups ?? []).map(({ name }) => name).join('\n') }],
  ]);
}

const formatInstant = (text: string | undefined): string => (text === undefined ? '' : formatDateTime(text));
const hex = (text: string | undefined): Line => ({ value: text === undefined ? '' : colonPairs(text), code: true });
