// What can be specified for a revocation in addition to its reason.
import { dataAttribute } from '@signetry/connector-sdk';
import type { BaseAttributeDto } from '@signetry/contract';
import { revokeAttributeUuid as uuid } from './attribute-uuids.ts';

export const REVOKE = { invalidityDate: 'data_invalidityDate' } as const;

export const revokeAttributes = (): BaseAttributeDto[] => [
  dataAttribute({
    uuid: uuid(1),
    name: REVOKE.invalidityDate,
    label: 'Not to be trusted since',
    description: 'When the key was compromised or the certificate became wrong, as far as known.',
    contentType: 'datetime',
  }),
];
