// CMP certificates with server-generated keys: clients to whose keys others can encrypt, and signers of generated keys.
import type { Client } from '@signetry/client';
import type { RequestAttributeDto } from '@signetry/contract';
import { OID } from '@signetry/pki';
import { generateKeyPair, type KeySpec } from '@signetry/pki/node';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { exchange, makeMessage, newTransaction, requestFor, type MacSecret, type MessageSigner } from './cmp-client.ts';
import { attributesOf, defaultProfile, type IssuingPath } from './profiles.ts';
import { createKey, createTokenWithProfile, textValue } from './tokens.ts';

/** id-kp-cmKGA (RFC 9810 §4.5): permits generating keys for others. */
const CM_KGA = '1.3.6.1.5.5.7.3.32';

/** Creates an RA profile of the first authority with these attribute values. */
export async function raProfileWith(
  client: Client,
  values: Readonly<Record<string, readonly unknown[]>>,
): Promise<IssuingPath> {
  const { authorityUuid } = await defaultProfile(client);
  const form = await client.authorities.listRAProfileAttributes({ params: { uuid: authorityUuid } });
  const kept = attributesOf(form, {}).filter(({ name }) => !(name in values));
  const given = form
    .flatMap((each) => (each.type === 'group' ? (each.content ?? []) : [each]))
    .flatMap((each): RequestAttributeDto[] => {
      const chosen = values[each.name];
      if (each.type !== 'data' || !chosen) return [];
      const { uuid, name, contentType } = each;
      // The values match the content types.
      return [{ uuid, name, contentType, content: chosen.map((data) => ({ data })) }] as RequestAttributeDto[];
    });
  const body = { name: `ra-${randomUUID()}`, attributes: [...kept, ...given], enabled: true };
  const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({ params: { authorityUuid }, body });
  return { authorityUuid, raProfileUuid };
}

/** Creates an RA profile for certificates that can sign and receive keys. */
export const profileOfClients = (client: Client): Promise<IssuingPath> =>
  raProfileWith(client, { data_keyUsages: ['digitalSignature', 'keyEncipherment', 'keyAgreement'] });

/** Creates a certificate that signs keys generated for others; its own key is in a token. */
export async function makeKeySigner(client: Client): Promise<string> {
  const path = await raProfileWith(client, {
    data_otherExtendedKeyUsages: [CM_KGA],
    data_extendedKeyUsages: [OID.clientAuth],
  });
  const token = await createTokenWithProfile(client);
  const { uuid: keyUuid } = await createKey(client, token, { specification: 'P-256' });
  const names = [textValue('commonName', 'keys.example'), textValue('dnsNames', 'keys.example')];
  const { tokenProfileUuid } = token;
  const body = { attributes: [], keyUuid, tokenProfileUuid, csrAttributes: names };
  return (await client.clientOperations.issueCertificate({ params: path, body })).uuid;
}

/** Enrolls a client with a new key, and returns its certificate and key. */
export async function enrollClient(url: string, spec: KeySpec, mac: MacSecret): Promise<MessageSigner> {
  const keys = await generateKeyPair(spec);
  const body = await requestFor(`CN=${randomUUID()}.example`, keys);
  const { certificate, words } = await exchange(url, await makeMessage(newTransaction(), body, mac));
  return { certificate: certificate ?? expect.fail(words), privateKey: keys.privateKey };
}
