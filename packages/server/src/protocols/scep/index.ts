// SCEP (RFC 8894): certificates for devices that know a challenge password or already have a certificate. Owns:
// scep_intune_notice. Invariants: nothing is issued for a message unless its signature and challenge have been
// verified; a transaction belongs to one request; all content that cannot be decrypted is rejected in the same way;
// requests validated by Microsoft Intune are stored before a certificate is requested, until Intune has been notified
// of the outcome.
//
// - challenge.ts, webhook.ts: checks the challenge password, including one-time secrets and the operator's server
// - process-message.ts: handles each message type; the area `enrollments` limits attempts with wrong challenges
// - renewal.ts: renewal with the device's certificate, and the start of the renewal window
// - server.ts, next-certificate.ts: GetCACaps, GetCACert, GetNextCACert and PKIOperation
// - open-message.ts, respond.ts: verifies and decrypts requests, and signs responses; encoding is in
// packages/pki
// - rejection.ts, sha256.ts: rejections with their reason, and key fingerprints
// - intune/admit.ts, client.ts: validation by Microsoft Intune, which is called through tokens.ts and services.ts
// - intune/notices.ts, enrollment-outcome.ts: notifies Intune of outcomes, and retries
// - intune/revocations.ts: revocations requested by Intune
// - http.ts: URLs, GET and POST
import type { IssuingArea } from '../../areas/issuing/index.ts';
import type { InventoryArea } from '../../areas/inventory/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Revocation } from '../../areas/revocation/index.ts';
import type { ScepProfiles } from '../../areas/scep-profiles/index.ts';
import type { SigningCertificates } from '../../areas/signing-certificates/index.ts';
import type { Actor, RequestContext } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { scepHttp } from './http.ts';
import { createIntuneServices, type IntuneUrls } from './intune/index.ts';
import { serve, type ScepParts } from './server.ts';
import { createChallengeWebhook } from './webhook.ts';

export type { IntuneUrls } from './intune/index.ts';

export interface ScepAreas {
  readonly issuing: Pick<IssuingArea, 'protocols'>;
  readonly inventory: Pick<InventoryArea, 'issuersOf'>;
  readonly enrollments: Enrollments;
  readonly scepProfiles: ScepProfiles;
  readonly signingCertificates: SigningCertificates;
  readonly revocation: Pick<Revocation, 'findCrl'>;
  readonly raProfiles: Pick<RaProfiles, 'authorityOf'>;
  readonly intuneAddresses: IntuneUrls;
  /** System user that performs protocol requests. */
  readonly actor: () => Promise<Actor>;
}

export interface ScepProtocol extends Area {
  /** Revokes the certificates that Microsoft Intune asks to be revoked; returns a summary as text. */
  revokeForIntune(context: RequestContext): Promise<string>;
}

export function createScepProtocol(platform: Platform, areas: ScepAreas): ScepProtocol {
  const certificates = areas.issuing.protocols;
  const webhook = createChallengeWebhook(platform);
  const intune = createIntuneServices(platform, {
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
