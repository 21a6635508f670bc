// CMP messages for tests, including incorrect ones, and a parser for the responses.
import {
  assemblePkiMessage,
  buildCertReqMsg,
  buildCertRequest,
  buildCertTemplate,
  buildName,
  buildProtectedPart,
  defaultSignatureAlgorithm,
  macProtection,
  parseAlgorithm,
  parseCertificate,
  parseNameText,
  parsePkiMessage,
  parsePublicKey,
  passwordBasedMacAlgorithm,
  pbmac1Algorithm,
  readPkiBody,
  signatureProof,
  verifyMacProtection,
  type Control,
  type GeneralName,
  type MacLimits,
  type PkiBodyInput,
  type PkiHeaderInput,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, nodeMacFunctions, type KeyPair } from '@signetry/pki/node';
import type { TestCertificate } from '../../../areas/certificates/testing/test-certificates.ts';

export const SECRET = 'a secret of the factory';

const NOBODY: GeneralName = { kind: 'directoryName', name: buildName([]) };
export const ERROR_BODY: PkiBodyInput = { type: 'error', status: { status: 'rejection' } };

export type HeaderSpec = Partial<PkiHeaderInput>;

/** Creates a header that passes all checks, unless overridden. */
export const headerOf = (wish: HeaderSpec = {}): PkiHeaderInput => ({
  pvno: 2,
  sender: NOBODY,
  recipient: NOBODY,
  transactionId: nodeCrypto.randomBytes(16),
  senderNonce: nodeCrypto.randomBytes(16),
  ...wish,
});

export const plainMessage = (body: PkiBodyInput, wish: HeaderSpec = {}): Uint8Array =>
  assemblePkiMessage(buildProtectedPart(headerOf(wish), body));

export interface MacSpec extends HeaderSpec {
  readonly secret?: string;
  readonly kind?: 'passwordBasedMac' | 'pbmac1';
  readonly iterations?: number;
  readonly saltLength?: number;
  /** Changes header and body before the MAC is computed. */
  readonly alter?: (part: Uint8Array) => unknown;
}

export const macAlgorithm = ({ kind, iterations = 500, saltLength = 16 }: MacSpec = {}): Uint8Array => {
  const input = { salt: nodeCrypto.randomBytes(saltLength), iterations };
  return kind === 'pbmac1' ? pbmac1Algorithm(input) : passwordBasedMacAlgorithm(input);
};

export async function macMessage(body: PkiBodyInput, wish: MacSpec = {}): Promise<Uint8Array> {
  const { secret = SECRET, alter, kind: _kind, iterations: _iterations, saltLength: _saltLength, ...header } = wish;
  const algorithm = macAlgorithm(wish);
  const part = buildProtectedPart(headerOf({ protectionAlgorithm: parseAlgorithm(algorithm), ...header }), body);
  alter?.(part);
  const limits = { maxIterations: 1_000_000 }; // The server must enforce its own limit.
  const options = { algorithm, secret: Buffer.from(secret), functions: nodeMacFunctions, limits };
  return assemblePkiMessage(part, { protection: await macProtection(part, options) });
}

/** Creates a message whose MAC was not computed and can specify any number of iterations. */
export function costlyMessage(body: PkiBodyInput, iterations: number): Uint8Array {
  const protectionAlgorithm = parseAlgorithm(macAlgorithm({ iterations }));
  const part = buildProtectedPart(headerOf({ protectionAlgorithm }), body);
  return assemblePkiMessage(part, { protection: nodeCrypto.randomBytes(32) });
}

export interface SignatureSpec extends HeaderSpec {
  /** A key other than the certificate's. */
  readonly keys?: KeyPair;
  /** Replaces the signer's certificate as the only entry. */
  readonly extraCerts?: readonly Uint8Array[];
}

export function signedMessage(body: PkiBodyInput, signer: TestCertificate, wish: SignatureSpec = {}): Uint8Array {
  const { keys = signer.keys, extraCerts = [signer.der], ...header } = wish;
  const { subject, subjectKeyIdentifier } = parseCertificate(signer.der);
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const own = headerOf({
    sender: { kind: 'directoryName', name: subject },
    senderKid: subjectKeyIdentifier,
    protectionAlgorithm: algorithm,
    ...header,
  });
  const part = buildProtectedPart(own, body);
  return assemblePkiMessage(part, {
    protection: nodeCrypto.sign(keys.privateKey, { algorithm, data: part }),
    extraCerts,
  });
}

export interface RequestSpec {
  readonly subject?: string;
  readonly keys?: KeyPair;
  readonly controls?: readonly Control[];
  /** Encoded, or `none`; by default, the key signs the request. */
  readonly proof?: Uint8Array | 'none';
  readonly isKeyless?: boolean;
  readonly certReqId?: number;
}

/** Creates an encoded CRMF request. */
export async function certReqMsg(wish: RequestSpec = {}): Promise<Uint8Array> {
  const { subject = 'CN=device.example', keys = await generateKeyPair('P-256'), controls = [], proof } = wish;
  const spki = wish.isKeyless ? undefined : keys.spki;
  const template = buildCertTemplate({ subject: buildName(parseNameText(subject)), spki });
  const request = buildCertRequest({ certReqId: wish.certReqId ?? 0, template, controls });
  if (proof === 'none' || wish.isKeyless) return buildCertReqMsg({ request });
  if (proof) return buildCertReqMsg({ request, proof });
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm, data: request });
  return buildCertReqMsg({ request, proof: signatureProof({ algorithm, signature }) });
}

/** Parses a response: the type of its body, and the failure bits and text of a rejection. */
export function readResponse(der: Uint8Array) {
  const message = parsePkiMessage(der);
  const body = readPkiBody(message);
  const [first] = 'responses' in body ? body.responses : [];
  const status = body.type === 'error' ? body.status : first?.status;
  return {
    message,
    body,
    type: body.type,
    failures: status?.failures ?? [],
    words: status?.texts.join(' ') ?? '',
    isProtectedBy: (secret: string, limits?: MacLimits) =>
      verifyMacProtection(message, { secret: Buffer.from(secret), functions: nodeMacFunctions, limits }),
  };
}
