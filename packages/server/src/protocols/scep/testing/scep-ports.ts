// Dependencies of the SCEP server as plain in-memory objects: inputs from tests and recorded calls.
import { parseCertificate } from '@signetry/pki';
import type { FoundCertificate, RequestFacts } from '../../../areas/certificates/index.ts';
import { readRequest } from '../../../areas/certificates/read-request.ts';
import type { BegunEnrollment, Enrollment, EnrollmentRequest } from '../../../areas/enrollments/index.ts';
import type { CheckCredential } from '../../../areas/enrollments/credential-checks.ts';
import type { ProcessParts } from '../process-message.ts';
import { sha256 } from '../sha256.ts';
import { RA_PROFILE } from './served-profile.ts';

export const NOW = new Date('2026-11-20T12:00:00Z');
const CERTIFICATE_UUID = '55555555-0000-7000-8000-000000000001';

/** Returns the facts that the inventory reads from a CSR in DER. */
export const factsOf = (der: Uint8Array): RequestFacts => readRequest(Buffer.from(der).toString('base64'), 'pkcs10');

/** Returns a certificate of the RA profile, as the inventory finds it. */
export const foundCertificate = (der: Uint8Array, facts: Partial<FoundCertificate> = {}): FoundCertificate => ({
  uuid: CERTIFICATE_UUID,
  state: 'issued',
  archived: false,
  common_name: '',
  ra_profile_uuid: RA_PROFILE.uuid,
  owner_uuid: null,
  public_key_fingerprint: '',
  issuer_certificate_uuid: null,
  protocol: 'scep',
  protocol_profile_uuid: null,
  protocol_account_uuid: null,
  not_before: null,
  not_after: new Date(parseCertificate(der).notAfterMs),
  revoked_at: null,
  revocation_reason: null,
  der: Buffer.from(der),
  ...facts,
});

/** Returns an enrollment that waits for its certificate. */
export const enrollmentOf = (facts: Partial<Enrollment> = {}): Enrollment => ({
  uuid: '66666666-0000-7000-8000-000000000001',
  transactionId: 'transaction',
  kind: 'PKCSReq',
  state: 'waiting',
  certificateUuid: CERTIFICATE_UUID,
  certificate: undefined,
  problem: undefined,
  requestFingerprint: '',
  detail: {},
  createdAt: NOW,
  isAbandoned: false,
  isAskedFor: true,
  ...facts,
});

export type ScepPorts = ReturnType<typeof createPorts>;

export function createPorts() {
  const known = new Map<string, Enrollment>();
  const inventory: FoundCertificate[] = [];
  const begun: EnrollmentRequest[] = [];
  const refusals: { readonly transactionId: string; readonly problem: string }[] = [];
  const steps: string[] = [];
  const state = {
    /** Outcome of new transactions. */
    outcome: {} as Partial<Enrollment>, // empty: no overrides
    issuers: [] as Uint8Array[], // filled by tests
    crl: undefined as Uint8Array | undefined, // set by tests
    /** Error of the inventory when it reads a request. */
    readingFails: undefined as Error | undefined, // set by tests
    /** Error with which Intune rejects a request. */
    intuneFails: undefined as Error | undefined, // set by tests
    checkCredential: ((_credential, check) => check()) as CheckCredential, // replaced by tests
  };

  async function enroll(request: EnrollmentRequest): Promise<BegunEnrollment> {
    steps.push('enroll');
    begun.push(request);
    const { transactionId, detail = {} } = request;
    const facts = { transactionId, detail, requestFingerprint: request.request.fingerprint, ...state.outcome };
    const enrollment = enrollmentOf(facts);
    known.set(transactionId, enrollment);
    return { isNew: true, enrollment };
  }

  const parts = {
    clock: { now: () => NOW, monotonicMs: () => 0 },
    certificates: {
      readRequest: async (der: Uint8Array) => {
        if (state.readingFails) throw state.readingFails;
        return factsOf(der);
      },
      findByContent: async (der: Uint8Array) => inventory.find((each) => sha256(each.der) === sha256(der)),
      findBySerialNumber: async (serialNumber: string) =>
        inventory.filter(({ der }) => parseCertificate(der).serialNumber === serialNumber),
    },
    chains: { issuersOf: async () => state.issuers },
    enrollments: {
      find: async ({ transactionId }: { readonly transactionId: string }) => known.get(transactionId),
      enroll: enroll,
      recordRejection: async (refusal: { readonly transactionId: string; readonly problem: string }) =>
        void refusals.push(refusal),
      checkCredential: ((credential, check) => state.checkCredential(credential, check)) as CheckCredential,
      secrets: { findBySecret: async () => undefined },
    },
    revocation: { findCrl: async () => state.crl },
    webhook: async () => false,
    intune: {
      admit: async () => {
        if (state.intuneFails) throw state.intuneFails;
        steps.push('admit');
      },
      notices: {
        expect: async () => void steps.push('expect'),
        hasten: async () => void steps.push('hasten'),
      },
    },
  };
  return { parts: parts as unknown as ProcessParts, state, known, inventory, begun, refusals, steps }; // partial stub
}
