// EST (RFC 7030): certificates for clients that identify themselves by a certificate or a password over HTTPS.
// Owns: no table; transactions are enrolments. Invariants: a request that comes again finds its transaction; what
// identifies a client is judged on every request.
//
// requester.ts                   checks who asks: client certificate, user name with password, one-time password
// http.ts                        addresses; has attempts with wrong passwords limited, by the area enrolments
// enrol.ts                       simpleenroll and simplereenroll, also when a client asks again
// server-keys.ts                 serverkeygen: the server makes the key, and stores it nowhere
// operations.ts, authorities.ts  cacerts and csrattrs; which authorities a profile knows
// linking.ts, connection.ts      links a request to its TLS connection; client certificates from a trusted proxy
// bodies.ts                      requests and certificates in Base64, DER or PEM
// refusal.ts                     refusals with their HTTP status
import type { ValidationArea } from '../../areas/validation/index.ts';
import type { IssuingArea } from '../../areas/issuing/index.ts';
import type { InventoryArea } from '../../areas/inventory/index.ts';
import type { Enrolments } from '../../areas/enrolments/index.ts';
import type { EstProfiles } from '../../areas/est-profiles/index.ts';
import type { RaProfiles } from '../../areas/ra-profiles/index.ts';
import type { Actor } from '../../kernel/actor.ts';
import { networks } from '../../platform/net/networks.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { createAuthorities } from './authorities.ts';
import { estHttp } from './http.ts';

export function createEstProtocol(
  platform: Platform,
  areas: {
    readonly issuing: Pick<IssuingArea, 'protocols'>;
    readonly inventory: Pick<InventoryArea, 'chainOf'>;
    readonly validation: Pick<ValidationArea, 'findRevocation'>;
    readonly raProfiles: RaProfiles;
    readonly enrolments: Enrolments;
    readonly estProfiles: EstProfiles;
    /** Addresses or networks of reverse proxies whose certificate headers are believed. */
    readonly trustedProxies: readonly string[];
    /** The system user that requests act as. */
    readonly actor: () => Promise<Actor>;
  },
): Area {
  const { clock, log } = platform;
  const certificates = areas.issuing.protocols;
  const { findRevocation } = areas.validation;
  const authorities = createAuthorities(platform, { ...areas, certificates, chains: areas.inventory });
  const trustedProxies = networks(areas.trustedProxies);
  const profiles = areas.estProfiles.served;
  return {
    http: estHttp({ ...areas, certificates, findRevocation, clock, log, authorities, profiles, trustedProxies }),
  };
}
