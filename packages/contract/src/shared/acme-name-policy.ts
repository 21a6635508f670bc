// Names that can be ordered over ACME, restricted by a profile or an external account binding key. Not part of the
// published interface.
import { z } from 'zod';

/**
 * Rules for order identifiers. Denied identifiers are always rejected. If either of the two allowed lists has an entry,
 * every identifier of either type must match an entry.
 */
export const AcmeNamePolicy = z
  .object({
    /** `example.com` matches the name itself and every name below it, including wildcards. */
    allowedDnsSuffixes: z.array(z.string()).optional(),
    /** A wildcard that would cover such a name is also rejected. */
    deniedDnsSuffixes: z.array(z.string()).optional(),
    /** IP addresses (`192.0.2.1`) and networks (`192.0.2.0/24`, `2001:db8::/32`). */
    allowedIpRanges: z.array(z.string()).optional(),
    deniedIpRanges: z.array(z.string()).optional(),
    /** Default: true. */
    allowWildcards: z.boolean().optional(),
  })
  .meta({ id: 'AcmeNamePolicy' });
export type AcmeNamePolicy = z.output<typeof AcmeNamePolicy>;
