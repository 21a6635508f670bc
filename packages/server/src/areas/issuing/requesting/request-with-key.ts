// Certification requests that the platform makes with keys in tokens: signed by the provider, then read, verified and
// judged like a request that somebody sent. Nothing is stored here.
import type { RequestAttributeDto } from '@signetry/contract';
import {
  alternativeKeyAttributes,
  alternativeSignatureAttribute,
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  isHybrid,
  isPkiError,
  OID,
  parseCertificate,
  writePem,
  type CertificationRequestInput,
  type RequestAttribute,
} from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { requirePermission } from '../../identity/index.ts';
import type { Keys, SignatureForm, SigningKey } from '../../keys/index.ts';
import { readRequest, type NameSource, type RequestFacts } from '../../certificates/index.ts';
import type { Requested } from '../issuance/check.ts';
import { requestedNames, type RequestedNames } from './csr-attributes.ts';

/** What a body says about the keys that its request is to be made with. */
export interface RequestingKeys {
  readonly keyUuid?: string | undefined;
  readonly tokenProfileUuid?: string | undefined;
  readonly signatureAttributes?: readonly RequestAttributeDto[] | undefined;
  /** A second key makes it a request for a hybrid certificate. */
  readonly altKeyUuid?: string | undefined;
  readonly altTokenProfileUuid?: string | undefined;
  readonly altSignatureAttributes?: readonly RequestAttributeDto[] | undefined;
}

/** One of the keys, as it was named. */
interface NamedKey {
  readonly keyUuid: string;
  readonly profileUuid: string | undefined;
  readonly attributes: readonly RequestAttributeDto[] | undefined;
}

/** A key that is going to sign, and how. */
interface Signer {
  readonly key: SigningKey;
  readonly form: SignatureForm;
}

/** With the subject and names. */
export interface RequestSource extends RequestingKeys {
  readonly csrAttributes?: readonly RequestAttributeDto[] | undefined;
}

/** A request as bodies have it: sent, or to be made. */
export interface GivenRequest {
  readonly request?: string | undefined;
  readonly format: 'pkcs10' | 'crmf';
}

export interface RequestMakerParts {
  readonly keys: Pick<Keys, 'signing'>;
  readonly names: NameSource;
}

export type RequestMaker = ReturnType<typeof createRequestMaker>;

/** The rights to use the keys that a body names were asked for before. */
export function createRequestMaker({ keys: { signing }, names }: RequestMakerParts) {
  const readSent = async (request: string, format: GivenRequest['format']): Promise<RequestFacts> =>
    readRequest(request, format, (await names()).codes);

  async function signerOf(
    { keyUuid, profileUuid, attributes = [] }: NamedKey,
    context: RequestContext,
  ): Promise<Signer> {
    const key = await signing.find(keyUuid, profileUuid);
    if (profileUuid === undefined) requireSight(key, context);
    return { key, form: signing.formOf(key, attributes) };
  }

  const sign = ({ key, form: { attributes } }: Signer, data: Uint8Array, context: RequestContext) =>
    signing.sign(key, { attributes, data }, context);

  async function make(wanted: RequestedNames, given: RequestingKeys, context: RequestContext): Promise<RequestFacts> {
    const named = keyOf(given);
    if (!named) throw rejected('keyUuid: a key to make the request with is needed');
    const signer = await signerOf(named, context);
    const namedAlternative = alternativeKeyOf(given);
    const alternative = namedAlternative && (await signerOf(namedAlternative, context));
    if (alternative?.key.uuid === signer.key.uuid) throw rejected('altKeyUuid: another key than keyUuid is needed');
    const input = { ...wanted, spki: signer.key.publicKey.spki };
    const attributes = alternative && (await alternativeAttributes(input, alternative, context));
    const info = infoOf({ ...input, ...(attributes ? { attributes } : {}) });
    return readSent(pemOf(info, signer.form, await sign(signer, info, context)), 'pkcs10');
  }

  /** The alternative key signs first: what the other one signs holds its signature. */
  async function alternativeAttributes(
    input: CertificationRequestInput,
    alternative: Signer,
    context: RequestContext,
  ): Promise<RequestAttribute[]> {
    const announced = alternativeKeyAttributes(alternative.key.publicKey.spki, alternative.form.algorithm);
    const signature = await sign(alternative, infoOf({ ...input, attributes: announced }), context);
    return [...announced, alternativeSignatureAttribute(signature)];
  }

  return {
    readSent,

    /** The request that was sent; or one that is made when it is needed: whoever is refused before signs nothing. */
    async given(body: GivenRequest & RequestSource, context: RequestContext): Promise<Requested> {
      const { request = '', format, csrAttributes = [] } = body;
      if (request !== '') return readSent(request, format);
      assertComplete(body);
      return () => make(requestedNames(csrAttributes), body, context);
    },

    /** For the successor of a certificate, in DER: its subject and alternative names as they are, with another key. */
    async again(
      body: Pick<GivenRequest, 'format'> & RequestingKeys,
      predecessor: Uint8Array,
      context: RequestContext,
    ): Promise<RequestFacts> {
      assertPossible(body);
      const certificate = parseCertificate(predecessor);
      if (isHybrid(certificate) && body.altKeyUuid === undefined)
        throw rejected('altKeyUuid: the certificate is a hybrid one, so a new alternative key is needed, too');
      const { subjectDer, extensions } = certificate;
      const wanted = { subject: subjectDer, extensions: extensions.filter(({ oid }) => oid === OID.subjectAltName) };
      return make(wanted, body, context);
    },
  };
}

const keyOf = (given: RequestingKeys): NamedKey | undefined => {
  const { keyUuid, tokenProfileUuid: profileUuid, signatureAttributes: attributes } = given;
  return keyUuid === undefined ? undefined : { keyUuid, profileUuid, attributes };
};

const alternativeKeyOf = (given: RequestingKeys): NamedKey | undefined => {
  const { altKeyUuid: keyUuid, altTokenProfileUuid: profileUuid, altSignatureAttributes: attributes } = given;
  return keyUuid === undefined ? undefined : { keyUuid, profileUuid, attributes };
};

function assertComplete(body: GivenRequest & RequestingKeys): void {
  if (body.keyUuid === undefined)
    throw new AppError('invalid_fields', {
      problems: ['request: is missing; without one, name a key in a token (keyUuid and tokenProfileUuid)'],
    });
  assertPossible(body);
  if (body.tokenProfileUuid === undefined) throw rejected('tokenProfileUuid: the token profile of the key is needed');
  if (body.altKeyUuid !== undefined && body.altTokenProfileUuid === undefined)
    throw rejected('altTokenProfileUuid: the token profile of the alternative key is needed');
}

function assertPossible({ format }: Pick<GivenRequest, 'format'>): void {
  if (format === 'crmf') throw new AppError('not_supported', { what: 'Making requests in the format crmf' });
}

/** The profile of the key, where none is named that the right was asked for. */
const requireSight = ({ name, tokenProfileUuid }: SigningKey, context: RequestContext): void =>
  requirePermission(context, {
    resource: 'tokenProfiles',
    action: 'detail',
    objects: [tokenProfileUuid],
    name: `for the token profile of the key ${name}`,
  });

function infoOf(input: CertificationRequestInput): Uint8Array {
  try {
    return buildCertificationRequestInfo(input);
  } catch (error) {
    if (isPkiError(error)) throw rejected(`request: it cannot be made: ${error.message}`);
    throw error;
  }
}

const pemOf = (info: Uint8Array, { algorithm }: SignatureForm, signature: Uint8Array): string =>
  writePem('CERTIFICATE REQUEST', assembleCertificationRequest(info, { algorithm, signature }));
