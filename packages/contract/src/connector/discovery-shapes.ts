// Discovery provider schemas: a discovery and its current results.
import { z } from 'zod';
import { DiscoveryStatus } from '../enums/jobs.ts';
import { int32 } from '../primitives.ts';
import { MetadataAttribute, RequestAttributeDto } from '../shared/attributes.ts';

export const DiscoveryRequestDto = z
  .object({ name: z.string(), kind: z.string(), attributes: z.array(RequestAttributeDto).optional() })
  .meta({ id: 'DiscoveryRequestDto' });
export type DiscoveryRequestDto = z.output<typeof DiscoveryRequestDto>;

/** Requests a page of results. Pages are numbered from 1. */
export const DiscoveryDataRequestDto = z
  .object({ name: z.string(), kind: z.string(), pageNumber: int32(), itemsPerPage: int32() })
  .meta({ id: 'DiscoveryDataRequestDto' });
export type DiscoveryDataRequestDto = z.output<typeof DiscoveryDataRequestDto>;

/** `base64Content` is Base64-encoded DER. The connector assigns the identifier. */
export const DiscoveryProviderCertificateDataDto = z
  .object({ uuid: z.string(), base64Content: z.string(), meta: z.array(MetadataAttribute) })
  .meta({ id: 'DiscoveryProviderCertificateDataDto' });
export type DiscoveryProviderCertificateDataDto = z.output<typeof DiscoveryProviderCertificateDataDto>;

export const DiscoveryProviderDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    status: DiscoveryStatus,
    totalCertificatesDiscovered: int32().default(0),
    certificateData: z.array(DiscoveryProviderCertificateDataDto),
    meta: z.array(MetadataAttribute),
  })
  .meta({ id: 'DiscoveryProviderDto' });
export type DiscoveryProviderDto = z.output<typeof DiscoveryProviderDto>;
