// CSR rules (PKCS #10): their input and the fields they check.
import { formatGeneralName, type GeneralName } from '../x509/general-names.ts';
import { formatName, type NameAttribute } from '../names.ts';
import { OID } from '../oids.ts';
import { readBasicConstraints, readExtKeyUsage, readKeyUsage, type KeyUsage } from '../x509/extensions.ts';
import { requestedAltNames, type CertificationRequest } from '../csr.ts';
import { signatureAlgorithmName } from '../algorithms.ts';
import type { ObjectKind, Rule, RuleSet, RuleTable } from './rule.ts';

/** A CSR being linted. */
export class RequestSubject {
  readonly request: CertificationRequest;

  constructor(request: CertificationRequest) {
    this.request = request;
  }

  get attributes(): readonly NameAttribute[] {
    return this.request.subject.rdns.flat();
  }

  get altNames(): readonly GeneralName[] {
    return requestedAltNames(this.request);
  }

  get keyUsage(): readonly KeyUsage[] | undefined {
    return this.requested(OID.keyUsage, readKeyUsage);
  }

  get extKeyUsage(): readonly string[] | undefined {
    return this.requested(OID.extKeyUsage, readExtKeyUsage);
  }

  /** Whether the CSR requests a CA certificate. */
  get isForCa(): boolean {
    return this.requested(OID.basicConstraints, readBasicConstraints)?.ca === true;
  }

  /** Reads a requested extension. Throws `DerError`. */
  private requested<T>(oid: string, read: (value: Uint8Array) => T): T | undefined {
    const extension = this.request.extensions.find((each) => each.oid === oid);
    return extension && read(extension.value);
  }
}

export type RequestField =
  | 'subject'
  | 'subjectPublicKeyInfo'
  | 'signatureAlgorithm'
  | 'attributes'
  | 'attributes.challengePassword'
  | 'extensions'
  | `extensions.${keyof typeof OID}`;

export type RequestRule = Rule<RequestSubject, never, RequestField>;
export type RequestRules = RuleTable<RequestSubject, never, RequestField>;
export type RequestRuleSet = RuleSet<RequestSubject, never, RequestField>;

const FIELD_TEXTS: Readonly<Record<string, (subject: RequestSubject) => string | undefined>> = {
  subject: ({ request }) => formatName(request.subject),
  subjectPublicKeyInfo: ({ request: { publicKey } }) => `${publicKey.name} ${publicKey.curve ?? publicKey.bits}`,
  signatureAlgorithm: ({ request }) => signatureAlgorithmName(request.signatureAlgorithm),
  'extensions.subjectAltName': ({ altNames }) => altNames.map(formatGeneralName).join(', '),
  'extensions.keyUsage': ({ keyUsage }) => keyUsage?.join(', '),
  'extensions.extKeyUsage': ({ extKeyUsage }) => extKeyUsage?.join(', '),
};

export const REQUESTS: ObjectKind<RequestSubject, never> = {
  roles: {},
  dateMs: () => 0, // A CSR has no date.
  valueAt: (subject, field) => FIELD_TEXTS[field]?.(subject),
};
