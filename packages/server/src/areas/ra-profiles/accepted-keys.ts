// Keys and names accepted under an RA profile, as far as its attributes specify them. The connector defines the
// attributes; they are recognized by the names that the software authority uses. Other connectors do not specify them
// and decide on each request.
import type { RequestAttributeDto } from '@signetry/contract';
import { CURVES, DEFAULT_KEY_POLICY, type KeyPolicy } from '@signetry/pki';

/** Returns undefined if all keys that the platform accepts are also accepted under the profile. */
export function acceptedKeysOf(attributes: readonly RequestAttributeDto[]): Required<KeyPolicy> | undefined {
  const all = DEFAULT_KEY_POLICY;
  const named = valuesOf(attributes, 'data_keyAlgorithms');
  const families = named.length === 0 ? all.families : all.families.filter((family) => named.includes(family));
  const curveNames = valuesOf(attributes, 'data_curves');
  const curves = all.curves.filter((oid) => curveNames.length === 0 || curveNames.includes(CURVES.get(oid)?.name));
  const [bits] = valuesOf(attributes, 'data_minRsaBits');
  const minRsaBits = typeof bits === 'number' ? Math.max(bits, all.minRsaBits) : all.minRsaBits;
  const asksForSize = minRsaBits > all.minRsaBits && families.includes('RSA');
  const asksForCurve = curves.length < all.curves.length && families.includes('ECDSA');
  if (families.length === all.families.length && !asksForSize && !asksForCurve) return undefined;
  return { ...all, families, curves, minRsaBits };
}

/** Returns whether DNS names can contain underscores, which host names do not permit (RFC 1123 §2.1). */
export const allowsUnderscores = (attributes: readonly RequestAttributeDto[]): boolean =>
  valuesOf(attributes, 'data_allowUnderscores')[0] === true;

const valuesOf = (attributes: readonly RequestAttributeDto[], name: string): readonly unknown[] =>
  (attributes.find((each) => each.name === name)?.content ?? []).map((item) =>
    'data' in item ? item.data : undefined,
  );
