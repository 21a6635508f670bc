// Cryptography provider tokens.
import { z } from 'zod';
import { TokenInstanceStatus } from '../enums/keys.ts';
import { MetadataAttribute, RequestAttributeDto } from '../shared/attributes.ts';

// The first two names have a prefix because the platform's own interface uses the names without it for different
// schemas.

export const ProviderTokenInstanceDto = z
  .object({ uuid: z.string(), name: z.string(), metadata: z.array(MetadataAttribute).optional() })
  .meta({ id: 'TokenInstanceDto' });
export type ProviderTokenInstanceDto = z.output<typeof ProviderTokenInstanceDto>;

export const ProviderTokenInstanceRequestDto = z
  .object({ name: z.string(), kind: z.string(), attributes: z.array(RequestAttributeDto) })
  .meta({ id: 'TokenInstanceRequestDto' });
export type ProviderTokenInstanceRequestDto = z.output<typeof ProviderTokenInstanceRequestDto>;

export const TokenInstanceStatusComponent = z
  .object({ status: TokenInstanceStatus, details: z.record(z.string(), z.unknown()).optional() })
  .meta({ id: 'TokenInstanceStatusComponent' });
export type TokenInstanceStatusComponent = z.output<typeof TokenInstanceStatusComponent>;

export const TokenInstanceStatusDto = z
  .object({
    status: TokenInstanceStatus,
    components: z.record(z.string(), TokenInstanceStatusComponent).optional(),
  })
  .meta({ id: 'TokenInstanceStatusDto' });
export type TokenInstanceStatusDto = z.output<typeof TokenInstanceStatusDto>;
