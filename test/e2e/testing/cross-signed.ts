// An authority of the platform with a second certificate for the same name and key, issued by a second root.
import type { Client } from '@signetry/client';
import { parseCertificate } from '@signetry/pki';
import { expect } from 'vitest';
import { createExternalAuthority } from './external-authority.ts';
import { createAuthority, fieldsOf, type IssuingPath } from './profiles.ts';

export interface CrossSignedAuthority extends IssuingPath {
  /** Issued by the second root; both are in the inventory. */
  readonly cross: { readonly uuid: string; readonly der: Uint8Array };
  readonly secondRoot: { readonly uuid: string; readonly name: string; readonly der: Uint8Array };
  /** Marks both certificates as trusted or untrusted. */
  trust(trustedCa: boolean): Promise<void>;
}

/** Returns the attribute value that makes an authority subordinate to "Signetry Root". */
export async function rootAsParent({ authorities, connectors }: Client): Promise<string> {
  const first = (await authorities.listAuthorityInstances()).find(({ name }) => name === 'Signetry Root');
  const params = { uuid: first?.connectorUuid ?? '', functionGroup: 'authorityProvider', kind: 'SoftwareCA' } as const;
  const form = await connectors.getConnectorAttributes({ params });
  const parents = fieldsOf(form).find(({ name }) => name === 'data_parentAuthority');
  // This attribute has choices.
  const choices = (parents as { content?: { data: string; reference?: string }[] }).content ?? [];
  const choice = choices.find(({ reference }) => reference?.includes('Signetry Root')) ?? choices[0];
  return choice?.data ?? expect.unreachable('the root is no choice');
}

async function subordinate(client: Client, name: string): Promise<IssuingPath> {
  const values = { data_source: 'subordinate', data_parentAuthority: await rootAsParent(client) };
  return createAuthority(client, { name, values });
}

/** Cross-signs an existing authority, or a new one under "Signetry Root". */
export async function crossSign(
  client: Client,
  { name, path: given }: { readonly name: string; readonly path?: IssuingPath },
): Promise<CrossSignedAuthority> {
  const path = given ?? (await subordinate(client, name));
  const [own] = await client.raProfiles.getAuthorityCertificateChain({ params: path });
  const { subject, spki } = parseCertificate(Buffer.from(own?.certificateContent ?? '', 'base64'));
  const rootName = `Second Root of ${name}`;
  const second = await createExternalAuthority(`CN=${rootName}`);
  const crossDer = second.certify({ subject, spki });
  const upload = async (der: Uint8Array): Promise<string> => {
    const body = { certificate: Buffer.from(der).toString('base64'), customAttributes: [] };
    return (await client.certificates.uploadCertificate({ body })).uuid;
  };
  const secondRoot = { uuid: await upload(second.der), name: rootName, der: second.der };
  const cross = { uuid: await upload(crossDer), der: crossDer };
  return {
    ...path,
    cross,
    secondRoot,
    async trust(trustedCa) {
      for (const { uuid } of [secondRoot, cross])
        await client.certificates.updateCertificateObjects({ params: { uuid }, body: { trustedCa } });
    },
  };
}
