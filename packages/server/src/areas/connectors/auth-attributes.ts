// Attribute definitions for each connector authentication type. The identifiers come from the published interface.
import type { AttributeContentType, AuthType, DataAttribute } from '@signetry/contract';

interface Field {
  readonly uuid: string;
  readonly name: string;
  readonly label: string;
  readonly contentType: AttributeContentType;
  readonly required: boolean;
  readonly description?: string;
  /** Values to choose from. */
  readonly choices?: readonly string[];
  readonly preset?: string;
}

const define = ({ uuid, name, label, contentType, required, description, choices, preset }: Field): DataAttribute => {
  const content =
    choices?.map((choice) => ({ reference: choice, data: choice })) ??
    (preset === undefined ? undefined : [{ data: preset }]);
  return {
    version: 2,
    uuid,
    name,
    ...(description === undefined ? {} : { description }),
    type: 'data',
    contentType,
    ...(content === undefined ? {} : { content }),
    properties: { label, visible: true, required, readOnly: false, list: choices !== undefined, multiSelect: false },
  };
};

export const authAttributes: Readonly<Record<AuthType, readonly DataAttribute[]>> = {
  none: [],
  basic: [
    define({ uuid: 'fe2d6d35-fb3d-4ea0-9f0b-7e39be93beeb', name: 'username', label: 'Username', contentType: 'string', required: true }),
    define({ uuid: '04506d45-c865-4ddc-b6fc-117ee5d5c8e7', name: 'password', label: 'Password', contentType: 'secret', required: true }),
  ],
  certificate: [
    define({
      uuid: 'e334e055-900e-43f1-aedc-54e837028de0',
      name: 'keyStoreType',
      label: 'Key store type',
      contentType: 'string',
      required: true,
      choices: ['PKCS12'],
    }),
    define({
      uuid: '6df7ace9-c501-4d58-953c-f8d53d4fb378',
      name: 'keyStore',
      label: 'Key store',
      contentType: 'file',
      required: true,
      description: 'Client certificate with its private key and chain, as a PKCS #12 file.',
    }),
    define({ uuid: 'd975fe42-9d09-4740-a362-fc26f98e55ea', name: 'keyStorePassword', label: 'Key store password', contentType: 'secret', required: true }),
    define({
      uuid: 'c4454807-805a-44e2-81d1-94b56e993786',
      name: 'trustStoreType',
      label: 'Trust store type',
      contentType: 'string',
      required: false,
      choices: ['PEM'],
    }),
    define({
      uuid: '6a245220-eaf4-44cb-9079-2228ad9264f5',
      name: 'trustStore',
      label: 'Trust store',
      contentType: 'file',
      required: false,
      description: 'CA certificates that are trusted for the connector, as a PEM file. Default: those that the platform trusts.',
    }),
    define({ uuid: '85a874da-1413-4770-9830-4188a37c95ee', name: 'trustStorePassword', label: 'Trust store password', contentType: 'secret', required: false }),
  ],
  apiKey: [
    define({
      uuid: '705ccbfb-1d81-402a-ae67-8d38f159b240',
      name: 'apiKeyHeader',
      label: 'Header name',
      contentType: 'string',
      required: true,
      preset: 'X-API-KEY',
    }),
    define({ uuid: '989dafd6-d18c-41f1-b68d-285c56d6331e', name: 'apiKey', label: 'API key', contentType: 'secret', required: true }),
  ],
  // No attributes are needed: the platform generates tokens for the connector's origin itself.
  jwt: [],
}; // prettier-ignore
