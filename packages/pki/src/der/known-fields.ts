// Field names of the objects that clients send: certificates and CRLs (RFC 5280), certificate requests (RFC 2986),
// SignedData (RFC 5652), and CMP messages (RFC 9810) with their requests (RFC 4211).
import type { DerField } from './field-names.ts';
import { TAG } from './tags.ts';

const named = (...names: readonly string[]): DerField[] => names.map((name) => ({ name }));
const optional = (name: string, tag: number, type: Omit<DerField, 'name'> = {}): DerField => ({
  name,
  tag,
  optional: true,
  ...type,
});

const algorithm = (name: string): DerField => ({ name, fields: named('algorithm', 'parameters') });
const publicKey = (name: string): DerField => ({
  name,
  fields: [algorithm('algorithm'), { name: 'subjectPublicKey' }],
});
const distinguishedName = (name: string): DerField => ({
  name,
  each: { name: 'rdn', each: { name: 'attribute', fields: named('type', 'value') } },
});
const extension: DerField = {
  name: 'extension',
  fields: [{ name: 'extnID' }, optional('critical', TAG.boolean), { name: 'extnValue' }],
};
const extensions = (name: string, tag: number): DerField =>
  optional(name, tag, { wraps: { name: '', each: extension } });

const validity: DerField = { name: 'validity', fields: named('notBefore', 'notAfter') };

export const CERTIFICATE_FIELDS: DerField = {
  name: 'certificate',
  fields: [
    {
      name: 'tbsCertificate',
      fields: [
        optional('version', 0xa0),
        { name: 'serialNumber' },
        algorithm('signature'),
        distinguishedName('issuer'),
        validity,
        distinguishedName('subject'),
        publicKey('subjectPublicKeyInfo'),
        optional('issuerUniqueID', 0x81),
        optional('subjectUniqueID', 0x82),
        extensions('extensions', 0xa3),
      ],
    },
    algorithm('signatureAlgorithm'),
    { name: 'signatureValue' },
  ],
};

export const CERTIFICATION_REQUEST_FIELDS: DerField = {
  name: 'certificationRequest',
  fields: [
    {
      name: 'certificationRequestInfo',
      fields: [
        { name: 'version' },
        distinguishedName('subject'),
        publicKey('subjectPKInfo'),
        optional('attributes', 0xa0, { each: { name: 'attribute', fields: named('type', 'values') } }),
      ],
    },
    algorithm('signatureAlgorithm'),
    { name: 'signature' },
  ],
};

const revokedCertificate: DerField = {
  name: 'revokedCertificate',
  fields: [
    ...named('userCertificate', 'revocationDate'),
    optional('crlEntryExtensions', TAG.sequence, { each: extension }),
  ],
};

export const CRL_FIELDS: DerField = {
  name: 'certificateList',
  fields: [
    {
      name: 'tbsCertList',
      fields: [
        optional('version', TAG.integer),
        algorithm('signature'),
        distinguishedName('issuer'),
        { name: 'thisUpdate' },
        optional('nextUpdate', TAG.utcTime),
        optional('nextUpdate', TAG.generalizedTime),
        optional('revokedCertificates', TAG.sequence, { each: revokedCertificate }),
        extensions('crlExtensions', 0xa0),
      ],
    },
    algorithm('signatureAlgorithm'),
    { name: 'signatureValue' },
  ],
};

const signerInfo: DerField = {
  name: 'signerInfo',
  fields: [
    ...named('version', 'sid'),
    algorithm('digestAlgorithm'),
    optional('signedAttrs', 0xa0, { each: { name: 'attribute', fields: named('attrType', 'attrValues') } }),
    algorithm('signatureAlgorithm'),
    { name: 'signature' },
    optional('unsignedAttrs', 0xa1),
  ],
};

export const SIGNED_DATA_FIELDS: DerField = {
  name: 'signedData',
  fields: [
    { name: 'version' },
    { name: 'digestAlgorithms', each: algorithm('algorithm') },
    { name: 'encapContentInfo', fields: [{ name: 'eContentType' }, optional('eContent', 0xa0)] },
    optional('certificates', 0xa0, { each: { name: 'certificate' } }),
    optional('crls', 0xa1, { each: { name: 'crl' } }),
    { name: 'signerInfos', each: signerInfo },
  ],
};

const certTemplate: DerField = {
  name: 'certTemplate',
  fields: [
    optional('version', 0x80),
    optional('serialNumber', 0x81),
    optional('signingAlg', 0xa2),
    optional('issuer', 0xa3),
    optional('validity', 0xa4),
    optional('subject', 0xa5),
    optional('publicKey', 0xa6),
    optional('issuerUID', 0x87),
    optional('subjectUID', 0x88),
    optional('extensions', 0xa9, { each: extension }),
  ],
};

const certReqMsg: DerField = {
  name: 'certReqMsg',
  fields: [
    { name: 'certReq', fields: [{ name: 'certReqId' }, certTemplate, optional('controls', TAG.sequence)] },
    ...[0x80, 0xa1, 0xa2, 0xa3].map((tag) => optional('popo', tag)),
    optional('regInfo', TAG.sequence),
  ],
};

const body = (name: string, tag: number, wraps: Omit<DerField, 'name'> = {}): DerField => ({
  name,
  tag,
  wraps: { name: '', ...wraps },
});

const pkiBody: DerField = {
  name: 'body',
  choice: [
    body('ir', 0xa0, { each: certReqMsg }),
    body('cr', 0xa2, { each: certReqMsg }),
    body('p10cr', 0xa4, CERTIFICATION_REQUEST_FIELDS),
    body('kur', 0xa7, { each: certReqMsg }),
    body('rr', 0xab, { each: { name: 'revDetails', fields: named('certDetails', 'crlEntryDetails') } }),
    body('nested', 0xb4, { each: { name: 'pkiMessage' } }),
    body('genm', 0xb5, { each: { name: 'infoTypeAndValue', fields: named('infoType', 'infoValue') } }),
    body('error', 0xb7, { fields: named('pKIStatusInfo', 'errorCode', 'errorDetails') }),
    body('certConf', 0xb8, { each: { name: 'certStatus', fields: named('certHash', 'certReqId', 'statusInfo') } }),
    body('pollReq', 0xb9, { each: { name: 'pollReq', fields: named('certReqId') } }),
  ],
};

export const PKI_MESSAGE_FIELDS: DerField = {
  name: 'pkiMessage',
  fields: [
    {
      name: 'header',
      fields: [
        ...named('pvno', 'sender', 'recipient'),
        optional('messageTime', 0xa0),
        optional('protectionAlg', 0xa1, { wraps: algorithm('') }),
        optional('senderKID', 0xa2),
        optional('recipKID', 0xa3),
        optional('transactionID', 0xa4),
        optional('senderNonce', 0xa5),
        optional('recipNonce', 0xa6),
        optional('freeText', 0xa7),
        optional('generalInfo', 0xa8, { wraps: { name: '', each: { name: 'infoTypeAndValue' } } }),
      ],
    },
    pkiBody,
    optional('protection', 0xa0),
    optional('extraCerts', 0xa1, { wraps: { name: '', each: { name: 'certificate' } } }),
  ],
};
