// Encoding of PKIBody (RFC 9810 §5.1.2, §5.3).
import { BODY_TAGS, type CertResponse, type PollWait, type RequestType, type ResponseType } from './body.ts';
import { certReqMessagesPart } from '../crmf/request.ts';
import { crmfCertIdPart, type CrmfCertId } from '../crmf/controls.ts';
import { encryptedKeyPart } from '../crmf/encrypted-key.ts';
import { explicitPart, integerPart, nullPart, octetStringPart, sequence, type DerPart } from '../der/writer.ts';
import { extensionsPart, type ExtensionInput } from '../x509/extension-parts.ts';
import { freeTextPart, pkiStatusInfoPart, type PkiStatusInput } from './status.ts';
import { infosPart } from './info.ts';
import { PkiError } from '../errors.ts';
import type { AlgorithmIdentifier } from '../algorithms.ts';
import type { CertTemplate } from '../crmf/template.ts';
import type { SymmetricBody } from './body.ts';

export interface CertResponseInput extends Partial<
  Pick<CertResponse, 'certificate' | 'encryptedCertificate' | 'privateKey' | 'rspInfo'>
> {
  readonly certReqId: number;
  readonly status: PkiStatusInput;
}

export interface RevocationDetailsInput {
  readonly template: Pick<CertTemplate, 'der'>;
  readonly crlEntryDetails?: readonly ExtensionInput[];
}

export interface CertConfirmationInput {
  readonly certHash: Uint8Array;
  readonly certReqId: number;
  readonly status?: PkiStatusInput | undefined;
  readonly hashAlgorithm?: Pick<AlgorithmIdentifier, 'der'> | undefined;
}

/** A body to encode. Messages, requests, certificates and CRLs must already be encoded. */
export type PkiBodyInput =
  | SymmetricBody
  | { readonly type: RequestType; readonly requests: readonly Uint8Array[] }
  | {
      readonly type: ResponseType;
      readonly caPubs?: readonly Uint8Array[];
      readonly responses: readonly CertResponseInput[];
    }
  | { readonly type: 'p10cr'; readonly request: Uint8Array }
  | { readonly type: 'rr'; readonly details: readonly RevocationDetailsInput[] }
  | {
      readonly type: 'rp';
      readonly statuses: readonly PkiStatusInput[];
      readonly certIds?: readonly Pick<CrmfCertId, 'issuer' | 'serialBytes'>[];
      readonly crls?: readonly Uint8Array[];
    }
  | { readonly type: 'certConf'; readonly confirmations: readonly CertConfirmationInput[] }
  | {
      readonly type: 'error';
      readonly status: PkiStatusInput;
      readonly errorCode?: number | undefined;
      readonly details?: readonly string[];
    };

/** Encodes a PKIBody. Throws `PkiError` `bad-argument`. */
export function pkiBodyPart(body: PkiBodyInput): DerPart {
  return explicitPart(BODY_TAGS[body.type], contentPart(body));
}

function contentPart(body: PkiBodyInput): DerPart {
  switch (body.type) {
    case 'ir':
    case 'cr':
    case 'kur':
    case 'krr':
    case 'ccr':
      return certReqMessagesPart(body.requests);
    case 'ip':
    case 'cp':
    case 'kup':
    case 'ccp':
      return sequence([listPart(1, body.caPubs), sequence(body.responses.map(certResponsePart))]);
    case 'p10cr':
      return body.request;
    case 'rr':
      return sequence(body.details.map(revocationPart));
    case 'rp':
      return sequence([
        sequence(body.statuses.map(pkiStatusInfoPart)),
        listPart(0, body.certIds?.map(crmfCertIdPart)),
        listPart(1, body.crls),
      ]);
    case 'genm':
    case 'genp':
      return infosPart(body.infos);
    case 'certConf':
      return sequence(body.confirmations.map(confirmationPart));
    case 'pkiconf':
      return nullPart();
    case 'pollReq':
      return sequence(body.certReqIds.map((id) => sequence([integerPart(id)])));
    case 'pollRep':
      return sequence(body.waits.map(pollWaitPart));
    case 'nested':
      if (body.messages.length === 0)
        throw new PkiError('bad-argument', 'A nested message must contain at least one message.');
      return sequence(body.messages);
    case 'error':
      return errorPart(body);
    default:
      return body.value;
  }
}

function listPart(number: number, parts: readonly DerPart[] = []): DerPart | undefined {
  return parts.length === 0 ? undefined : explicitPart(number, sequence(parts));
}

function certResponsePart(response: CertResponseInput): DerPart {
  const { certReqId, status, rspInfo } = response;
  return sequence([
    integerPart(certReqId),
    pkiStatusInfoPart(status),
    certifiedKeyPairPart(response),
    rspInfo && octetStringPart(rspInfo),
  ]);
}

function certifiedKeyPairPart(response: CertResponseInput): DerPart | undefined {
  const { certificate, encryptedCertificate, privateKey } = response;
  const key = privateKey && explicitPart(0, encryptedKeyPart(privateKey));
  if (certificate !== undefined) return sequence([explicitPart(0, certificate), key]);
  if (encryptedCertificate !== undefined)
    return sequence([explicitPart(1, encryptedKeyPart(encryptedCertificate)), key]);
  if (key !== undefined)
    throw new PkiError('bad-argument', 'A private key must be returned together with its certificate.');
  return undefined;
}

function revocationPart({ template, crlEntryDetails = [] }: RevocationDetailsInput): DerPart {
  return sequence([template.der, crlEntryDetails.length === 0 ? undefined : extensionsPart(crlEntryDetails)]);
}

function confirmationPart({ certHash, certReqId, status, hashAlgorithm }: CertConfirmationInput): DerPart {
  return sequence([
    octetStringPart(certHash),
    integerPart(certReqId),
    status && pkiStatusInfoPart(status),
    hashAlgorithm && explicitPart(0, hashAlgorithm.der),
  ]);
}

function pollWaitPart({ certReqId, checkAfterSeconds, reason }: PollWait): DerPart {
  return sequence([integerPart(certReqId), integerPart(checkAfterSeconds), freeTextPart(reason)]);
}

function errorPart(body: Extract<PkiBodyInput, { type: 'error' }>): DerPart {
  const { status, errorCode, details } = body;
  return sequence([
    pkiStatusInfoPart(status),
    errorCode === undefined ? undefined : integerPart(errorCode),
    freeTextPart(details),
  ]);
}
