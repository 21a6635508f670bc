// CMP, SCEP and EST messages as devices send them, and everything that a server reads from them before it can
// authenticate the sender.
import {
  assembleCertificationRequest,
  assemblePkiMessage,
  assembleScepMessage,
  buildCertificationRequestInfo,
  buildCertReqMsg,
  buildCertRequest,
  buildCertTemplate,
  buildContentInfo,
  buildInfo,
  buildIssuerAndSerialNumber,
  buildIssuerAndSubject,
  buildProtectedPart,
  buildSignedAttributes,
  certificateHash,
  controlValue,
  infoName,
  infoValue,
  issuerAndSerialOf,
  OID,
  oldCertIdControl,
  openContentInfo,
  parseCertificationRequest,
  parseCertTemplate,
  parseEnvelopedData,
  parsePkiMessage,
  protectionCertificate,
  protectionKind,
  readIssuerAndSerialNumber,
  readIssuerAndSubject,
  readPkiBody,
  readScepMessage,
  RA_VERIFIED,
  requestInfo,
  scepAttributes,
  sealEnvelope,
  verifySigner,
  type PkiBodyInput,
  type PkiHeaderInput,
} from '../src/index.ts';
import { nodeCmsCrypto, nodeCrypto, shake256 } from '../src/node/index.ts';
import { issue, NOW_MS, testKeys, type TestEntity } from '../src/testing/authority.ts';

export interface EnrollmentMessage {
  readonly name: string;
  readonly octets: Uint8Array;
  readonly read: (octets: Uint8Array) => unknown;
}

const IDENTIFIER = Uint8Array.from({ length: 16 }, (_, index) => index + 1);

export async function enrollmentMessages(): Promise<readonly EnrollmentMessage[]> {
  const root = await issue({ subject: 'CN=Root,O=Example', keys: await testKeys('RSA-2048') });
  const device = await issue({ subject: 'CN=device', issuer: root });
  const info = buildCertificationRequestInfo({ subject: device.name, spki: device.keys.spki });
  const request = assembleCertificationRequest(info, device.sign(info));
  return [
    ...cmpMessages({ root, device, request }),
    ...(await scepMessages({ root, device, request })),
    { name: 'PKCS#10 request', octets: request, read: parseCertificationRequest },
  ];
}

interface Parties {
  readonly root: TestEntity;
  readonly device: TestEntity;
  readonly request: Uint8Array;
}

function cmpMessages({ root, device, request }: Parties): EnrollmentMessage[] {
  const header: PkiHeaderInput = {
    pvno: 2,
    sender: { kind: 'directoryName', name: device.name },
    recipient: { kind: 'directoryName', name: root.name },
    messageTimeMs: NOW_MS,
    protectionAlgorithm: device.algorithm,
    senderKid: device.keyId,
    transactionId: IDENTIFIER,
    senderNonce: IDENTIFIER,
    freeText: ['a device'],
    generalInfo: [buildInfo('implicitConfirm', null)],
  };
  const issuer = { kind: 'directoryName', name: root.name } as const;
  const template = buildCertTemplate({ subject: device.name, spki: device.keys.spki });
  const controls = [oldCertIdControl({ issuer, serialBytes: device.certificate.serialBytes })];
  const asked = buildCertReqMsg({
    request: buildCertRequest({ certReqId: 0, template, controls }),
    proof: RA_VERIFIED,
  });
  const certHash = certificateHash(device.certificate, { digest: nodeCrypto.digest, shake256 });
  const bodies: PkiBodyInput[] = [
    { type: 'ir', requests: [asked] },
    { type: 'kur', requests: [asked] },
    { type: 'p10cr', request },
    { type: 'rr', details: [{ template: parseCertTemplate(template) }] },
    { type: 'certConf', confirmations: [{ certReqId: 0, certHash }] },
    { type: 'pollReq', certReqIds: [0] },
    { type: 'genm', infos: [requestInfo('caCerts'), buildInfo('certProfile', ['tls'])] },
    { type: 'error', status: { status: 'rejection', texts: ['no'], failures: ['badAlg'] } },
  ];
  const messages = bodies.map((body) => ({ body, octets: signMessage(device, buildProtectedPart(header, body)) }));
  const nested: PkiBodyInput = { type: 'nested', messages: [messages[0]?.octets ?? new Uint8Array()] };
  return [...messages, { body: nested, octets: signMessage(device, buildProtectedPart(header, nested)) }].map(
    ({ body, octets }) => ({ name: `CMP ${body.type}`, octets, read: readCmp }),
  );
}

const signMessage = (device: TestEntity, part: Uint8Array): Uint8Array =>
  assemblePkiMessage(part, { protection: device.sign(part).signature, extraCerts: [device.certificate.der] });

function readCmp(octets: Uint8Array): void {
  const message = parsePkiMessage(octets);
  protectionKind(message);
  protectionCertificate(message);
  infoValue(message.header.generalInfo, 'confirmWaitTime');
  const body = readPkiBody(message);
  if ('infos' in body)
    for (const { type } of body.infos) {
      const name = infoName(type);
      if (name !== undefined) infoValue(body.infos, name);
    }
  if ('requests' in body) for (const { request } of body.requests) controlValue(request.controls, 'oldCertID');
  if (body.type === 'nested') for (const inner of body.messages) readCmp(inner);
}

async function scepMessages({ root, device, request }: Parties): Promise<EnrollmentMessage[]> {
  const { issuer, subject, serialBytes } = device.certificate;
  const names = { issuer: issuer.der, subject: subject.der };
  const contents = {
    PKCSReq: request,
    CertPoll: buildIssuerAndSubject(names),
    GetCert: buildIssuerAndSerialNumber({ issuer: issuer.der, serialBytes }),
  } as const;
  const messages = await Promise.all(
    Object.entries(contents).map(async ([name, content]) => {
      const messageType = name as keyof typeof contents; // The name is a key of `contents`, hence the cast.
      const sealed = await sealEnvelope(
        { content, recipients: [{ certificate: root.certificate, transport: { kind: 'rsa-pkcs1' } }] },
        nodeCmsCrypto,
      );
      const envelope = buildContentInfo({ contentType: OID.pkcs7EnvelopedData, content: sealed });
      const attributes = scepAttributes({ messageType, transactionId: 'a1', senderNonce: IDENTIFIER });
      const { digest } = nodeCrypto;
      const signedAttributes = buildSignedAttributes({
        content: envelope,
        algorithm: device.algorithm,
        digest,
        attributes,
      });
      const { algorithm, signature } = device.sign(signedAttributes);
      const identifier = issuerAndSerialOf(device.certificate);
      const signer = { identifier, algorithm, signature, signedAttributes };
      const octets = assembleScepMessage({ envelope, certificates: [device.certificate.der], signer });
      return { name: `SCEP ${name}`, octets, read: readScep };
    }),
  );
  return [
    ...messages,
    { name: 'SCEP names', octets: contents.CertPoll, read: readIssuerAndSubject },
    { name: 'SCEP serial number', octets: contents.GetCert, read: readIssuerAndSerialNumber },
  ];
}

function readScep(octets: Uint8Array): void {
  const { digest } = nodeCrypto;
  const { envelope, signedData, signer, certificate } = readScepMessage(octets, digest);
  verifySigner(signedData, signer, { certificate, verify: () => true, digest, allowsSha1: true });
  if (envelope) parseEnvelopedData(openContentInfo(envelope, OID.pkcs7EnvelopedData));
}
