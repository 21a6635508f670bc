// A CMP client based on the platform's codec: creates messages, including malformed ones, and reads responses.
import {
  assemblePkiMessage,
  buildCertReqMsg,
  buildCertRequest,
  buildCertTemplate,
  buildName,
  buildProtectedPart,
  certificateHash,
  defaultSignatureAlgorithm,
  keylessSpki,
  macProtection,
  parseAlgorithm,
  parseCertificate,
  parseNameText,
  parsePublicKey,
  parsePkiMessage,
  passwordBasedMacAlgorithm,
  pbmac1Algorithm,
  readPkiBody,
  signatureProof,
  verifyMacProtection,
  type Certificate,
  type EncryptedKey,
  type PkiBody,
  type PkiBodyInput,
  type PkiMessage,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, nodeMacFunctions, shake256, type KeyPair } from '@signetry/pki/node';

export const CMP_TYPE = 'application/pkixcmp';

export interface MacSecret {
  readonly secret: string;
  readonly reference: string;
  readonly kind?: 'passwordBasedMac' | 'pbmac1';
  readonly iterations?: number;
}

/** State of a transaction, which the client's next message repeats. */
export interface CmpTransaction {
  readonly transactionId: Uint8Array;
  /** From the server's last response. */
  readonly recipientNonce?: Uint8Array | undefined;
}

export const newTransaction = (): CmpTransaction => ({ transactionId: nodeCrypto.randomBytes(16) });

/** Iteration counts beyond this are also rejected here. */
const MOST_ITERATIONS = 100_000;

/** Creates a protected message. */
export async function makeMessage(
  { transactionId, recipientNonce }: CmpTransaction,
  body: PkiBodyInput,
  mac: MacSecret & { readonly pvno?: number },
): Promise<Uint8Array> {
  const { secret, reference, kind, iterations = 1_000, pvno = 2 } = mac;
  const input = { salt: nodeCrypto.randomBytes(16), iterations };
  const algorithm = kind === 'pbmac1' ? pbmac1Algorithm(input) : passwordBasedMacAlgorithm(input);
  const nobody = { kind: 'directoryName', name: buildName([]) } as const;
  const part = buildProtectedPart(
    {
      pvno,
      sender: nobody,
      recipient: nobody,
      protectionAlgorithm: parseAlgorithm(algorithm),
      senderKid: Buffer.from(reference, 'latin1'),
      transactionId,
      senderNonce: nodeCrypto.randomBytes(16),
      recipientNonce,
      freeText: [],
      generalInfo: [],
    },
    body,
  );
  if (iterations > MOST_ITERATIONS) return assemblePkiMessage(part, { protection: nodeCrypto.randomBytes(32) });
  const options = { algorithm, secret: Buffer.from(secret), functions: nodeMacFunctions };
  return assemblePkiMessage(part, { protection: await macProtection(part, options) });
}

export interface MessageSigner {
  readonly certificate: Certificate;
  readonly privateKey: KeyPair['privateKey'];
}

/** Creates a message protected by a certificate. */
export function makeSignedMessage(
  { transactionId, recipientNonce }: CmpTransaction,
  body: PkiBodyInput,
  { certificate, privateKey, pvno = 2 }: MessageSigner & { readonly pvno?: number },
): Uint8Array {
  const algorithm = defaultSignatureAlgorithm(certificate.publicKey);
  const part = buildProtectedPart(
    {
      pvno,
      sender: { kind: 'directoryName', name: certificate.subject },
      recipient: { kind: 'directoryName', name: buildName([]) },
      protectionAlgorithm: algorithm,
      senderKid: certificate.subjectKeyIdentifier,
      transactionId,
      senderNonce: nodeCrypto.randomBytes(16),
      recipientNonce,
      freeText: [],
      generalInfo: [],
    },
    body,
  );
  const protection = nodeCrypto.sign(privateKey, { algorithm, data: part });
  return assemblePkiMessage(part, { protection, extraCerts: [certificate.der] });
}

/** Creates an `ir` for a new P-256 key, with proof of possession. */
export async function requestFor(subject: string, given?: KeyPair): Promise<PkiBodyInput> {
  const keys = given ?? (await generateKeyPair('P-256'));
  const template = buildCertTemplate({ subject: buildName(parseNameText(subject)), spki: keys.spki });
  const request = buildCertRequest({ certReqId: 0, template });
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(keys.spki));
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm, data: request });
  return { type: 'ir', requests: [buildCertReqMsg({ request, proof: signatureProof({ algorithm, signature }) })] };
}

/** Creates an `ir` without a key, for this algorithm if specified. */
export function keylessRequestFor(subject: string, algorithm?: Uint8Array): PkiBodyInput {
  const spki = algorithm && keylessSpki({ der: algorithm });
  const template = buildCertTemplate({ subject: buildName(parseNameText(subject)), spki });
  return { type: 'ir', requests: [buildCertReqMsg({ request: buildCertRequest({ certReqId: 0, template }) })] };
}

export const confirmationOf = (certificate: Certificate): PkiBodyInput => ({
  type: 'certConf',
  confirmations: [{ certReqId: 0, certHash: certificateHash(certificate, { digest: nodeCrypto.digest, shake256 }) }],
});

export interface CmpResponse {
  readonly message: PkiMessage;
  readonly body: PkiBody;
  /** State for the next message. */
  readonly transaction: CmpTransaction;
  readonly certificate: Certificate | undefined;
  /** Encrypted private key, if it was generated by the server. */
  readonly privateKey: EncryptedKey | undefined;
  /** Status of the first request. */
  readonly status: string | undefined;
  /** For an error or a rejected request: the bits of PKIFailureInfo, and the text. */
  readonly failures: readonly string[];
  readonly words: string;
  /** Returns true if the MAC is correct for this secret. */
  isProtectedBy(secret: string): Promise<boolean>;
}

export const post = (url: string, message: Uint8Array, contentType = CMP_TYPE): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': contentType }, body: Buffer.from(message) });

export async function exchange(url: string, message: Uint8Array): Promise<CmpResponse> {
  const response = await post(url, message);
  if (response.status !== 200 || response.headers.get('content-type') !== CMP_TYPE)
    throw new Error(`${response.status} ${response.headers.get('content-type')}: ${await response.text()}`);
  return readResponse(new Uint8Array(await response.arrayBuffer()));
}

export function readResponse(der: Uint8Array): CmpResponse {
  const answer = parsePkiMessage(der);
  const body = readPkiBody(answer);
  const { transactionId = new Uint8Array(), senderNonce } = answer.header;
  const [first] = 'responses' in body ? body.responses : [];
  const status = body.type === 'error' ? body.status : first?.status;
  return {
    message: answer,
    body,
    transaction: { transactionId, recipientNonce: senderNonce },
    certificate: first?.certificate && parseCertificate(first.certificate),
    privateKey: first?.privateKey,
    status: status?.status,
    failures: status?.failures ?? [],
    words: status?.texts.join(' ') ?? '',
    isProtectedBy: (secret) =>
      verifyMacProtection(answer, { secret: Buffer.from(secret), functions: nodeMacFunctions }),
  };
}
