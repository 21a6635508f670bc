// EST (RFC 7030): certificates for clients that authenticate with a certificate or a password over HTTPS. Owns: no
// table; transactions are enrollments. Invariants: a repeated request finds its transaction; clients are authenticated
// on every request.
//
// - requester.ts: authenticates the requester: client certificate, username and password, or one-time password
// - http.ts: URLs; the area `enrollments` limits attempts with wrong passwords
// - enroll.ts: simpleenroll and simplereenroll, including repeated requests
// - server-keys.ts: serverkeygen: the server generates the key, and does not store it
// - operations.ts, authorities.ts: cacerts and csrattrs; the authorities that a profile knows
// - linking.ts, connection.ts: channel binding; client certificates from a trusted proxy
// - bodies.ts: requests and certificates in Base64, DER or PEM
// - rejection.ts: rejections with their HTTP status
import type { ValidationArea } from '../../areas/validation/index.ts';
import type { IssuingArea } from '../../areas/issuing/index.ts';
import type { InventoryArea } from '../../areas/inventory/index.ts';
import type { Enrollments } from '../../areas/enrollments/index.ts';
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
    readonly enrollments: Enrollments;
    readonly estProfiles: EstProfiles;
    /** Addresses or networks of reverse proxies whose certificate headers are trusted. */
    readonly trustedProxies: readonly string[];
    /** Fingerprints of the certificates with which these proxies connect. */
    readonly proxyCertificates: readonly string[];
    /** System user that performs protocol requests. */
    readonly actor: () => Promise<Actor>;
  },
): Area {
  const { clock, log } = platform;
  const certificates = areas.issuing.protocols;
  const { findRevocation } = areas.validation;
  const authorities = createAuthorities(platform, { ...areas, certificates, chains: areas.inventory });
  const proxies = { addresses: networks(areas.trustedProxies), certificates: new Set(areas.proxyCertificates), log };
  const profiles = areas.estProfiles.served;
  return {
    http: estHttp({ ...areas, certificates, findRevocation, clock, log, authorities, profiles, proxies }),
  };
}
