// An RA profile as other objects name it.
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
