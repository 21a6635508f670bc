// What a connector declares about itself: function groups, their endpoints, its health.
import { z } from 'zod';
import { HealthStatus } from '../enums/connectors.ts';

/**
 * An endpoint that a connector serves; the platform compares name, method and context with what a function group
 * demands.
 */
export const EndpointDto = z
  .object({
    /** Part of the interface; connectors that omit it are accepted nevertheless. */
    uuid: z.string().default(''),
    name: z.string(),
    context: z.string(),
    method: z.string(),
    required: z.boolean(),
  })
  .meta({ id: 'EndpointDto' });
export type EndpointDto = z.output<typeof EndpointDto>;

/** Health of a connector and, by name, of its parts. */
export const HealthDto: z.ZodType<HealthDto> = z
  .object({
    status: HealthStatus,
    description: z.string().optional(),
    get parts(): z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodType<HealthDto>>> {
      return z.record(z.string(), HealthDto).optional();
    },
  })
  .meta({ id: 'HealthDto' });
export interface HealthDto {
  status: HealthStatus;
  description?: string | undefined;
  parts?: Record<string, HealthDto> | undefined;
}
