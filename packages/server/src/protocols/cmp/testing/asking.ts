// Fakes of the services that certificate requests use, and a record of the calls.
import type { KeyPolicy, PkiBodyInput } from '@signetry/pki';
import { expect } from 'vitest';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { Enrolment, EnrolmentRequest } from '../../../areas/enrolments/index.ts';
import type { IssuingProfile } from '../../../areas/ra-profiles/index.ts';
import { askForCertificate, type AskingParts } from '../bodies/certificates.ts';
import { callWith, enrolmentWith, protocolsWith, type CallWish } from './calls.ts';
import { certReqMsg, type RequestWish } from './messages.ts';

export interface Surroundings {
  readonly isNew?: boolean;
  readonly enrolled?: Partial<Enrolment>;
  readonly known?: FoundCertificate;
  /** Issuers of the issued certificate. */
  readonly issuers?: readonly Uint8Array[];
  /** CA certificates of the RA profile. */
  readonly authorities?: readonly Uint8Array[];
  readonly policy?: Required<KeyPolicy>;
  readonly approvalProfileUuid?: string;
  readonly reach?: AskingParts['signingCertificates']['reach'];
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
export function askerIn({ isNew = true, issuers = [], authorities = [], ...given }: Surroundings = {}) {
  const [requests, settled]: [EnrolmentRequest[], unknown[]] = [[], []];
  const parts: AskingParts = {
    enrolments: {
      enrol: async (request) => {
        requests.push(request);
        return { isNew, enrolment: enrolmentWith({ detail: request.detail ?? {}, ...given.enrolled }) };
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
  async function ask(body: PkiBodyInput, wish: CallWish = {}) {
    const call = await callWith(body, wish);
    const { body: read } = call;
    if (read.type === 'p10cr') return askForCertificate(parts, call, read);
    if (read.type !== 'ir' && read.type !== 'cr' && read.type !== 'kur') return expect.fail(read.type);
    return askForCertificate(parts, call, { type: read.type, requests: read.requests });
  }
  return { ask, requests, settled };
}

/** Sends one CRMF request in a message of this type. */
export async function askBy(
  type: 'ir' | 'cr' | 'kur',
  request: RequestWish,
  wish: CallWish = {},
  where: Surroundings = {},
) {
  const asker = askerIn(where);
  return { ...asker, outcome: asker.ask({ type, requests: [await certReqMsg(request)] }, wish) };
}

/** Asserts a rejection with this text, before anything was started. */
export async function expectRefused(
  { outcome, requests }: Awaited<ReturnType<typeof askBy>>,
  failure: string,
  words: RegExp,
): Promise<void> {
  await expect(outcome).rejects.toMatchObject({ failure, message: expect.stringMatching(words) });
  expect(requests).toEqual([]);
}
