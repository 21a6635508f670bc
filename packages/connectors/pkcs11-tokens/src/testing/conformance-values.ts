// Values for the conformance check that the definitions do not determine: a SoftHSM token and its PIN.
import { ACTIVATION, TOKEN } from '../index.ts';
import { MISSING, openSoftHsm, SOFT_HSM, type SoftHsm } from './soft-hsm.ts';

const LABEL = 'Conformance';
const PIN = 'pin-of-the-check';

/** Reason why the check cannot run on this machine. */
export const conformanceLacks = MISSING;

export const conformanceContext = { libraries: { softhsm: SOFT_HSM } };

let opened: SoftHsm | undefined;

export const conformanceEnd = (): Promise<void> | undefined => opened?.remove();

export async function conformanceValues() {
  const softHsm = await openSoftHsm();
  opened = softHsm;
  const serial = await softHsm.initToken(LABEL, PIN);
  return {
    PKCS11: {
      [TOKEN.library]: 'softhsm',
      [TOKEN.token]: `${serial}:${LABEL}`,
      [ACTIVATION.pin]: { secret: PIN },
    },
  };
}
