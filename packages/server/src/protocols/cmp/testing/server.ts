// A CMP server with one profile. It records started and rejected requests, and issues nothing.
import { nodeMacFunctions } from '@signetry/pki/node';
import { createFakeClock } from '@signetry/testkit/services';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import type { EnrollmentRequest } from '../../../areas/enrollments/index.ts';
import type { ServedEndpoint } from '../../../areas/protocol-profiles/index.ts';
import { coreContext } from '../../../kernel/actor.ts';
import { createLogger } from '../../../platform/logging/logger.ts';
import { serve, type ServeParts } from '../serve.ts';
import { enrollmentWith, protocolsWith } from './calls.ts';
import { readResponse } from './messages.ts';

type RecordedRejection = Parameters<ServeParts['enrollments']['recordRejection']>[0];

export interface ServerSpec {
  readonly profile: ServedCmpProfile | undefined;
  readonly reach?: ServeParts['signingCertificates']['reach'];
  readonly enroll?: ServeParts['enrollments']['enroll'];
  readonly checkCredential?: ServeParts['enrollments']['checkCredential'];
  readonly known?: (der: Uint8Array) => FoundCertificate | undefined;
}

const PLACE: ServedEndpoint = { family: 'profile', name: 'factory' };
const findNothing = () => Promise.resolve(undefined);

export function cmpServer({ profile, ...wish }: ServerSpec) {
  const [begun, refused]: [EnrollmentRequest[], RecordedRejection[]] = [[], []];
  const { reach = () => Promise.reject(new Error('nothing signs')) } = wish;
  const enroll: ServeParts['enrollments']['enroll'] = async (request) => {
    begun.push(request);
    return { isNew: true, enrollment: enrollmentWith({ state: 'waiting', detail: request.detail ?? {} }) };
  };
  const parts: ServeParts = {
    platform: { clock: createFakeClock(), log: createLogger({ level: 'silent' }) },
    profiles: { find: async () => profile, forget: () => undefined },
    enrollments: {
      enroll: wish.enroll ?? enroll,
      find: findNothing,
      settle: async () => false,
      recordRejection: async (refusal) => void refused.push(refusal),
      checkCredential: wish.checkCredential ?? ((_credential, check) => check()),
      secrets: { findBySecret: findNothing, findByReference: findNothing },
    },
    derivations: { from: () => nodeMacFunctions },
    certificates: protocolsWith({ findByContent: async (der) => wish.known?.(der) }),
    chains: { issuersOf: async () => [], chainOf: async () => [] },
    findRevocation: async () => ({ status: 'good' }),
    raProfiles: {
      caCertificateUuids: async () => [],
      acceptedKeys: findNothing,
      forIssuingByUuid: () => Promise.reject(new Error('no keys are made')),
    },
    revocation: { findCrl: findNothing },
    signingCertificates: { reach },
  };
  return {
    parts,
    /** Requests that were enrolled, and requests that were recorded as rejected. */
    begun,
    refused,
    ask: async (der: Uint8Array, place: ServedEndpoint = PLACE) =>
      readResponse(await serve(parts, { place, der }, coreContext('test'))),
  };
}
