// SCEP (RFC 8894): certificates for devices that know a challenge password, or have a certificate already.
// Owns: scep_intune_notice. Invariants: nothing is issued for a message whose signature and challenge were not
// verified; a transaction belongs to one request; what cannot be decrypted is refused in one way; what Microsoft
// Intune validated is written down before anything is asked for, and kept until Intune is told what became of it.
//
// challenge.ts, webhook.ts        checks the challenge password, also by one-time secrets and a server of the operator
// answer-message.ts               what each kind of message does; attempts with wrong challenges are limited in the
//                                 area enrolments
// renewal.ts                      renewal with the certificate of the device, and the time from when on it may
// server.ts, next-certificate.ts  GetCACaps, GetCACert, GetNextCACert and PKIOperation
// open-message.ts, respond.ts     verifies and decrypts a request, signs the answer; encoding is in packages/pki
// refusal.ts, sha256.ts           refusals with their reason, and fingerprints of keys
// intune/admit.ts, client.ts      validation by Microsoft Intune; tokens.ts and services.ts reach it
// intune/notices.ts, fate.ts      what Intune is told of the outcome, and when that is retried
// intune/revocations.ts           revocations that Intune asks for
// http.ts                         addresses, GET and POST
import type { IssuingArea } from '../../areas/issuing/index.ts';
import type { InventoryArea } from '../../areas/inventory/index.ts';
import type { Enrolments } from '../../areas/enrolments/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Revocation } from '../../areas/revocation/index.ts';
import type { ScepProfiles } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificates } from '../../areas/signing-certificates/index.ts';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { scepHttp } from './http.ts';
import { createIntuneSide, type IntuneAddresses } from './intune/index.ts';
import { serve, type ScepParts } from './server.ts';
import { createChallengeWebhook } from './webhook.ts';

export type { IntuneAddresses } from './intune/index.ts';

export interface ScepAreas {
  readonly issuing: Pick<IssuingArea, 'protocols'>;
  readonly inventory: Pick<InventoryArea, 'issuersOf'>;
  readonly enrolments: Enrolments;
  readonly scepProfiles: ScepProfiles;
  readonly signingCertificates: SigningCertificates;
  readonly revocation: Pick<Revocation, 'findCrl'>;
  readonly raProfiles: Pick<RaProfiles, 'authorityOf'>;
  readonly intuneAddresses: IntuneAddresses;
  /** The system user that requests act as. */
  readonly actor: () => Promise<Actor>;
}

export interface ScepProtocol extends Area {
  /** Revokes what Microsoft Intune asks to be revoked; answers in words. */
  revokeForIntune(context: RequestContext): Promise<string>;
}

export function createScepProtocol(platform: Platform, areas: ScepAreas): ScepProtocol {
  const certificates = areas.issuing.protocols;
  const webhook = createChallengeWebhook(platform);
  const intune = createIntuneSide(platform, {
    ...areas,
    addresses: areas.intuneAddresses,
    profiles: areas.scepProfiles.withIntune,
    certificates,
  });
  const parts: ScepParts = {
    ...areas,
    certificates,
    chains: areas.inventory,
    intune,
    clock: platform.clock,
    profiles: areas.scepProfiles.served,
    webhook: webhook.ask,
  };
  return {
    routes: [],
    http: scepHttp({ serve: (request, context) => serve(parts, request, context), actor: areas.actor }),
    start: async () => intune.notices.start(),
    stop: async () => {
      await intune.stop();
      await webhook.close();
    },
    revokeForIntune: intune.revoke,
  };
}
