// Clients of CMP, with the commands that they need.
import { command, lines, ROOT_FILE, word } from '../acme/clients/setup.ts';
import { hostNameOf, portOf, type SecretStep, type TryClient, type TrySetup } from '../protocols/try-it/client.ts';
import type { CmpProfile } from '../../queries/protocols.ts';

const tls = (url: string): string | undefined =>
  url.startsWith('https:') ? `-tls_used -tls_trusted ${ROOT_FILE}` : undefined;

const makeKey = {
  title: 'Make a key',
  place: 'Shell',
  text: 'openssl ecparam -name prime256v1 -genkey -noout -out device.key',
};

const cmpCall = ({ url }: TrySetup, ...parts: readonly (string | undefined)[]): string =>
  command(`openssl cmp -server ${url}`, tls(url), ...parts);

const openssl: TryClient = {
  id: 'openssl',
  label: 'OpenSSL',
  trust: 'file',
  snippets: (setup) => [
    makeKey,
    {
      title: 'Get the certificate',
      before: 'OpenSSL 3.0 or later.',
      place: 'Shell',
      text: cmpCall(
        setup,
        '-cmd ir -recipient /CN=CA',
        '-ref REFERENCE -secret pass:SECRET',
        `-newkey device.key -subject ${word(`/CN=${setup.host}`)}`,
        '-certout device.pem',
      ),
    },
    {
      title: 'Revoke it',
      place: 'Shell',
      text: cmpCall(
        setup,
        '-cmd rr -recipient /CN=CA',
        '-ref REFERENCE -secret pass:SECRET',
        '-oldcert device.pem -revreason 4',
      ),
    },
  ],
  remark:
    'A key update (-cmd kur) is signed with the certificate that it updates, at a profile that takes signed requests: -cert device.pem -key device.key in place of -ref and -secret.',
};

const signedOpenssl: TryClient = {
  ...openssl,
  snippets: (setup) => [
    makeKey,
    {
      title: 'Get the certificate',
      before: 'Signed with a certificate that the device has, of the RA profile or of a trusted authority.',
      place: 'Shell',
      text: cmpCall(
        setup,
        '-cmd ir -recipient /CN=CA -unprotected_errors',
        '-cert present.pem -key present.key -trusted ca.pem',
        `-newkey device.key -subject ${word(`/CN=${setup.host}`)}`,
        '-certout device.pem',
      ),
    },
    {
      title: 'Update the key',
      place: 'Shell',
      text: cmpCall(
        setup,
        '-cmd kur -recipient /CN=CA -unprotected_errors',
        '-cert device.pem -key device.key -trusted ca.pem',
        '-newkey next.key -certout next.pem',
      ),
    },
  ],
  remark: 'ca.pem is the certificate that responses are verified with.',
};

const juniper: TryClient = {
  id: 'juniper',
  label: 'Juniper Junos',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host, profile }) => [
    {
      title: 'Set the address',
      place: 'Junos, configuration mode',
      text: lines(
        `set security pki ca-profile ${profile} ca-identity ${profile}`,
        `set security pki ca-profile ${profile} enrollment url ${url}`,
        'commit',
      ),
    },
    {
      title: 'Get the certificate',
      place: 'Junos, operational mode',
      text: lines(
        'request security pki generate-key-pair certificate-id device size 2048 type rsa',
        `request security pki local-certificate enroll cmpv2 ca-profile ${profile} certificate-id device ca-dn CN=CA ca-secret SECRET ca-reference REFERENCE domain-name ${host} subject CN=${host}`,
      ),
    },
  ],
  remark:
    'The device needs the certificate of the authority in its CA profile. Messages protect themselves: where it cannot use HTTPS, the plain HTTP listener serves the same path.',
};

const other: TryClient = {
  id: 'other',
  label: 'Another device',
  trust: 'itself',
  untried: true,
  snippets: ({ url }) => [
    {
      title: 'Enter these settings',
      place: 'Settings of the device',
      text: lines(
        `URL: ${url}`,
        `Host: ${hostNameOf(url)}`,
        `Port: ${portOf(url)}`,
        `Path: ${new URL(url).pathname}`,
        'Recipient: CN=CA',
        'Reference value: REFERENCE',
        'Shared secret: SECRET',
      ),
    },
  ],
  remark:
    'Base stations of 3GPP sign their first request with the certificate of their maker: make it a trusted authority.',
};

export const cmpClients = ({ requestProtectionMethod }: Pick<CmpProfile, 'requestProtectionMethod'>) =>
  requestProtectionMethod === 'signature' ? ([signedOpenssl, other] as const) : ([openssl, juniper, other] as const);

export function cmpSecretStep(
  profile: Pick<CmpProfile, 'requestProtectionMethod' | 'oneTimeSecrets'>,
): SecretStep | undefined {
  const takesOneTime = profile.oneTimeSecrets !== false;
  if (profile.requestProtectionMethod === 'signature') return undefined;
  return {
    title: 'Get a secret',
    text: takesOneTime
      ? 'Replace REFERENCE and SECRET with those of a one-time secret. The shared secret of the profile works as well, with any reference.'
      : 'Replace SECRET with the shared secret of the profile, and REFERENCE with a name of your choice.',
    takesOneTime,
  };
}
