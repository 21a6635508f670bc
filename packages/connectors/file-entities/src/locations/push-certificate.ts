// Installs a certificate with the pending key, with the installed key, or, for a certificate that was installed before,
// with its kept key.
import { rejected } from '@signetry/connector-sdk';
import { equalBytes, readCertificate, writePem, writePemChain, type Certificate } from '@signetry/pki';
import { exportPrivateKeyPem, exportPublicKey } from '@signetry/pki/node';
import type { MetadataAttribute } from '@signetry/contract';
import type { MachineAccess } from '../machines/open-machine.ts';
import { MachineError, type Machine } from '../machines/machine.ts';
import { readOrReject } from '../problems.ts';
import { chainOf } from './chain.ts';
import { changeFiles, type FileChange, type Reload } from './change-files.ts';
import type { LocationSpec } from './location-form.ts';
import { certificateMetadata } from './location-metadata.ts';
import { filesOf, PREVIOUS, readKey, readLocation, unreadableKey, type LocationFiles } from './read-location.ts';

export interface LocationOnMachine {
  readonly access: MachineAccess;
  readonly wish: LocationSpec;
  readonly reload: Reload | undefined;
}

export async function pushCertificate(
  { access, wish, reload }: LocationOnMachine,
  text: string,
): Promise<MetadataAttribute[]> {
  const certificate = await readOrReject('The certificate', () => readCertificate(text));
  const { machine } = access;
  const files = await filesOf(machine, wish);
  const key = await keyFor(machine, files, certificate);
  const needsChain = files.chain !== undefined || files.fullChain !== undefined;
  const chain = needsChain ? chainOf(certificate, await issuersAt(machine, files, wish)) : [];
  const changes = changesOf(files, wish, { key: key.pem, certificate, chain });
  const verify = (live: Machine) => requirePushed(live, files, { certificate, chain });
  await changeFiles(access, { changes, verify, reload });
  // The key is already in place, so a failure to remove the second copy, which has the same permissions, is ignored.
  if (key.isNew) await machine.remove(files.waitingKey).catch(() => undefined);
  return certificateMetadata(certificate, chain);
}

/** Returns the key that matches the certificate; a server with any other key would not restart. */
async function keyFor(
  machine: Machine,
  files: LocationFiles,
  certificate: Certificate,
): Promise<{ readonly pem: string; readonly isNew: boolean }> {
  const previous = `${files.key}${PREVIOUS}`;
  for (const path of [files.waitingKey, files.key, previous]) {
    const reading = readKey(machine, path);
    const key = await (path === previous ? reading.catch(unreadableKey) : reading);
    if (key && equalBytes(exportPublicKey(key), certificate.spki))
      return { pem: await exportPrivateKeyPem(key), isNew: path === files.waitingKey };
  }
  throw rejected(
    `The certificate matches neither the key in ${files.key} nor a pending key in ${files.waitingKey} or a previous key in ${previous}. Issue it in the location, which generates a key first.`,
  );
}

/**
 * Ignores unreadable files, because damage may be the reason for the push. The kept chain contains the issuers of a
 * certificate that is installed again.
 */
async function issuersAt(machine: Machine, files: LocationFiles, { issuers }: LocationSpec): Promise<Certificate[]> {
  const chainIn = async (ending: '' | typeof PREVIOUS): Promise<readonly Certificate[]> =>
    (await readLocation(machine, files, ending).catch(() => undefined))?.chain ?? [];
  return [...issuers, ...(await chainIn('')), ...(await chainIn(PREVIOUS))];
}

interface Contents {
  readonly key: string;
  readonly certificate: Certificate;
  readonly chain: readonly Certificate[];
}

/** Checks the files as the location shows them. */
async function requirePushed(
  machine: Machine,
  files: LocationFiles,
  { certificate, chain }: Pick<Contents, 'certificate' | 'chain'>,
): Promise<void> {
  const present = await readLocation(machine, files);
  const holds =
    present.certificate !== undefined &&
    equalBytes(present.certificate.der, certificate.der) &&
    present.keySpki !== undefined &&
    equalBytes(present.keySpki, certificate.spki) &&
    chain.every((issuer) => present.chain.some(({ der }) => equalBytes(der, issuer.der)));
  if (!holds) throw new MachineError(`${files.key} and its certificate files do not contain what was written to them`);
}

/** Includes the key even if it stays the same, so that all kept files date from the same time. */
function changesOf(files: LocationFiles, wish: LocationSpec, { key, certificate, chain }: Contents): FileChange[] {
  const alone = writePem('CERTIFICATE', certificate.der);
  const issuers = writePemChain(chain.map(({ der }) => der));
  const change = (path: string | undefined, text: string, mode = wish.certificateMode): FileChange[] =>
    path === undefined ? [] : [{ path, bytes: new TextEncoder().encode(text), mode, owner: wish.owner }];
  return [
    ...change(files.key, key, wish.keyMode),
    ...change(files.certificate, alone),
    ...change(files.chain, issuers),
    ...change(files.fullChain, alone + issuers),
  ];
}
