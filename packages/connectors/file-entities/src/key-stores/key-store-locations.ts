// Locations of the kind Keystore: any number of keys and certificates in one PKCS #12 or JKS file.
import type { CertificateLocationDto, LocationDetailResponseDto, RequestAttributeDto } from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import { exportPublicKey, generateKeyPair, keyStoreEntry, type KeyStoreEntry } from '@signetry/pki/node';
import { rejected } from '@signetry/connector-sdk';
import type { LocationKind, CreatedCsr, Site } from '../locations/location-kind.ts';
import { pendingKeyMetadata } from '../locations/location-metadata.ts';
import { withValue } from '../locations/request-form.ts';
import { signRequest } from '../locations/create-request.ts';
import { privateKeyOf, publicKeyOf } from './entry-key.ts';
import { aliasField, keyStoreForm, pushForm, readKeyStoreSpec, type KeyStoreSpec } from './key-store-form.ts';
import { entryMetadata } from './key-store-metadata.ts';
import {
  keyStoreRequestForm,
  keyStoreRequestValues,
  readKeyStoreRequest,
  type KeyStoreRequest,
} from './key-store-request-form.ts';
import { pushEntry } from './push-entry.ts';
import { removeEntry } from './remove-entry.ts';
import {
  certificateOf,
  findEntry,
  pathsOf,
  readStore,
  readStoreIfOpen,
  withEntry,
  writePending,
} from './store-file.ts';

export const keyStoreLocations: LocationKind = {
  form: keyStoreForm,
  pushForm,
  requestForm: keyStoreRequestForm,
  checkRequest: async (given) => void (await readKeyStoreRequest(given)),
  open: async (given, facts) => {
    const wish = await readKeyStoreSpec(given, facts);
    return {
      reloadCommand: wish.reloadCommand,
      show: (site) => showStore(site, wish),
      push: (site, pushed) => pushEntry(site, wish, pushed),
      remove: (site, metadata) => removeEntry(site, wish, metadata),
      request: async (site, { csrAttributes, renewal }) =>
        requestEntry(site, wish, { request: await readKeyStoreRequest(csrAttributes), renewal }),
    };
  },
};

async function showStore({ access: { machine } }: Site, wish: KeyStoreSpec): Promise<LocationDetailResponseDto> {
  const paths = await pathsOf(machine, wish);
  const { content } = await readStore(machine, paths.store, wish);
  const waiting = (await readStoreIfOpen(machine, paths.waiting, wish)).content.entries
    .map((entry) => publicKeyOf(entry, wish.password))
    .filter((spki) => spki !== undefined);
  // Each certificate appears once in a location: with its key, if any entry has it.
  const shown = new Map<string, CertificateLocationDto>();
  for (const entry of content.entries.toSorted((a, b) => Number(Boolean(b.key)) - Number(Boolean(a.key)))) {
    const described = describeEntry(entry);
    if (described && !shown.has(described.certificateData)) shown.set(described.certificateData, described);
  }
  return {
    certificates: [...shown.values()],
    metadata: waiting.length > 0 ? [pendingKeyMetadata(waiting)] : [],
    multipleEntries: true,
    supportKeyManagement: true,
  };
}

/**
 * Returns undefined for entries that cannot be shown: keys without a certificate, and certificates that cannot be
 * parsed.
 */
function describeEntry({ alias, key, chain: [leaf, ...issuers] }: KeyStoreEntry): CertificateLocationDto | undefined {
  const certificate = certificateOf(leaf);
  if (!certificate) return undefined;
  const withKey = key !== undefined;
  const chain = issuers.map((der) => certificateOf(der)).filter((each) => each !== undefined);
  const csrAttributes = withKey ? keyStoreRequestValues(alias, certificate) : undefined;
  return {
    certificateData: toBase64(certificate.der),
    certificateType: 'X.509',
    withKey,
    metadata: entryMetadata({ alias, withKey, certificate, chain }),
    pushAttributes: withValue(aliasField(), alias),
    ...(csrAttributes ? { csrAttributes } : {}),
  };
}

// Generates a key for an entry, or uses the existing one, and creates a CSR signed with it. A new key waits in a
// separate store, under the same alias.

/** Replaces any pending key under the alias; a certificate for the replaced key can no longer be pushed. */
async function requestEntry(
  site: Site,
  wish: KeyStoreSpec,
  { request, renewal }: { readonly request: KeyStoreRequest; readonly renewal: boolean },
): Promise<CreatedCsr> {
  const { machine } = site.access;
  const { alias, spec, algorithm, keepKey } = request;
  const paths = await pathsOf(machine, wish);
  const present = await readStore(machine, paths.store, wish);
  const entry = findEntry(present, alias);
  if (entry && !entry.key)
    throw rejected(
      `${present.path} has a certificate without a key under the alias ${alias}; choose a different alias.`,
    );
  const pushAttributes = [aliasValue(alias)];
  if (renewal && keepKey) {
    const key = privateKeyOf(entry, { alias, password: wish.password });
    return { der: await signRequest(key, request, algorithm), metadata: [], pushAttributes };
  }
  const { privateKey } = await generateKeyPair(spec);
  const der = await signRequest(privateKey, request, algorithm);
  const waiting = await readStoreIfOpen(machine, paths.waiting, wish);
  const content = withEntry(waiting, alias, keyStoreEntry(alias, privateKey, []));
  await writePending(site, wish, { path: paths.waiting, content });
  return { der, metadata: [pendingKeyMetadata([exportPublicKey(privateKey)])], pushAttributes };
}

function aliasValue(alias: string): RequestAttributeDto {
  const { uuid, name } = aliasField();
  return { uuid, name, contentType: 'string', content: [{ reference: alias, data: alias }] };
}
