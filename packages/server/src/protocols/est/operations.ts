// What an EST server answers (RFC 7030 §4): cacerts, simpleenroll, simplereenroll and csrattrs; fullcmc in words.
import { buildCsrAttributes, OID, type RequestedKey } from '@signetry/pki';
import type { EstKeyType, EstRequestedAttributes } from '@signetry/contract';
import type { ServedEstProfile } from '../../areas/est-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import type { Authorities } from './authorities.ts';
import { base64Body, certificatesBody, requestOctets } from './bodies.ts';
import { enrol, type EnrolOperation, type EnrolParts } from './enrol.ts';
import { EstRefusal } from './refusal.ts';
import { identify, type Credentials, type RequesterParts } from './requester.ts';

export interface EstReply {
  readonly status: number;
  readonly media?: string;
  readonly body?: string;
  /** Whether the body is Base64 as a whole; true where it is left out. */
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

export type EstParts = EnrolParts & RequesterParts & { readonly authorities: Authorities };

const CERTIFICATES = 'application/pkcs7-mime; smime-type=certs-only';

/** RFC 7030 §4.1: for everybody, without asking who it is. */
export async function cacerts({ authorities }: EstParts, { profile }: EstCall): Promise<EstReply> {
  const { chain } = await authorities(profile);
  if (chain.length === 0)
    throw new EstRefusal(404, `The CA certificate of the RA profile ${profile.raProfile?.name ?? ''} is not known.`);
  return { status: 200, media: 'application/pkcs7-mime', body: certificatesBody(chain) };
}

export async function simpleEnrol(parts: EstParts, operation: EnrolOperation, call: EstCall): Promise<EstReply> {
  const { profile, credentials, binding, context } = call;
  const requester = await identify(parts, profile, credentials);
  const der = requestOctets(call.body);
  const certificate = await enrol(parts, { operation, profile, requester, der, binding }, context);
  if (certificate) return { status: 200, media: CERTIFICATES, body: certificatesBody([certificate]) };
  return {
    status: 202,
    media: 'text/plain; charset=utf-8',
    headers: { 'retry-after': String(profile.retryAfterS) },
    body: `The request waits. Send it again in ${profile.retryAfterS} seconds.\n`,
  };
}

/** RFC 7030 §4.5: 204 where nothing is asked of clients. */
export function csrAttributes({ profile }: EstCall): EstReply {
  const { attributes = [], extensions = [], keyType }: EstRequestedAttributes = profile.requestedAttributes;
  const identifiers = [...attributes, ...extensions];
  if (identifiers.length === 0 && keyType === undefined) return { status: 204 };
  const octets = buildCsrAttributes({ identifiers, key: keyType && KEYS[keyType] });
  return { status: 200, media: 'application/csrattrs', body: base64Body(octets) };
}

const KEYS: Readonly<Record<EstKeyType, RequestedKey>> = {
  ecdsaP256: { curve: OID.secp256r1 },
  ecdsaP384: { curve: OID.secp384r1 },
  ecdsaP521: { curve: OID.secp521r1 },
  rsa2048: { rsaBits: 2048 },
  rsa3072: { rsaBits: 3072 },
  rsa4096: { rsaBits: 4096 },
};

export function notOffered(operation: string): never {
  throw new EstRefusal(501, `This server does not offer ${operation}. Use simpleenroll with a key of your own.`);
}
