// Examples for the rules about key usages and purposes.
import { extKeyUsageExtension, keyUsageExtension, type ExtensionInput } from '../../x509/extension-parts.ts';
import { OID } from '../../oids.ts';
import { sequence } from '../../der/writer.ts';
import { authority, critical, notCritical, rawExtension, server, type Changes, type ExamplesOf } from './sample.ts';
import type { KEY_USAGE } from '../rules/rfc5280/key-usage.ts';
import type { KeyUsage } from '../../x509/extensions.ts';

const usages = (...names: readonly KeyUsage[]): Changes => ({ extensions: [keyUsageExtension(names)] });
const purposes = (...oids: readonly string[]): Changes => ({ extensions: [extKeyUsageExtension(oids)] });
const rawUsage = (...octets: readonly number[]): ExtensionInput =>
  rawExtension(OID.keyUsage, Uint8Array.from(octets), true);

export const KEY_USAGE_EXAMPLES: ExamplesOf<typeof KEY_USAGE> = {
  'ca-key-usage': { passes: authority(), fails: authority(usages('cRLSign')), isOutOfScope: server() },
  'key-cert-sign-only-for-ca': {
    passes: server(),
    fails: server(usages('keyCertSign', 'digitalSignature')),
    isOutOfScope: authority(),
  },
  'key-usage-not-empty': { passes: server(), fails: server({ extensions: [rawUsage(3, 1, 0)] }) },
  'key-usage-critical': {
    passes: server(),
    fails: server({ extensions: [notCritical(keyUsageExtension(['digitalSignature']))] }),
  },
  'key-usage-encoding': {
    passes: server({ extensions: [rawUsage(3, 2, 7, 0x80)] }),
    fails: server({ extensions: [rawUsage(3, 2, 0, 0x80)] }),
  },
  'key-usage-fits-key': { passes: server(usages('keyAgreement')), fails: server(usages('keyEncipherment')) },
  'encipher-only-needs-key-agreement': {
    passes: server(usages('keyAgreement', 'encipherOnly')),
    fails: server(usages('digitalSignature', 'encipherOnly')),
  },
  'ext-key-usage-not-empty': {
    passes: server(),
    fails: server({ extensions: [rawExtension(OID.extKeyUsage, sequence([]))] }),
  },
  'ext-key-usage-duplicate': {
    passes: server(purposes(OID.clientAuth, OID.serverAuth)),
    fails: server(purposes(OID.clientAuth, OID.clientAuth)),
  },
  'any-purpose-not-critical': {
    passes: server(purposes(OID.anyExtendedKeyUsage)),
    fails: server({ extensions: [extKeyUsageExtension([OID.anyExtendedKeyUsage], true)] }),
  },
  'purpose-fits-key-usage': {
    passes: server(purposes(OID.codeSigning)),
    fails: server({ extensions: [keyUsageExtension(['keyAgreement']), extKeyUsageExtension([OID.codeSigning])] }),
    isOutOfScope: authority(purposes(OID.codeSigning)),
  },
  'time-stamping-alone': {
    passes: server({ extensions: [critical(extKeyUsageExtension([OID.timeStamping]))] }),
    fails: server({ extensions: [critical(extKeyUsageExtension([OID.timeStamping, OID.codeSigning]))] }),
    isOutOfScope: server(),
  },
};
