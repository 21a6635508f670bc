// For EST tests: dependencies of the server as plain objects that return test values and record their calls. CSRs are
// really parsed.
import type { FoundCertificate, RequestFacts } from '../../../areas/certificates/index.ts';
import type { BoundNames } from '../../../areas/enrollments/index.ts';
import { readRequest } from '../../../areas/certificates/read-request.ts';
import type { Enrollment, EnrollmentRequest } from '../../../areas/enrollments/index.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { KnownAuthorities } from '../authorities.ts';
import type { EstParts } from '../operations.ts';

type Revocation = Awaited<ReturnType<EstParts['findRevocation']>>;

export interface TestEst {
  readonly parts: EstParts;
  /** Started enrollments, in order. */
  readonly begun: EnrollmentRequest[];
  /** Rejections that were recorded, in order. */
  readonly rejected: Parameters<EstParts['enrollments']['recordRejection']>[0][];
  /** Enrollments by transaction ID. */
  readonly known: Map<string, Enrollment>;
  /** State of newly started enrollments. */
  outcome: Partial<Enrollment>;
  now: Date;
  authorities: KnownAuthorities;
  /** Certificates by their DER in hex. */
  readonly inventory: Map<string, FoundCertificate>;
  revocation: Revocation;
  /** Usable one-time secrets by their text. */
  readonly secrets: Map<string, { readonly reference: string; readonly names?: BoundNames }>;
}

export function createTestEst(): TestEst {
  const est: TestEst = {
    parts: {
      clock: { now: () => est.now, monotonicMs: () => est.now.getTime() },
      authorities: async () => est.authorities,
      certificates: protocolsOf(() => est),
      findRevocation: async () => est.revocation,
      enrollments: enrollmentsOf(() => est),
    },
    begun: [],
    rejected: [],
    known: new Map(),
    outcome: { state: 'issued', certificate: new Uint8Array([1, 2, 3]) },
    now: new Date(),
    authorities: { chain: [], own: [], trusted: [] },
    inventory: new Map(),
    revocation: { status: 'good' },
    secrets: new Map(),
  };
  return est;
}

const protocolsOf = (est: () => TestEst): EstParts['certificates'] =>
  ({
    readRequest: async (der: Uint8Array): Promise<RequestFacts> =>
      readRequest(Buffer.from(der).toString('base64'), 'pkcs10'),
    findByContent: async (der: Uint8Array) => est().inventory.get(Buffer.from(der).toString('hex')),
  }) as EstParts['certificates']; // the server calls no others

const enrollmentsOf = (est: () => TestEst): EstParts['enrollments'] => ({
  async enroll(request) {
    const { begun, known, outcome } = est();
    begun.push(request);
    const enrollment = enrollmentWith({ transactionId: request.transactionId, kind: request.kind, ...outcome });
    known.set(request.transactionId, enrollment);
    return { isNew: true, enrollment };
  },
  find: async ({ transactionId }) => est().known.get(transactionId),
  async settle(uuid, { from, detail = {} }) {
    const { known } = est();
    const enrollment = [...known.values()].find((each) => each.uuid === uuid);
    if (!enrollment || !from.includes(enrollment.state)) return false;
    known.set(enrollment.transactionId, { ...enrollment, detail: { ...enrollment.detail, ...detail } });
    return true;
  },
  recordRejection: async (rejection) => void est().rejected.push(rejection),
  checkCredential: (_credential, check) => check(),
  secrets: {
    findBySecret: async ({ secret }) => {
      const found = est().secrets.get(secret);
      return found && { uuid: newUuid(), names: undefined, ...found, secret: new Secret(secret) };
    },
    findByReference: async () => undefined,
  },
});

const enrollmentWith = (facts: Partial<Enrollment>): Enrollment => ({
  uuid: newUuid(),
  transactionId: '',
  kind: 'simpleenroll',
  state: 'waiting',
  certificateUuid: newUuid(),
  certificate: undefined,
  problem: undefined,
  requestFingerprint: '',
  detail: {},
  createdAt: new Date(),
  isAbandoned: false,
  isAskedFor: true,
  ...facts,
});

export type FoundFacts = Partial<Omit<FoundCertificate, 'der'>> & { readonly der: Uint8Array };

/** Returns an issued certificate in the inventory. */
export const foundCertificate = ({ der, ...facts }: FoundFacts): FoundCertificate => ({
  uuid: newUuid(),
  state: 'issued',
  archived: false,
  common_name: '',
  ra_profile_uuid: null,
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
