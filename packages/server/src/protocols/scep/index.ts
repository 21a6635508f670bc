// SCEP (RFC 8894): certificates for devices that know a challenge password, or have a certificate already.
// Owns: no table. Invariants: nothing is issued for a message whose signature and challenge were not verified; a
// transaction belongs to one request; what cannot be decrypted is refused in one way.
import type { CertificatesArea } from '../../areas/certificates/index.ts';
import type { Enrolments } from '../../areas/enrolments/index.ts';
import type { Revocation } from '../../areas/revocation/index.ts';
import type { ScepProfiles } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificates } from '../../areas/signing-certificates/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { scepHttp } from './http.ts';
import { serve, type ScepParts } from './server.ts';
import { createChallengeWebhook } from './webhook.ts';

export interface ScepAreas {
  readonly certificates: Pick<CertificatesArea, 'protocols' | 'issuersOf'>;
  readonly enrolments: Enrolments;
  readonly scepProfiles: ScepProfiles;
  readonly signingCertificates: SigningCertificates;
  readonly revocation: Pick<Revocation, 'findCrl'>;
  /** The system user that requests act as. */
  readonly actor: () => Promise<Actor>;
}

export function createScepProtocol(platform: Platform, areas: ScepAreas): Area {
  const webhook = createChallengeWebhook(platform);
  const parts: ScepParts = {
    ...areas,
    clock: platform.clock,
    profiles: areas.scepProfiles.served,
    webhook: webhook.ask,
  };
  return {
    routes: [],
    http: scepHttp({ serve: (request, context) => serve(parts, request, context), actor: areas.actor }),
    stop: () => webhook.close(),
  };
}
