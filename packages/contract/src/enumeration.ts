// Enumerations in the interface: wire codes with their display labels, in declaration order.
import { z } from 'zod';

/** Labels in an enumeration, keyed by code. */
export type EnumLabels = Readonly<Record<string, string>>;

/** A zod enum for the wire codes that also has a name and labels. */
export type Enumeration<Labels extends EnumLabels = EnumLabels> = z.ZodEnum<{
  [Code in keyof Labels & string]: Code;
}> & { readonly enumName: string; readonly labels: Labels };

/**
 * Declares an enumeration once: validation, type, OpenAPI component and label catalog are derived from it. `enumName`
 * is the type name in the interface; it names the OpenAPI component and the entry in `GET /v1/enums`.
 */
export function enumeration<const Labels extends EnumLabels>(enumName: string, labels: Labels): Enumeration<Labels> {
  const codes = Object.keys(labels) as [keyof Labels & string, ...(keyof Labels & string)[]];
  const schema = z.enum(codes).meta({ id: enumName });
  // Zod types an enum as a record; the codes are the keys of `labels`.
  return Object.assign(schema, { enumName, labels }) as unknown as Enumeration<Labels>;
}
