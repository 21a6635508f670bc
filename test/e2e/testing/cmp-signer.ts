// Signed CMP messages, messages forwarded by registration authorities, and the requests in them.
import {
  assemblePkiMessage,
  buildCertReqMsg,
  buildCertRequest,
  buildCertTemplate,
  buildName,
  buildProtectedPart,
  parseAlgorithm,
  parseCertificate,
  parseNameText,
  parsePkiMessage,
  RA_VERIFIED,
  signatureAlgorithm,
  signatureProof,
  subjectAltNameExtension,
  type ExtensionInput,
  type PkiBodyInput,
} from '@signetry/pki';
import { generateKeyPair, nodeCrypto, type KeyPair } from '@signetry/pki/node';
import type { CmpTransaction } from './cmp-client.ts';
import type { ExternalAuthority } from './external-authority.ts';

const ECDSA = signatureAlgorithm('SHA256withECDSA');

export interface CmpSigner {
  readonly certificate: Uint8Array;
  /** P-256. */
  readonly keys: KeyPair;
  /** Sent after the certificate. */
  readonly chain?: readonly Uint8Array[];
}

export const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64');

export async function signerOf(
  authority: ExternalAuthority,
  subject: string,
  extensions?: readonly ExtensionInput[],
): Promise<CmpSigner> {
  const keys = await generateKeyPair('P-256');
  const wish = extensions ? { extensions } : {};
  return { certificate: authority.issue({ subject, spki: keys.spki, ...wish }), keys };
}

export interface SignedHeader extends CmpTransaction {
  readonly senderNonce?: Uint8Array | undefined;
  readonly pvno?: number;
}

export function signMessage(header: SignedHeader, body: PkiBodyInput, signer: CmpSigner): Uint8Array {
  const { subject, subjectKeyIdentifier } = parseCertificate(signer.certificate);
  const { pvno = 2, senderNonce = nodeCrypto.randomBytes(16), ...identifiers } = header;
  const part = buildProtectedPart(
    {
      pvno,
      sender: { kind: 'directoryName', name: subject },
      recipient: { kind: 'directoryName', name: buildName([]) },
      protectionAlgorithm: parseAlgorithm(ECDSA.der),
      senderKid: subjectKeyIdentifier,
      senderNonce,
      ...identifiers,
    },
    body,
  );
  const protection = nodeCrypto.sign(signer.keys.privateKey, { algorithm: ECDSA, data: part });
  return assemblePkiMessage(part, { protection, extraCerts: [signer.certificate, ...(signer.chain ?? [])] });
}

/** Wraps multiple messages in one. */
export const batchOf = (
  messages: readonly Uint8Array[],
  signer: CmpSigner,
  header: SignedHeader = { transactionId: nodeCrypto.randomBytes(16) },
): Uint8Array => signMessage(header, { type: 'nested', messages }, signer);

/** Wraps one message with an additional protection, in the same transaction. */
export function forwardMessage(message: Uint8Array, signer: CmpSigner, more: Partial<SignedHeader> = {}): Uint8Array {
  const { transactionId = new Uint8Array(), senderNonce, recipientNonce } = parsePkiMessage(message).header;
  return batchOf([message], signer, { transactionId, senderNonce, recipientNonce, ...more });
}

interface RequestSpec {
  readonly keys?: KeyPair;
  /** If absent, the request's key signs it. */
  readonly proof?: 'raVerified' | 'none';
  readonly withKey?: boolean;
  readonly dnsNames?: readonly string[];
}

/** Returns one encoded CRMF request. */
export async function certReqMsg(subject: string, wish: RequestSpec = {}): Promise<Uint8Array> {
  const { keys = await generateKeyPair('P-256'), proof, withKey = true, dnsNames = [] } = wish;
  const spki = withKey ? keys.spki : undefined;
  const names = dnsNames.map((value) => ({ kind: 'dNSName', value }) as const);
  const extensions = names.length === 0 ? undefined : [subjectAltNameExtension(names)];
  const template = buildCertTemplate({ subject: buildName(parseNameText(subject)), spki, extensions });
  const request = buildCertRequest({ certReqId: 0, template });
  if (proof) return buildCertReqMsg({ request, proof: proof === 'none' ? undefined : RA_VERIFIED });
  const signature = nodeCrypto.sign(keys.privateKey, { algorithm: ECDSA, data: request });
  return buildCertReqMsg({ request, proof: signatureProof({ algorithm: ECDSA, signature }) });
}

export const irOf = async (subject: string, wish: RequestSpec = {}): Promise<PkiBodyInput> => ({
  type: 'ir',
  requests: [await certReqMsg(subject, wish)],
});
