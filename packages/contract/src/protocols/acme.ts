// Declaration of the ACME server (RFC 8555, RFC 8738, RFC 9773), once for each URL family: under the name of an ACME
// profile and under the name of an RA profile. Bodies are the payloads of the enclosing JWS; errors are problem
// documents.
import { z } from 'zod';
import { operation, type ErrorStatus } from '../operation.ts';
import { AccountStatus } from '../enums/protocols.ts';
import { dateTime, int32 } from '../primitives.ts';

/** RFC 8555 §6.7, RFC 7807. */
export const AcmeProblem = z
  .object({
    type: z.string(),
    title: z.string().optional(),
    detail: z.string(),
    /**
     * A page with more information, e.g. changed terms of service; otherwise, the object to which the problem refers.
     */
    instance: z.string(),
    identifier: z.object({ type: z.string(), value: z.string() }).optional(),
    get subproblems() {
      return z.array(AcmeProblem).optional();
    },
    /** Accepted algorithms; present for badSignatureAlgorithm (RFC 8555 §6.2). */
    algorithms: z.array(z.string()).optional(),
  })
  .meta({ id: 'ProblemDocument' });
export type AcmeProblem = z.output<typeof AcmeProblem>;

export const AcmeDirectory = z
  .object({
    newNonce: z.string(),
    newAccount: z.string(),
    newOrder: z.string(),
    revokeCert: z.string(),
    keyChange: z.string(),
    /** RFC 9773 §3. */
    renewalInfo: z.string(),
    meta: z
      .object({
        termsOfService: z.string().optional(),
        website: z.string().optional(),
        caaIdentities: z.array(z.string()),
        externalAccountRequired: z.boolean(),
        /** Profiles that an order can select, by name, with descriptions (draft-ietf-acme-profiles-00 §3). */
        profiles: z.record(z.string(), z.string()).optional(),
        /**
         * Names that identify the CA in dns-persist-01 (draft-ietf-acme-dns-persist-02 §3.2); present if the challenge
         * is offered.
         */
        issuerDomainNames: z.array(z.string()).optional(),
        /** Prefix of hashed account URIs (§4.1 of the same draft). */
        accountHashPrefix: z.string().optional(),
      })
      .meta({ id: 'DirectoryMeta' }),
  })
  .meta({ id: 'Directory' });
export type AcmeDirectory = z.output<typeof AcmeDirectory>;

const AcmeIdentifier = z.object({ type: z.string(), value: z.string() }).meta({ id: 'Identifier' });

/** Also the body of an account update (RFC 8555 §7.3.2, §7.3.6). */
export const AcmeAccountRequest = z
  .object({
    contact: z.array(z.string()).optional(),
    termsOfServiceAgreed: z.boolean().optional(),
    onlyReturnExisting: z.boolean().default(false),
    /** RFC 8555 §7.3.4: a JWS whose MAC was computed with a key issued by the operator. */
    externalAccountBinding: z.looseObject({}).optional(),
    status: z.string().optional(),
  })
  .meta({ id: 'NewAccountRequest' });
export type AcmeAccountRequest = z.output<typeof AcmeAccountRequest>;

export const AcmeAccount = z
  .object({
    status: AccountStatus,
    contact: z.array(z.string()).optional(),
    termsOfServiceAgreed: z.boolean().optional(),
    externalAccountBinding: z.looseObject({}).optional(),
    orders: z.string(),
  })
  .meta({ id: 'Account' });
export type AcmeAccount = z.output<typeof AcmeAccount>;

export const AcmeKeyChange = z.object({ account: z.string(), oldKey: z.looseObject({}) }).meta({ id: 'KeyRollover' });

export const AcmeOrderRequest = z
  .object({
    identifiers: z.array(AcmeIdentifier),
    notBefore: dateTime().optional(),
    notAfter: dateTime().optional(),
    /** RFC 9773 §5: the certificate to be replaced. */
    replaces: z.string().optional(),
    /** Name of a profile in the directory (draft-ietf-acme-profiles-00 §4). */
    profile: z.string().optional(),
  })
  .meta({ id: 'CertificateIssuanceRequest' });
export type AcmeOrderRequest = z.output<typeof AcmeOrderRequest>;

export const AcmeOrderStatus = z
  .enum(['pending', 'ready', 'processing', 'valid', 'invalid'])
  .meta({ id: 'OrderStatus' });
export type AcmeOrderStatus = z.output<typeof AcmeOrderStatus>;

export const AcmeOrder = z
  .object({
    status: AcmeOrderStatus,
    expires: dateTime().optional(),
    identifiers: z.array(AcmeIdentifier).optional(),
    notBefore: dateTime().optional(),
    notAfter: dateTime().optional(),
    replaces: z.string().optional(),
    profile: z.string().optional(),
    error: AcmeProblem.optional(),
    authorizations: z.array(z.string()).optional(),
    finalize: z.string().optional(),
    certificate: z.string().optional(),
  })
  .meta({ id: 'Order' });
export type AcmeOrder = z.output<typeof AcmeOrder>;

/** RFC 8555 §7.1.2.1; a `Link` header contains the URL of the next page. */
export const AcmeOrderList = z.object({ orders: z.array(z.string()) }).meta({ id: 'OrderList' });
export type AcmeOrderList = z.output<typeof AcmeOrderList>;

export const AcmeChallenge = z
  .object({
    type: z
      .enum(['http-01', 'dns-01', 'tls-alpn-01', 'dns-account-01', 'dns-persist-01'])
      .meta({ id: 'ChallengeType' }),
    url: z.string(),
    status: z.enum(['pending', 'valid', 'invalid', 'processing']).meta({ id: 'ChallengeStatus' }),
    validated: dateTime().optional(),
    error: AcmeProblem.optional(),
    /** Absent for dns-persist-01. */
    token: z.string().optional(),
    /** Present for dns-persist-01: the account URL that the DNS record must contain. */
    accounturi: z.string().optional(),
    /** Present for dns-persist-01 (draft-ietf-acme-dns-persist-02 §3.1). */
    issuerDomainNames: z.array(z.string()).optional(),
    /** The same value under the name used up to version -01 of the draft. */
    'issuer-domain-names': z.array(z.string()).optional(),
  })
  .meta({ id: 'Challenge' });
export type AcmeChallenge = z.output<typeof AcmeChallenge>;

export const AcmeAuthorization = z
  .object({
    identifier: AcmeIdentifier,
    status: z
      .enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked'])
      .meta({ id: 'AuthorizationStatus' }),
    expires: dateTime().optional(),
    challenges: z.array(AcmeChallenge).optional(),
    wildcard: z.boolean().optional(),
  })
  .meta({ id: 'Authorization' });
export type AcmeAuthorization = z.output<typeof AcmeAuthorization>;

export const AcmeFinalizeRequest = z.object({ csr: z.string() }).meta({ id: 'CertificateFinalizeRequest' });

export const AcmeRevocationRequest = z
  .object({ certificate: z.string(), reason: int32().optional() })
  .meta({ id: 'CertificateRevocationRequest' });

/** RFC 9773 §4.2. */
export const AcmeRenewalInfo = z
  .object({
    suggestedWindow: z.object({ start: dateTime(), end: dateTime() }),
    explanationURL: z.string().optional(),
  })
  .meta({ id: 'RenewalInfo' });
export type AcmeRenewalInfo = z.output<typeof AcmeRenewalInfo>;

const PEM_CHAIN = 'application/pem-certificate-chain';
const errors = [400, 401, 403, 404, 500] as const satisfies readonly ErrorStatus[];
const signed = { method: 'POST', envelope: 'jws', errors, access: 'public', tag: 'ACME operations' } as const;
const open = { errors, access: 'public', tag: 'ACME operations', envelope: 'jws' } as const;

/** A URL family; `suffix` distinguishes its operation identifiers from those of the other family. */
interface Family<Base extends string> {
  readonly suffix: string;
  readonly base: Base;
  readonly params: z.ZodObject;
}

const operationsOf = <const Base extends string>(family: Family<Base>) => ({
  ...entryOperations(family),
  ...accountOperations(family),
  ...orderOperations(family),
  ...certificateOperations(family),
});

/** Entry points for clients: the directory and nonces. */
const entryOperations = <const Base extends string>({ suffix, base, params }: Family<Base>) => ({
  directory: operation({
    ...open,
    id: `getDirectory_${suffix}`,
    summary: 'Get Directory information',
    method: 'GET',
    path: `${base}/directory`,
    params,
    success: { status: 200, body: AcmeDirectory },
  }),
  newNonce: operation({
    ...open,
    id: `getNonce_${suffix}`,
    summary: 'New Nonce',
    method: 'GET',
    path: `${base}/new-nonce`,
    params,
    success: { status: 204 },
  }),
  headNonce: operation({
    ...open,
    id: `headNonce_${suffix}`,
    summary: 'New Nonce',
    method: 'HEAD',
    path: `${base}/new-nonce`,
    params,
    success: { status: 200 },
  }),
  /** Signed variants of the two operations above: POST-as-GET must be supported wherever GET is (RFC 8555 §6.3). */
  directoryByPost: operation({
    ...signed,
    id: `readDirectory_${suffix}`,
    summary: 'Get Directory information',
    path: `${base}/directory`,
    params,
    success: { status: 200, body: AcmeDirectory },
  }),
  newNonceByPost: operation({
    ...signed,
    id: `readNonce_${suffix}`,
    summary: 'New Nonce',
    path: `${base}/new-nonce`,
    params,
    success: { status: 204 },
  }),
});

const accountOperations = <const Base extends string>({ suffix, base, params }: Family<Base>) => ({
  newAccount: operation({
    ...signed,
    id: `newAccount_${suffix}`,
    summary: 'Create Account',
    path: `${base}/new-account`,
    params,
    body: AcmeAccountRequest,
    success: { status: 201, alternative: 200, body: AcmeAccount },
  }),
  updateAccount: operation({
    ...signed,
    id: `updateAccount_${suffix}`,
    summary: 'Update Account',
    path: `${base}/acct/{accountId}`,
    params: params.extend({ accountId: z.string() }),
    body: AcmeAccountRequest,
    success: { status: 200, body: AcmeAccount },
  }),
  keyChange: operation({
    ...signed,
    id: `keyRollover_${suffix}`,
    summary: 'Key Rollover',
    path: `${base}/key-change`,
    params,
    body: AcmeKeyChange,
    success: { status: 200, body: z.object({}) },
    errors: [400, 401, 403, 404, 409, 500],
  }),
});

/** Operations on an order, its authorizations and its challenges. */
const orderOperations = <const Base extends string>({ suffix, base, params }: Family<Base>) => ({
  newOrder: operation({
    ...signed,
    id: `newOrder_${suffix}`,
    summary: 'Request new Order',
    path: `${base}/new-order`,
    params,
    body: AcmeOrderRequest,
    success: { status: 201, body: AcmeOrder },
  }),
  listOrders: operation({
    ...signed,
    id: `listOrders_${suffix}`,
    summary: 'List Orders',
    path: `${base}/orders/{accountId}`,
    params: params.extend({ accountId: z.string() }),
    success: { status: 200, body: AcmeOrderList },
  }),
  authorization: operation({
    ...signed,
    id: `getAuthorizations_${suffix}`,
    summary: 'Get Authorizations for an Order',
    path: `${base}/authz/{authorizationId}`,
    params: params.extend({ authorizationId: z.string() }),
    body: z.string(),
    success: { status: 200, body: AcmeAuthorization },
  }),
  challenge: operation({
    ...signed,
    id: `validateChallenge_${suffix}`,
    summary: 'Validate Challenge',
    path: `${base}/chall/{challengeId}`,
    params: params.extend({ challengeId: z.string() }),
    body: z.looseObject({}),
    success: { status: 200, body: AcmeChallenge },
  }),
  order: operation({
    ...signed,
    id: `getOrder_${suffix}`,
    summary: 'Get Order details',
    path: `${base}/order/{orderId}`,
    params: params.extend({ orderId: z.string() }),
    success: { status: 200, body: AcmeOrder },
  }),
  finalize: operation({
    ...signed,
    id: `finalizeOrder_${suffix}`,
    summary: 'Finalize Order',
    path: `${base}/order/{orderId}/finalize`,
    params: params.extend({ orderId: z.string() }),
    body: AcmeFinalizeRequest,
    success: { status: 200, body: AcmeOrder },
  }),
});

const certificateOperations = <const Base extends string>({ suffix, base, params }: Family<Base>) => ({
  certificate: operation({
    ...signed,
    id: `downloadCertificate_${suffix}`,
    summary: 'Download Certificate',
    path: `${base}/cert/{certificateId}`,
    params: params.extend({ certificateId: z.string() }),
    success: { status: 200, body: z.string(), media: PEM_CHAIN },
  }),
  revokeCertificate: operation({
    ...signed,
    id: `revokeCertificate_${suffix}`,
    summary: 'Revoke Certificate',
    path: `${base}/revoke-cert`,
    params,
    body: AcmeRevocationRequest,
    success: { status: 200 },
  }),
  renewalInfo: operation({
    ...open,
    id: `getRenewalInfo_${suffix}`,
    summary: 'Get Renewal Information',
    method: 'GET',
    path: `${base}/renewal-info/{certificateId}`,
    params: params.extend({ certificateId: z.string() }),
    success: { status: 200, body: AcmeRenewalInfo },
  }),
});

/** Operations under the name of an ACME profile. */
export const acmeProfileFamily = operationsOf({
  suffix: 'Acme',
  base: '/v1/protocols/acme/{acmeProfileName}',
  params: z.object({ acmeProfileName: z.string() }),
});

/** Operations under the name of an RA profile for which an ACME profile is activated. */
export const acmeRaProfileFamily = operationsOf({
  suffix: 'AcmeRaProfile',
  base: '/v1/protocols/acme/raProfile/{raProfileName}',
  params: z.object({ raProfileName: z.string() }),
});

export type AcmeOperationName = keyof typeof acmeProfileFamily;

/** ACME operations, for the OpenAPI document. */
export const protocolOperations = [...Object.values(acmeProfileFamily), ...Object.values(acmeRaProfileFamily)];
