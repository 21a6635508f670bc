// CMP (RFC 9810, RFC 9483): certificates for devices and factories. Owns: no table. Invariants: a message without valid
// protection has no effect; a transaction requests one certificate, and every message after the first repeats the nonce
// of the server's last response.
//
// - messages/sender.ts: determines a message's sender by shared secret (MAC) or signature; the area `enrollments`
//   limits attempts with wrong secrets
// - messages/mac-derivations.ts: MAC key derivation in threads, with a limited queue; mac-task.ts identifies costly
// derivations
// - bodies/certificates.ts: certificate requests: ir, cr, kur, p10cr; when a client polls again
// - bodies/follow-ups.ts: polling, and confirmation of a certificate
// - bodies/revoke.ts: revocation requests (rr)
// - bodies/general.ts, authorities.ts: general messages (genm): client queries about the authority
// - bodies/central-keys.ts: server-generated keys, of the type selected by messages/key-choice.ts
// - messages/seal-key.ts: encryption of such a key for its client
// - bodies/nested.ts: messages from a registration authority that contain others
// - messages/write-message.ts: protection and certificates of a response
// - serve.ts, call.ts, rejection.ts: a message from end to end, and rejections as PKIFailureInfo
// - http.ts: URLs and media type; message encoding is in packages/pki
import type { ValidationArea } from '../../areas/validation/index.ts';
import type { IssuingArea } from '../../areas/issuing/index.ts';
import type { InventoryArea } from '../../areas/inventory/index.ts';
import type { CmpProfiles } from '../../areas/cmp-profiles/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Revocation } from '../../areas/revocation/index.ts';
import type { SigningCertificates } from '../../areas/signing-certificates/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { cmpHttp } from './http.ts';
import { createMacDerivations } from './messages/mac-derivations.ts';
import { reject, serve, type ServeParts } from './serve.ts';

export interface CmpParts {
  readonly cmpProfiles: Pick<CmpProfiles, 'served'>;
  readonly enrollments: Enrollments;
  readonly issuing: Pick<IssuingArea, 'protocols'>;
  readonly inventory: Pick<InventoryArea, 'chainOf' | 'issuersOf'>;
  readonly validation: Pick<ValidationArea, 'findRevocation'>;
  readonly raProfiles: RaProfiles;
  readonly revocation: Pick<Revocation, 'findCrl'>;
  readonly signingCertificates: SigningCertificates;
  /** System user that performs protocol requests. */
  readonly actor: () => Promise<Actor>;
}

export function createCmpProtocol(platform: Platform, parts: CmpParts): Area {
  const { cmpProfiles, actor, issuing, inventory, validation, ...areas } = parts;
  const derivations = createMacDerivations();
  const serving: ServeParts = {
    ...areas,
    platform,
    profiles: cmpProfiles.served,
    derivations,
    certificates: issuing.protocols,
    chains: inventory,
    findRevocation: validation.findRevocation,
  };
  return {
    routes: [],
    http: cmpHttp({
      serve: (received, context) => serve(serving, received, context),
      refuse: (refusal) => reject(serving, refusal),
      actor,
    }),
    stop: () => derivations.stop(),
  };
}
