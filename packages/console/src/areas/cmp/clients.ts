// CMP clients with their commands.
import { command, joinLines, ROOT_FILE, quoteWord } from '../acme/clients/setup.ts';
import { hostNameOf, portOf, type SecretStep, type TryClient, type TrySetup } from '../protocols/try-it/client.ts';
import type { CmpProfile } from '../../queries/protocols.ts';

const tls = (url: string): string | undefined =>
  url.startsWith('https:') ? `-tls_used -tls_trusted ${ROOT_FILE}` : undefined;

const makeKey = {
  title: 'Generate a key',
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
        `-newkey device.key -subject ${quoteWord(`/CN=${setup.host}`)}`,
        '-certout device.pem',
      ),
    },
    {
      title: 'Revoke the certificate',
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
    'A key update (-cmd kur) is signed with the certificate being updated, in a profile that accepts signed requests: use -cert device.pem -key device.key instead of -ref and -secret.',
};

const signedOpenssl: TryClient = {
  ...openssl,
  snippets: (setup) => [
    makeKey,
    {
      title: 'Get the certificate',
      before:
        'Signed with an existing certificate of the device, issued under the RA profile or by a trusted authority.',
      place: 'Shell',
      text: cmpCall(
        setup,
        '-cmd ir -recipient /CN=CA -unprotected_errors',
        '-cert present.pem -key present.key -trusted ca.pem',
        `-newkey device.key -subject ${quoteWord(`/CN=${setup.host}`)}`,
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
  remark: 'ca.pem is the certificate used to verify responses.',
};

const juniper: TryClient = {
  id: 'juniper',
  label: 'Juniper Junos',
  trust: 'itself',
  untried: true,
  snippets: ({ url, host, profile }) => [
    {
      title: 'Set the URL',
      place: 'Junos, configuration mode',
      text: joinLines(
        `set security pki ca-profile ${profile} ca-identity ${profile}`,
        `set security pki ca-profile ${profile} enrollment url ${url}`,
        'commit',
      ),
    },
    {
      title: 'Get the certificate',
      place: 'Junos, operational mode',
      text: joinLines(
        'request security pki generate-key-pair certificate-id device size 2048 type rsa',
        `request security pki local-certificate enroll cmpv2 ca-profile ${profile} certificate-id device ca-dn CN=CA ca-secret SECRET ca-reference REFERENCE domain-name ${host} subject CN=${host}`,
      ),
    },
  ],
  remark:
    'The device’s CA profile must contain the CA certificate. CMP messages are protected themselves: if the device does not support HTTPS, the plain HTTP listener serves the same path.',
};

const other: TryClient = {
  id: 'other',
  label: 'Other device',
  trust: 'itself',
  untried: true,
  snippets: ({ url }) => [
    {
      title: 'Enter these settings',
      place: 'Device settings',
      text: joinLines(
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
    '3GPP base stations sign their first request with their vendor certificate. Add the vendor CA as a trusted authority.',
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
      ? 'Replace REFERENCE and SECRET with the values of a one-time secret. The profile’s shared secret also works, with any reference.'
      : 'Replace SECRET with the profile’s shared secret, and REFERENCE with a name of your choice.',
    takesOneTime,
  };
}
