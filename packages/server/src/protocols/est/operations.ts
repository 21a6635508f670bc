// EST server operations (RFC 7030 §4): cacerts, simpleenroll, simplereenroll and csrattrs; fullcmc is rejected with an
// explanation.
import { buildCsrAttributes } from '@signetry/pki';
import { csrAttributesOf, type ServedEstProfile } from '../../areas/est-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Authorities } from './authorities.ts';
import { base64Body, certificatesBody, requestOctets } from './bodies.ts';
import { enroll, type EnrollOperation, type EnrollParts } from './enroll.ts';
import { EstRejection } from './rejection.ts';
import { identify, type Credentials, type RequesterParts } from './requester.ts';

export interface EstReply {
  readonly status: number;
  readonly media?: string;
  readonly body?: string;
  /** Whether the whole body is Base64; defaults to true. */
  readonly isEncoded?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EstCall {
  readonly profile: ServedEstProfile;
  readonly body: Uint8Array;
  readonly credentials: Credentials;
  readonly binding: () => string | undefined;
  readonly context: RequestContext;
}

export type EstParts = EnrollParts & RequesterParts & { readonly authorities: Authorities };

const CERTIFICATES = 'application/pkcs7-mime; smime-type=certs-only';

/** Returns the CA certificates. Available to all clients without authentication (RFC 7030 §4.1). */
export async function cacerts({ authorities }: EstParts, { profile }: EstCall): Promise<EstReply> {
  const { chain } = await authorities(profile);
  if (chain.length === 0)
    throw new EstRejection(404, `The CA certificate of the RA profile ${profile.raProfile?.name ?? ''} is not known.`);
  return { status: 200, media: 'application/pkcs7-mime', body: certificatesBody(chain) };
}

export async function simpleEnroll(parts: EstParts, operation: EnrollOperation, call: EstCall): Promise<EstReply> {
  const { profile, credentials, binding, context } = call;
  const requester = await identify(parts, profile, credentials);
  const der = requestOctets(call.body);
  const certificate = await enroll(parts, { operation, profile, requester, der, binding }, context);
  if (certificate) return { status: 200, media: CERTIFICATES, body: certificatesBody([certificate]) };
  return {
    status: 202,
    media: 'text/plain; charset=utf-8',
    headers: { 'retry-after': String(profile.retryAfter) },
    body: `The request is pending. Send it again in ${profile.retryAfter} seconds.\n`,
  };
}

/** Returns the attributes requested from clients, or 204 if there are none (RFC 7030 §4.5). */
export function csrAttributes({ profile }: EstCall): EstReply {
  const { requestedAttributes: asked, requireLinking } = profile;
  const octets = buildCsrAttributes(csrAttributesOf(asked, { isLinked: requireLinking }));
  if (octets.length === EMPTY_SEQUENCE_OCTETS) return { status: 204 };
  return { status: 200, media: 'application/csrattrs', body: base64Body(octets) };
}

const EMPTY_SEQUENCE_OCTETS = 2;

export function notOffered(operation: string): never {
  throw new EstRejection(
    501,
    `This server does not support ${operation}. Use simpleenroll with a key generated on the client.`,
  );
}
