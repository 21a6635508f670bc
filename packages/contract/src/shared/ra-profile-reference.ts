// An RA profile as referenced by other objects.
import { z } from 'zod';

export const SimplifiedRaProfileDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    authorityInstanceUuid: z.string().optional(),
  })
  .meta({ id: 'SimplifiedRaProfileDto' });
export type SimplifiedRaProfileDto = z.output<typeof SimplifiedRaProfileDto>;
