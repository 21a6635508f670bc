// Locations of the kind PEM: one key with its certificate, in files.
import type { LocationDetailResponseDto } from '@signetry/contract';
import { equalBytes, toBase64 } from '@signetry/pki';
import { exportPublicKey } from '@signetry/pki/node';
import { locationForm, readLocationSpec } from './location-form.ts';
import type { LocationKind } from './location-kind.ts';
import { certificateMetadata, pendingKeyMetadata } from './location-metadata.ts';
import { createRequest } from './create-request.ts';
import { pushCertificate, type LocationOnMachine } from './push-certificate.ts';
import { filesOf, readKey, readLocation } from './read-location.ts';
import { removeCertificate } from './remove-certificate.ts';
import { readRequestSpec, requestForm, requestValuesOf } from './request-form.ts';

export const pemLocations: LocationKind = {
  form: locationForm,
  pushForm: () => [],
  requestForm,
  checkRequest: async (given) => void (await readRequestSpec(given)),
  open: async (given, facts) => {
    const wish = await readLocationSpec(given, facts);
    return {
      reloadCommand: wish.reloadCommand,
      show: (site) => showLocation({ ...site, wish }),
      push: async (site, { certificate }) => ({
        certificateMetadata: await pushCertificate({ ...site, wish }, certificate),
        withKey: true,
      }),
      remove: (site, metadata) => removeCertificate({ ...site, wish }, metadata),
      request: async ({ access }, { csrAttributes, renewal }) => {
        const request = await readRequestSpec(csrAttributes);
        const { der, waiting } = await createRequest(access.machine, wish, { request, renewal });
        return { der, metadata: waiting ? [pendingKeyMetadata([waiting])] : [], pushAttributes: [] };
      },
    };
  },
};

async function showLocation({ access: { machine }, wish }: LocationOnMachine): Promise<LocationDetailResponseDto> {
  const files = await filesOf(machine, wish);
  const { certificate, chain, keySpki } = await readLocation(machine, files);
  const waiting = await readKey(machine, files.waitingKey);
  const facts = {
    metadata: waiting ? [pendingKeyMetadata([exportPublicKey(waiting)])] : [],
    multipleEntries: false,
    supportKeyManagement: true,
  };
  if (!certificate) return { ...facts, certificates: [] };
  const csrAttributes = requestValuesOf(certificate);
  return {
    ...facts,
    certificates: [
      {
        certificateData: toBase64(certificate.der),
        certificateType: 'X.509' as const,
        withKey: keySpki !== undefined && equalBytes(keySpki, certificate.spki),
        metadata: certificateMetadata(certificate, chain),
        ...(csrAttributes ? { csrAttributes, pushAttributes: [] } : {}),
      },
    ],
  };
}
