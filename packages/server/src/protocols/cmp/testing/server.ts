// A CMP server with one profile. It records started and rejected requests, and issues nothing.
import { nodeMacFunctions } from '@signetry/pki/node';
import { createFakeClock } from '@signetry/testkit/services';
import type { FoundCertificate } from '../../../areas/certificates/index.ts';
import type { ServedCmpProfile } from '../../../areas/cmp-profiles/index.ts';
import type { EnrolmentRequest } from '../../../areas/enrolments/index.ts';
import type { ServedPlace } from '../../../areas/protocol-profiles/index.ts';
import { coreContext } from '../../../kernel/actor.ts';
import { createLogger } from '../../../platform/logging/logger.ts';
import { serve, type ServeParts } from '../serve.ts';
import { enrolmentWith, protocolsWith } from './calls.ts';
import { readAnswer } from './messages.ts';

type Noted = Parameters<ServeParts['enrolments']['noteRefusal']>[0];

export interface ServerWish {
  readonly profile: ServedCmpProfile | undefined;
  readonly reach?: ServeParts['signingCertificates']['reach'];
  readonly enrol?: ServeParts['enrolments']['enrol'];
  readonly checkCredential?: ServeParts['enrolments']['checkCredential'];
  readonly known?: (der: Uint8Array) => FoundCertificate | undefined;
}

const PLACE: ServedPlace = { family: 'profile', name: 'factory' };
const unknown = () => Promise.resolve(undefined);

export function cmpServer({ profile, ...wish }: ServerWish) {
  const [begun, refused]: [EnrolmentRequest[], Noted[]] = [[], []];
  const { reach = () => Promise.reject(new Error('nothing signs')) } = wish;
  const enrol: ServeParts['enrolments']['enrol'] = async (request) => {
    begun.push(request);
    return { isNew: true, enrolment: enrolmentWith({ state: 'waiting', detail: request.detail ?? {} }) };
  };
  const parts: ServeParts = {
    platform: { clock: createFakeClock(), log: createLogger({ level: 'silent' }) },
    profiles: { find: async () => profile, forget: () => undefined },
    enrolments: {
      enrol: wish.enrol ?? enrol,
      find: unknown,
      settle: async () => false,
      noteRefusal: async (refusal) => void refused.push(refusal),
      checkCredential: wish.checkCredential ?? ((_credential, check) => check()),
      secrets: { findBySecret: unknown, findByReference: unknown },
    },
    derivations: { from: () => nodeMacFunctions },
    certificates: protocolsWith({ findByContent: async (der) => wish.known?.(der) }),
    chains: { issuersOf: async () => [], chainOf: async () => [] },
    findRevocation: async () => ({ status: 'good' }),
    raProfiles: {
      caCertificateUuids: async () => [],
      acceptedKeys: unknown,
      forIssuingByUuid: () => Promise.reject(new Error('no keys are made')),
    },
    revocation: { findCrl: unknown },
    signingCertificates: { reach },
  };
  return {
    parts,
    /** Requests that were enrolled, and requests that were recorded as rejected. */
    begun,
    refused,
    ask: async (der: Uint8Array, place: ServedPlace = PLACE) =>
      readAnswer(await serve(parts, { place, der }, coreContext('test'))),
  };
}
