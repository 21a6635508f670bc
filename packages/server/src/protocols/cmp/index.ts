// CMP (RFC 9810, RFC 9483): certificates for devices and factories.
// Owns: no table. Invariants: a message without right protection does nothing; a transaction asks for one certificate,
// and every message after the first repeats the nonce of our last answer.
import type { CertificatesArea } from '../../areas/certificates/index.ts';
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
  readonly certificates: CertificatesArea;
  readonly raProfiles: RaProfiles;
  readonly revocation: Pick<Revocation, 'findCrl'>;
  readonly signingCertificates: SigningCertificates;
  /** The system user that requests act as. */
  readonly actor: () => Promise<Actor>;
}

export function createCmpProtocol(platform: Platform, { cmpProfiles, actor, ...areas }: CmpParts): Area {
  const derivations = createMacDerivations();
  const parts: ServeParts = { platform, profiles: cmpProfiles.served, derivations, ...areas };
  return {
    routes: [],
    http: cmpHttp({
      serve: (received, context) => serve(parts, received, context),
      refuse: (refusal) => refuse(parts, refusal),
      actor,
    }),
    stop: () => derivations.stop(),
  };
}
