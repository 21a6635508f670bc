// Members from which the platform creates a certificate request with its own keys, as an alternative to sending a
// request.
import { z } from 'zod';
import { uuid } from '../primitives.ts';
import { RequestAttributeDto } from './attributes.ts';

const attributes = z.array(RequestAttributeDto).optional();

/** Keys for a certificate request; the alternative keys are for hybrid certificates. */
export const requestingKeys = {
  keyUuid: uuid().optional(),
  tokenProfileUuid: uuid().optional(),
  altKeyUuid: uuid().optional(),
  altTokenProfileUuid: uuid().optional(),
  signatureAttributes: attributes,
  altSignatureAttributes: attributes,
};

/** Subject and keys of a request that the platform creates. */
export const requestSource = { csrAttributes: attributes, ...requestingKeys };
