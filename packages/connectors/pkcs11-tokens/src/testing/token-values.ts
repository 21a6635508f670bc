// Form values, as callers send them.
import { SIGNATURE_ATTRIBUTES, type RequestAttributeDto } from '@signetry/contract';
import { ACTIVATION, KEY, TOKEN } from '../index.ts';

export const attribute = (
  name: string,
  contentType: RequestAttributeDto['contentType'],
  ...data: unknown[]
): RequestAttributeDto => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  name,
  contentType,
  content: data.map((entry) => ({ data: entry })) as RequestAttributeDto['content'],
});
const text = (name: string, ...values: string[]) => attribute(name, 'string', ...values);

export const tokenValues = (serial: string, label: string, library = 'softhsm') => [
  text(TOKEN.library, library),
  text(TOKEN.token, `${serial}:${label}`),
];
export const pinValues = (pin: string, staysActive = false) => [
  attribute(ACTIVATION.pin, 'secret', { secret: pin }),
  attribute(ACTIVATION.staysActive, 'boolean', staysActive),
];
export const keyValues = (alias: string, algorithm: string, ...uses: string[]) => [
  text(KEY.alias, alias),
  text(KEY.algorithm, algorithm),
  ...(uses.length > 0 ? [text(KEY.uses, ...uses)] : []),
];
export const signatureValues = ({ scheme, digest }: { scheme?: string; digest?: string }) => [
  ...(scheme ? [text(SIGNATURE_ATTRIBUTES.scheme.name, scheme)] : []),
  ...(digest ? [text(SIGNATURE_ATTRIBUTES.digest.name, digest)] : []),
];
