// Generates CSRs with keys in tokens. The provider signs them; they are then parsed, verified and checked like a
// submitted request. Nothing is stored here.
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
import type { RequestInput } from '../issuance/check.ts';
import { requestedNames, type RequestedNames } from './csr-attributes.ts';

/** The keys with which the CSR is generated, as specified in a request body. */
export interface RequestKeys {
  readonly keyUuid?: string | undefined;
  readonly tokenProfileUuid?: string | undefined;
  readonly signatureAttributes?: readonly RequestAttributeDto[] | undefined;
  /** If present, the CSR is for a hybrid certificate. */
  readonly altKeyUuid?: string | undefined;
  readonly altTokenProfileUuid?: string | undefined;
  readonly altSignatureAttributes?: readonly RequestAttributeDto[] | undefined;
}

/** One of the keys, as specified in the body. */
interface NamedKey {
  readonly keyUuid: string;
  readonly profileUuid: string | undefined;
  readonly attributes: readonly RequestAttributeDto[] | undefined;
}

/** Key that will sign, and how. */
interface Signer {
  readonly key: SigningKey;
  readonly form: SignatureForm;
}

/** Keys, with the subject and names. */
export interface RequestSource extends RequestKeys {
  readonly csrAttributes?: readonly RequestAttributeDto[] | undefined;
}

/** The request in a body: either submitted or to be generated. */
export interface RequestBody {
  readonly request?: string | undefined;
  readonly format: 'pkcs10' | 'crmf';
}

export interface RequestBuilderParts {
  readonly keys: Pick<Keys, 'signing'>;
  readonly names: NameSource;
}

export type RequestBuilder = ReturnType<typeof createRequestBuilder>;

/** Permissions to use the keys in a body must have been checked before. */
export function createRequestBuilder({ keys: { signing }, names }: RequestBuilderParts) {
  const readSubmitted = async (request: string, format: RequestBody['format']): Promise<RequestFacts> =>
    readRequest(request, format, (await names()).codes);

  async function signerOf(
    { keyUuid, profileUuid, attributes = [] }: NamedKey,
    context: RequestContext,
  ): Promise<Signer> {
    const key = await signing.find(keyUuid, profileUuid);
    if (profileUuid === undefined) requireProfileAccess(key, context);
    return { key, form: signing.formOf(key, attributes) };
  }

  const sign = ({ key, form: { attributes } }: Signer, data: Uint8Array, context: RequestContext) =>
    signing.sign(key, { attributes, data }, context);

  async function buildRequest(
    wanted: RequestedNames,
    given: RequestKeys,
    context: RequestContext,
  ): Promise<RequestFacts> {
    const named = keyOf(given);
    if (!named) throw rejected('keyUuid: must specify the key to generate the request with');
    const signer = await signerOf(named, context);
    const namedAlternative = alternativeKeyOf(given);
    const alternative = namedAlternative && (await signerOf(namedAlternative, context));
    if (alternative?.key.uuid === signer.key.uuid) throw rejected('altKeyUuid: must differ from keyUuid');
    const input = { ...wanted, spki: signer.key.publicKey.spki };
    const attributes = alternative && (await alternativeAttributes(input, alternative, context));
    const info = infoOf({ ...input, ...(attributes ? { attributes } : {}) });
    return readSubmitted(pemOf(info, signer.form, await sign(signer, info, context)), 'pkcs10');
  }

  /** The alternative key signs first, because its signature is part of the data that the other key signs. */
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
    readSent: readSubmitted,

    /**
     * Returns the submitted request, or generates one when it is needed, so that nothing is signed for callers who are
     * rejected earlier.
     */
    async given(body: RequestBody & RequestSource, context: RequestContext): Promise<RequestInput> {
      const { request = '', format, csrAttributes = [] } = body;
      if (request !== '') return readSubmitted(request, format);
      assertComplete(body);
      return () => buildRequest(requestedNames(csrAttributes), body, context);
    },

    /**
     * Generates the request for a certificate's successor from the DER certificate: same subject and subject
     * alternative names, but a different key.
     */
    async again(
      body: Pick<RequestBody, 'format'> & RequestKeys,
      predecessor: Uint8Array,
      context: RequestContext,
    ): Promise<RequestFacts> {
      assertFormatSupported(body);
      const certificate = parseCertificate(predecessor);
      if (isHybrid(certificate) && body.altKeyUuid === undefined)
        throw rejected('altKeyUuid: required, because the certificate is hybrid and needs a new alternative key');
      const { subjectDer, extensions } = certificate;
      const wanted = { subject: subjectDer, extensions: extensions.filter(({ oid }) => oid === OID.subjectAltName) };
      return buildRequest(wanted, body, context);
    },
  };
}

const keyOf = (given: RequestKeys): NamedKey | undefined => {
  const { keyUuid, tokenProfileUuid: profileUuid, signatureAttributes: attributes } = given;
  return keyUuid === undefined ? undefined : { keyUuid, profileUuid, attributes };
};

const alternativeKeyOf = (given: RequestKeys): NamedKey | undefined => {
  const { altKeyUuid: keyUuid, altTokenProfileUuid: profileUuid, altSignatureAttributes: attributes } = given;
  return keyUuid === undefined ? undefined : { keyUuid, profileUuid, attributes };
};

function assertComplete(body: RequestBody & RequestKeys): void {
  if (body.keyUuid === undefined)
    throw new AppError('invalid_fields', {
      problems: ['request: required unless a key in a token is specified (keyUuid and tokenProfileUuid)'],
    });
  assertFormatSupported(body);
  if (body.tokenProfileUuid === undefined)
    throw rejected('tokenProfileUuid: must specify the token profile of the key');
  if (body.altKeyUuid !== undefined && body.altTokenProfileUuid === undefined)
    throw rejected('altTokenProfileUuid: must specify the token profile of the alternative key');
}

function assertFormatSupported({ format }: Pick<RequestBody, 'format'>): void {
  if (format === 'crmf') throw new AppError('not_supported', { what: 'Generating requests in the format crmf' });
}

/**
 * Checks access to the key's token profile. This is necessary if the body does not specify a profile, because only
 * profiles in the body are checked beforehand.
 */
const requireProfileAccess = ({ name, tokenProfileUuid }: SigningKey, context: RequestContext): void =>
  requirePermission(context, {
    resource: 'tokenProfiles',
    action: 'detail',
    objects: [tokenProfileUuid],
    name: `token profile of the key ${name}`,
  });

function infoOf(input: CertificationRequestInput): Uint8Array {
  try {
    return buildCertificationRequestInfo(input);
  } catch (error) {
    if (isPkiError(error)) throw rejected(`request: cannot be generated: ${error.message}`);
    throw error;
  }
}

const pemOf = (info: Uint8Array, { algorithm }: SignatureForm, signature: Uint8Array): string =>
  writePem('CERTIFICATE REQUEST', assembleCertificationRequest(info, { algorithm, signature }));
