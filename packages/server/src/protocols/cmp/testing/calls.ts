// An authenticated message, and fakes of the services that CMP bodies use, for tests of single bodies.
import {
  deriveMac,
  parseAlgorithm,
  parseCertificate,
  parsePkiMessage,
  readPkiBody,
  type PkiBodyInput,
} from '@signetry/pki';
import { nodeMacFunctions } from '@signetry/pki/node';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import { readCrmf, readRequest } from '../../../areas/certificates/read-request.ts';
import type { TestCertificate } from '../../../areas/certificates/testing/test-certificates.ts';
import type { ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import type { Enrollment } from '../../../areas/enrollments/index.ts';
import { coreContext } from '../../../kernel/actor.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { CmpCall, Sender } from '../call.ts';
import type { CmpDetail } from '../bodies/certificates.ts';
import { macAlgorithm, plainMessage, SECRET, type HeaderSpec, type MacSpec } from './messages.ts';

export const RA_PROFILE = { uuid: 'ra-1', name: 'devices', enabled: true, authorityUuid: 'authority-1' } as const;

/** Creates a profile that uses the shared secret for requests and responses, unless overridden. */
export const profileWith = (settings: Partial<ServedCmpProfile> = {}): ServedCmpProfile => ({
  family: 'profile',
  uuid: 'cmp-1',
  name: 'factory',
  version: 1,
  enabled: true,
  raProfile: RA_PROFILE,
  issueAttributes: [],
  revokeAttributes: [],
  association: { owner: null, groupUuids: [], customAttributes: [] },
  description: undefined,
  variant: 'v2',
  requestProtectionMethod: 'sharedSecret',
  responseProtectionMethod: 'sharedSecret',
  sharedSecret: new Secret(SECRET),
  signingCertificateUuid: undefined,
  implicitConfirmation: true,
  oneTimeSecrets: true,
  trustedAuthorities: [],
  registrationAuthorities: [],
  requireManualApproval: false,
  centralKeys: false,
  bindNames: true,
  maxMacIterations: 100_000,
  acceptBothProtections: false,
  strictMessages: false,
  messageTimeTolerance: 300,
  ...settings,
});

type MacSender = Extract<Sender, { kind: 'mac' }>;

export async function macSender(facts: Partial<MacSender> = {}, mac: MacSpec = {}): Promise<MacSender> {
  const { secret = new Secret(SECRET) } = facts;
  const input = { secret: Buffer.from(secret.reveal()), functions: nodeMacFunctions };
  const derived = await deriveMac(parseAlgorithm(macAlgorithm(mac)), input);
  return {
    kind: 'mac',
    secret,
    mac: derived,
    deriving: { functions: nodeMacFunctions },
    reference: undefined,
    oneTime: undefined,
    ...facts,
  };
}

export const signer = ({ der }: Pick<TestCertificate, 'der'>, isRegistrationAuthority = false): Sender => ({
  kind: 'signature',
  certificate: parseCertificate(der),
  isRegistrationAuthority,
});

export interface CallSpec extends Partial<Omit<CmpCall, 'message' | 'body'>> {
  readonly header?: HeaderSpec;
}

/** Creates a call under the shared secret of its profile, unless overridden. */
export async function callWith(body: PkiBodyInput, { header = {}, ...facts }: CallSpec = {}): Promise<CmpCall> {
  const message = parsePkiMessage(plainMessage(body, header));
  return {
    message,
    body: readPkiBody(message),
    profile: profileWith(),
    raProfile: RA_PROFILE,
    sender: facts.sender ?? (await macSender()),
    transactionId: Buffer.from(message.header.transactionId ?? []).toString('hex'),
    nonce: new Uint8Array(16).fill(7),
    level: 0,
    context: coreContext('test'),
    ...facts,
  };
}

type Protocols = ProtocolCertificates;

const unexpectedCall = (what: string) => () => Promise.reject(new Error(`${what} is not asked for here`));

/** Parses requests like the platform; all other methods fail unless they are provided. */
export const protocolsWith = (given: Partial<Protocols> = {}): Protocols => ({
  readRequest: async (der) => readRequest(Buffer.from(der).toString('base64'), 'pkcs10'),
  readCrmf: async (der) => readCrmf(der),
  issue: unexpectedCall('issue'),
  submit: unexpectedCall('submit'),
  outcomeOf: unexpectedCall('outcomeOf'),
  revoke: unexpectedCall('revoke'),
  isCompromised: unexpectedCall('isCompromised'),
  problemOfKey: unexpectedCall('problemOfKey'),
  requestOf: async () => undefined,
  findByContent: unexpectedCall('findByContent'),
  findByUuids: unexpectedCall('findByUuids'),
  issuerNamesUnder: unexpectedCall('issuerNamesUnder'),
  findBySerialNumber: unexpectedCall('findBySerialNumber'),
  ...given,
});

/** Creates an inventory certificate that was issued under the RA profile. */
export const foundCertificate = (
  { der }: Pick<TestCertificate, 'der'>,
  facts: Partial<FoundCertificate> = {},
): FoundCertificate => ({
  uuid: 'certificate-1',
  state: 'issued',
  archived: false,
  common_name: 'device.example',
  ra_profile_uuid: RA_PROFILE.uuid,
  owner_uuid: null,
  public_key_fingerprint: '',
  issuer_certificate_uuid: null,
  protocol: null,
  protocol_profile_uuid: null,
  protocol_account_uuid: null,
  not_before: null,
  not_after: null,
  revoked_at: null,
  revocation_reason: null,
  der: Buffer.from(der),
  ...facts,
});

/** Nonce of the previous response in the transaction. */
export const LAST_NONCE = new Uint8Array(16).fill(9);

export const detailWith = (facts: Partial<CmpDetail> = {}): CmpDetail => ({
  answer: 'ip',
  certReqId: 0,
  nonce: Buffer.from(LAST_NONCE).toString('hex'),
  implicit: false,
  sender: 'shared secret',
  ...facts,
});

export const enrollmentWith = (facts: Partial<Enrollment> = {}): Enrollment => ({
  uuid: 'enrollment-1',
  transactionId: 'transaction-1',
  kind: 'ir',
  state: 'issued',
  certificateUuid: 'certificate-1',
  certificate: undefined,
  problem: undefined,
  requestFingerprint: '',
  detail: detailWith(),
  createdAt: new Date(0),
  isAbandoned: false,
  isAskedFor: true,
  ...facts,
});
