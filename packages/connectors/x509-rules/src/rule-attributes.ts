// The parameters of rules as attributes: what a profile may set, within which bounds.
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
const SECURITY_BITS = number('Least bits of security', [80, 256]);
const CATEGORY = number('Least security category', [1, 5]);

/** By rule, then by parameter. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, Parameter>>>> = {
  'serial-entropy': { minOctets: number('Least octets of the serial number', [1, 20]) },
  'key-policy': {
    families: choices('Allowed types of keys', FAMILIES),
    minRsaBits: number('Least bits of RSA keys', [1024, 16_384]),
    maxRsaBits: number('Most bits of RSA keys', [2048, 16_384]),
    otherRsaExponents: flag('Whether RSA keys may have other exponents than 65537'),
    curves: choices('Allowed curves', CURVE_CHOICES),
  },
  'strength-key': { minSecurityBits: SECURITY_BITS },
  'strength-validity': { maxDays: number('Most days of validity', [1, 36_500]) },
  'pq-category': { minCategory: CATEGORY },
  'key-algorithm': { algorithms: choices('Allowed types of keys', FAMILIES) },
  'key-rsa-size': { minBits: number('Least bits of RSA keys', [1024, 16_384]) },
  'key-rsa-largest-size': { maxBits: number('Most bits of RSA keys', [2048, 16_384]) },
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

/** Definitions of the attributes of a rule; `presets` are its own values. Throws where a parameter has none. */
export function attributesOf(rule: string, presets: object): DataAttribute[] {
  return Object.entries(presets).map(([parameter, preset]) => {
    const facts = PARAMETERS[rule]?.[parameter];
    if (!facts) throw new Error(`The parameter ${parameter} of the rule ${rule} has no attribute.`);
    const name = nameOf(parameter);
    return facts.define({ uuid: attributeUuid(rule, name), name }, preset);
  });
}

/** The parameters that are given; absent ones keep the value of the rule. */
export function parametersOf(rule: string, given: readonly RequestAttributeDto[]): object {
  const values = Object.entries(PARAMETERS[rule] ?? {}).map(([parameter, { read }]) => [
    parameter,
    read(given, nameOf(parameter)),
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
