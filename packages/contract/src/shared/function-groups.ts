// Connector declarations: function groups, their endpoints, and health.
import { z } from 'zod';
import { HealthStatus } from '../enums/connectors.ts';

/**
 * An endpoint served by a connector. The platform compares its name, method and context with the requirements of a
 * function group.
 */
export const EndpointDto = z
  .object({
    /** Part of the interface, but connectors may omit it. */
    uuid: z.string().default(''),
    name: z.string(),
    context: z.string(),
    method: z.string(),
    required: z.boolean(),
  })
  .meta({ id: 'EndpointDto' });
export type EndpointDto = z.output<typeof EndpointDto>;

/** Health of a connector and its components, by component name. */
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
