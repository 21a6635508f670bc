// Creates a PKCS #12 file. Loaded on demand.
import { readPem } from '@signetry/pki';
import { writePkcs12 } from '@signetry/pki/pkcs12';
import { nameOf } from '../../format/names.ts';
import { chainPem, contentOf, fileNameOf, saveFile } from '../certificates/downloads.ts';
import type { CertificateDetail } from '../certificates/shapes.ts';

export interface Pkcs12Contents {
  readonly certificate: CertificateDetail;
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  readonly password: string;
}

export async function savePkcs12({ certificate, privateKey, password }: Pkcs12Contents): Promise<void> {
  const [key] = readPem(privateKey);
  if (!key) throw new Error('The private key is missing.');
  const chain = readPem(new TextDecoder().decode(await contentOf(certificate, chainPem)));
  const file = await writePkcs12({
    privateKey: key.der,
    chain: chain.map(({ der }) => der),
    friendlyName: nameOf(certificate),
    password,
  });
  saveFile(fileNameOf(certificate, '.p12'), file);
}
