// Fakes of the services that certificate requests use, and a record of the calls.
import type { KeyPolicy, PkiBodyInput } from '@signetry/pki';
import { expect } from 'vitest';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { Enrollment, EnrollmentRequest } from '../../../areas/enrollments/index.ts';
import type { IssuingProfile } from '../../../areas/ra-profiles/index.ts';
import { requestCertificate, type RequestParts } from '../bodies/certificates.ts';
import { callWith, enrollmentWith, protocolsWith, type CallSpec } from './calls.ts';
import { certReqMsg, type RequestSpec } from './messages.ts';

export interface TestEnvironment {
  readonly isNew?: boolean;
  readonly enrolled?: Partial<Enrollment>;
  readonly known?: FoundCertificate;
  /** Issuers of the issued certificate. */
  readonly issuers?: readonly Uint8Array[];
  /** CA certificates of the RA profile. */
  readonly authorities?: readonly Uint8Array[];
  readonly policy?: Required<KeyPolicy>;
  readonly approvalProfileUuid?: string;
  readonly reach?: RequestParts['signingCertificates']['reach'];
}

const ISSUING: IssuingProfile = {
  uuid: 'ra-1',
  name: 'devices',
  enabled: true,
  internal: false,
  authorityUuid: 'authority-1',
  authorityName: 'authority',
  authorityConnectorUuid: '',
  connectorUuid: '',
  kind: 'any',
  legacy: false,
  features: [],
  raProfileAttributes: [],
  validation: { enabled: false, frequency: undefined, expiringThreshold: undefined } as never, // Not read here.
  caCertificateUuid: null,
  approvalProfileUuid: null,
};

/** Returns a function that sends a message with this body; `requests` records the requests that would be enrolled. */
export function createRequester({ isNew = true, issuers = [], authorities = [], ...given }: TestEnvironment = {}) {
  const [requests, settled]: [EnrollmentRequest[], unknown[]] = [[], []];
  const parts: RequestParts = {
    enrollments: {
      enroll: async (request) => {
        requests.push(request);
        return { isNew, enrollment: enrollmentWith({ detail: request.detail ?? {}, ...given.enrolled }) };
      },
      settle: async (uuid, settlement) => {
        settled.push({ uuid, ...settlement });
        return true;
      },
    },
    certificates: protocolsWith({ findByContent: async () => given.known }),
    chains: { issuersOf: async () => issuers, chainOf: async () => authorities },
    raProfiles: {
      caCertificateUuids: async () => (authorities.length > 0 ? ['ca-1', 'ca-2'] : []),
      acceptedKeys: async () => given.policy,
      forIssuingByUuid: async () => ({ ...ISSUING, approvalProfileUuid: given.approvalProfileUuid ?? null }),
    },
    signingCertificates: { reach: given.reach ?? (() => Promise.reject(new Error('nothing is signed here'))) },
  };
  async function ask(body: PkiBodyInput, wish: CallSpec = {}) {
    const call = await callWith(body, wish);
    const { body: read } = call;
    if (read.type === 'p10cr') return requestCertificate(parts, call, read);
    if (read.type !== 'ir' && read.type !== 'cr' && read.type !== 'kur') return expect.fail(read.type);
    return requestCertificate(parts, call, { type: read.type, requests: read.requests });
  }
  return { ask, requests, settled };
}

/** Sends one CRMF request in a message of this type. */
export async function sendRequest(
  type: 'ir' | 'cr' | 'kur',
  request: RequestSpec,
  wish: CallSpec = {},
  where: TestEnvironment = {},
) {
  const asker = createRequester(where);
  return { ...asker, outcome: asker.ask({ type, requests: [await certReqMsg(request)] }, wish) };
}

/** Asserts a rejection with this text, before anything was started. */
export async function expectRejected(
  { outcome, requests }: Awaited<ReturnType<typeof sendRequest>>,
  failure: string,
  words: RegExp,
): Promise<void> {
  await expect(outcome).rejects.toMatchObject({ failure, message: expect.stringMatching(words) });
  expect(requests).toEqual([]);
}
