// CMP (RFC 9810, RFC 9483): certificates for devices and factories.
// Owns: no table. Invariants: a message without right protection does nothing; a transaction asks for one certificate,
// and every message after the first repeats the nonce of our last answer.
//
// messages/sender.ts                 who sent a message: shared secret (MAC) or signature; attempts with wrong
//                                    secrets are limited in the area enrolments
// messages/mac-derivations.ts        keys of MACs in threads, and how many wait; mac-task.ts tells costly ones
// bodies/certificates.ts             certificate requests: ir, cr, kur, p10cr; when a client polls again
// bodies/follow-ups.ts               polling and confirmation of a certificate
// bodies/revoke.ts                   revocation requests (rr)
// bodies/general.ts, authorities.ts  general messages (genm): what a client wants to know of the authority
// bodies/central-keys.ts             keys that the server makes, of the kind that messages/key-choice.ts chooses
// messages/seal-key.ts               encryption of such a key to its client
// bodies/nested.ts                   messages of a registration authority that hold others
// messages/write-message.ts          protection and certificates of an answer
// serve.ts, call.ts, refusal.ts      a message from end to end, and refusals as PKIFailureInfo
// http.ts                            addresses and media type; encoding of messages is in packages/pki
import type { ValidationArea } from '../../areas/validation/index.ts';
import type { IssuingArea } from '../../areas/issuing/index.ts';
import type { InventoryArea } from '../../areas/inventory/index.ts';
import type { CmpProfiles } from '../../areas/cmp-profiles/index.ts';
import type { Enrolments } from '../../areas/enrolments/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Revocation } from '../../areas/revocation/index.ts';
import type { SigningCertificates } from '../../areas/signing-certificates/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { cmpHttp } from './http.ts';
import { createMacDerivations } from './messages/mac-derivations.ts';
import { refuse, serve, type ServeParts } from './serve.ts';

export interface CmpParts {
  readonly cmpProfiles: Pick<CmpProfiles, 'served'>;
  readonly enrolments: Enrolments;
  readonly issuing: Pick<IssuingArea, 'protocols'>;
  readonly inventory: Pick<InventoryArea, 'chainOf' | 'issuersOf'>;
  readonly validation: Pick<ValidationArea, 'findRevocation'>;
  readonly raProfiles: RaProfiles;
  readonly revocation: Pick<Revocation, 'findCrl'>;
  readonly signingCertificates: SigningCertificates;
  /** The system user that requests act as. */
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
      refuse: (refusal) => refuse(serving, refusal),
      actor,
    }),
    stop: () => derivations.stop(),
  };
}
