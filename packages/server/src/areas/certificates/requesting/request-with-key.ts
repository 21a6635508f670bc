// Certification requests that the platform makes with keys in tokens: signed by the provider, then read, verified and
// judged like a request that somebody sent. Nothing is stored here.
import type { RequestAttributeDto } from '@signetry/contract';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  isPkiError,
  OID,
  parseCertificate,
  writePem,
  type CertificationRequestInput,
} from '@signetry/pki';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, rejected } from '../../../kernel/errors.ts';
import { requirePermission } from '../../identity/index.ts';
import type { Keys, SignatureForm, SigningKey } from '../../keys/index.ts';
import type { NameSource } from '../core/ports.ts';
import { readRequest, type RequestFacts } from '../core/read-request.ts';
import { requestedNames, type RequestedNames } from './csr-attributes.ts';

/** What a body says about the keys that its request is to be made with. */
export interface RequestingKeys {
  readonly keyUuid?: string | undefined;
  readonly tokenProfileUuid?: string | undefined;
  readonly signatureAttributes?: readonly RequestAttributeDto[] | undefined;
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

  async function make(wanted: RequestedNames, given: RequestingKeys, context: RequestContext): Promise<RequestFacts> {
    const { keyUuid, tokenProfileUuid, signatureAttributes = [] } = given;
    if (keyUuid === undefined) throw rejected('keyUuid: a key to make the request with is needed');
    const key = await signing.find(keyUuid, tokenProfileUuid);
    if (tokenProfileUuid === undefined) requireSight(key, context);
    const form = signing.formOf(key, signatureAttributes);
    const info = infoOf({ ...wanted, spki: key.publicKey.spki });
    const signature = await signing.sign(key, { attributes: form.attributes, data: info }, context);
    return readSent(pemOf(info, form, signature), 'pkcs10');
  }

  return {
    readSent,

    /** The request that was sent, or one that is made once it is needed: whoever is refused before signs nothing. */
    given(body: GivenRequest & RequestSource, context: RequestContext): () => Promise<RequestFacts> {
      const { request = '', format } = body;
      if (request !== '') return () => readSent(request, format);
      return async () => {
        if (body.keyUuid === undefined) throw noRequest();
        assertPossible(body);
        if (body.tokenProfileUuid === undefined)
          throw rejected('tokenProfileUuid: the token profile of the key is needed');
        return make(requestedNames(body.csrAttributes ?? []), body, context);
      };
    },

    /** For the successor of a certificate, in DER: its subject and alternative names as they are, with another key. */
    async again(
      body: Pick<GivenRequest, 'format'> & RequestingKeys,
      predecessor: Uint8Array,
      context: RequestContext,
    ): Promise<RequestFacts> {
      assertPossible(body);
      const { subjectDer, extensions } = parseCertificate(predecessor);
      const wanted = { subject: subjectDer, extensions: extensions.filter(({ oid }) => oid === OID.subjectAltName) };
      return make(wanted, body, context);
    },
  };
}

const noRequest = (): AppError =>
  new AppError('invalid_fields', {
    problems: ['request: a certification request is needed, or a key in a token (keyUuid and tokenProfileUuid)'],
  });

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
