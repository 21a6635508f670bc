// Small schemas that identify an object or report the result of an operation on it.
import { z } from 'zod';
import { int32, uuid } from '../primitives.ts';

export const UuidDto = z.object({ uuid: z.string() }).meta({ id: 'UuidDto' });
export type UuidDto = z.output<typeof UuidDto>;

export const NameAndUuidDto = z.object({ uuid: z.string(), name: z.string() }).meta({ id: 'NameAndUuidDto' });
export type NameAndUuidDto = z.output<typeof NameAndUuidDto>;

/** An object, such as a profile, of an authority that uses numeric identifiers. */
export const NameAndIdDto = z.object({ id: int32(), name: z.string() }).meta({ id: 'NameAndIdDto' });
export type NameAndIdDto = z.output<typeof NameAndIdDto>;

/** An object for which a bulk operation failed, with the reason. */
export const BulkActionMessageDto = z
  .object({ uuid: z.string(), name: z.string(), message: z.string() })
  .meta({ id: 'BulkActionMessageDto' });
export type BulkActionMessageDto = z.output<typeof BulkActionMessageDto>;

/** Request body of bulk operations: the object identifiers. */
export const UuidList = z.array(uuid());

/** Path parameter of operations on a single object. */
export const uuidParam = z.object({ uuid: uuid() });
