// Which names may be ordered over ACME, by a profile or by an external account key. Not part of the published
// interface.
import { z } from 'zod';

/**
 * Rules about the identifiers of orders. What is denied is refused, whatever is allowed. As soon as one of the two
 * allowed lists has an entry, an identifier of either type that fits no entry is refused.
 */
export const AcmeNamePolicy = z
  .object({
    /** `example.com` is the name itself and every name below it, wildcards included. */
    allowedDnsSuffixes: z.array(z.string()).optional(),
    /** A wildcard that would cover such a name is refused too. */
    deniedDnsSuffixes: z.array(z.string()).optional(),
    /** Addresses (`192.0.2.1`) and networks (`192.0.2.0/24`, `2001:db8::/32`). */
    allowedIpRanges: z.array(z.string()).optional(),
    deniedIpRanges: z.array(z.string()).optional(),
    /** Default: true. */
    allowWildcards: z.boolean().optional(),
  })
  .meta({ id: 'AcmeNamePolicy' });
export type AcmeNamePolicy = z.output<typeof AcmeNamePolicy>;
