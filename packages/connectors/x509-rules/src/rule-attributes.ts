// Rule parameters as attributes: values that a profile can set, and their limits.
import { dataAttribute, inRange, readBoolean, readInteger, readStrings } from '@signetry/connector-sdk';
import type { DataAttribute, RequestAttributeDto } from '@signetry/contract';
import { CURVES } from '@signetry/pki';
import { attributeUuid } from './identifiers.ts';

interface Parameter {
  readonly define: (identity: { uuid: string; name: string }, preset: unknown) => DataAttribute;
  readonly read: (given: readonly RequestAttributeDto[], name: string) => unknown;
}

const number = (label: string, [from, to]: readonly [number, number]): Parameter => ({
  define: (identity, preset) =>
    dataAttribute({
      ...identity,
      label,
      contentType: 'integer',
      content: Number(preset),
      constraints: [inRange({ from, to })],
    }),
  read: readInteger,
});

const flag = (label: string): Parameter => ({
  define: (identity, preset) => dataAttribute({ ...identity, label, contentType: 'boolean', content: preset === true }),
  read: readBoolean,
});

const choices = (
  label: string,
  values: readonly (string | { readonly reference: string; readonly data: string })[],
): Parameter => ({
  define: (identity) =>
    dataAttribute({ ...identity, label, contentType: 'string', choices: values, multiSelect: true }),
  read: (given, name) => {
    const chosen = readStrings(given, name);
    return chosen.length === 0 ? undefined : chosen;
  },
});

const FAMILIES = ['RSA', 'ECDSA', 'Ed25519', 'Ed448', 'X25519', 'X448', 'ML-DSA', 'SLH-DSA', 'ML-KEM', 'DSA', 'DH'];
const CURVE_CHOICES = [...CURVES].map(([data, { name }]) => ({ reference: name, data }));
const SECURITY_BITS = number('Minimum security strength (bits)', [80, 256]);
const CATEGORY = number('Minimum security category', [1, 5]);

/** Keyed by rule, then by parameter. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, Parameter>>>> = {
  'serial-entropy': { minOctets: number('Minimum serial number length (bytes)', [1, 20]) },
  'key-policy': {
    families: choices('Allowed key types', FAMILIES),
    minRsaBits: number('Minimum RSA key size (bits)', [1024, 16_384]),
    maxRsaBits: number('Maximum RSA key size (bits)', [2048, 16_384]),
    otherRsaExponents: flag('Allow RSA exponents other than 65537'),
    curves: choices('Allowed curves', CURVE_CHOICES),
  },
  'strength-key': { minSecurityBits: SECURITY_BITS },
  'strength-validity': { maxDays: number('Maximum validity (days)', [1, 36_500]) },
  'pq-category': { minCategory: CATEGORY },
  'key-algorithm': { algorithms: choices('Allowed key types', FAMILIES) },
  'key-rsa-size': { minBits: number('Minimum RSA key size (bits)', [1024, 16_384]) },
  'key-rsa-largest-size': { maxBits: number('Maximum RSA key size (bits)', [2048, 16_384]) },
  'key-curve': {
    curves: choices(
      'Allowed curves',
      CURVE_CHOICES.map(({ reference }) => reference),
    ),
  },
  'key-security-bits': { minSecurityBits: SECURITY_BITS },
  'key-category': { minCategory: CATEGORY },
};

const nameOf = (parameter: string): string => `data_${parameter}`;

/**
 * Returns a rule's attribute definitions. `presets` contains the rule's own values. Throws if a parameter has no
 * definition.
 */
export function attributesOf(rule: string, presets: object): DataAttribute[] {
  return Object.entries(presets).map(([parameter, preset]) => {
    const facts = PARAMETERS[rule]?.[parameter];
    if (!facts) throw new Error(`Parameter ${parameter} of rule ${rule} has no attribute.`);
    const name = nameOf(parameter);
    return facts.define({ uuid: attributeUuid(rule, name), name }, preset);
  });
}

/** Returns the specified parameters. If a parameter is absent, the rule's own value applies. */
export function parametersOf(rule: string, given: readonly RequestAttributeDto[]): object {
  const values = Object.entries(PARAMETERS[rule] ?? {}).map(([parameter, { read }]) => [
    parameter,
    read(given, nameOf(parameter)),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
