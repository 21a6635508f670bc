// Revocation attributes in addition to the reason.
import { dataAttribute } from '@signetry/connector-sdk';
import type { BaseAttributeDto } from '@signetry/contract';
import { revokeAttributeUuid as uuid } from './attribute-uuids.ts';

export const REVOKE = { invalidityDate: 'data_invalidityDate' } as const;

export const revokeAttributes = (): BaseAttributeDto[] => [
  dataAttribute({
    uuid: uuid(1),
    name: REVOKE.invalidityDate,
    label: 'Invalidity date',
    description:
      'Date on which the private key is known or suspected to have been compromised, or the certificate otherwise became invalid.',
    contentType: 'datetime',
  }),
];
