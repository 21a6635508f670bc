// Options for a single request in addition to its CSR. They cannot exceed the limits of the RA profile.
import { dataAttribute, inRange } from '@signetry/connector-sdk';
import type { BaseAttributeDto } from '@signetry/contract';
import { issueAttributeUuid as uuid } from './attribute-uuids.ts';

export const ISSUE = {
  subject: 'data_subject',
  altNames: 'data_altNames',
  validityDays: 'data_validityDays',
  notBefore: 'data_notBefore',
  notAfter: 'data_notAfter',
} as const;

export const issueAttributes = (): BaseAttributeDto[] => [
  dataAttribute({
    uuid: uuid(1),
    name: ISSUE.subject,
    label: 'Subject',
    description: 'Distinguished name that replaces the one in the CSR; "none" for a certificate without a subject',
    contentType: 'string',
  }),
  dataAttribute({
    uuid: uuid(2),
    name: ISSUE.altNames,
    label: 'Subject alternative names',
    description:
      'Replace those in the CSR; one per line: dns:www.example.com, ip:192.0.2.1, email:…, uri:…, upn:…. Without a prefix, the type is detected.',
    contentType: 'text',
  }),
  dataAttribute({
    uuid: uuid(3),
    name: ISSUE.validityDays,
    label: 'Validity (days)',
    contentType: 'integer',
    constraints: [inRange({ from: 1 })],
  }),
  dataAttribute({ uuid: uuid(4), name: ISSUE.notBefore, label: 'Valid from', contentType: 'datetime' }),
  dataAttribute({ uuid: uuid(5), name: ISSUE.notAfter, label: 'Valid until', contentType: 'datetime' }),
];
