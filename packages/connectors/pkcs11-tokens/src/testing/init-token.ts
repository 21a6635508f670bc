// Initializes a SoftHSM token in a free slot, with a user PIN, and prints its serial number. Arguments: LIBRARY LABEL
// PIN.
import { CKF } from '../module/constants.ts';
import { loadBinding } from '../module/cryptoki.ts';
import { textOf } from '../module/objects.ts';

const [, , library = '', label = '', pin = ''] = process.argv;
const SECURITY_OFFICER = 0;
const SECURITY_OFFICER_PIN = 'so-pin-of-a-test';
const LABEL_LENGTH = 32;

const cryptoki = loadBinding();
cryptoki.load(library);
cryptoki.C_Initialize({ flags: CKF.osLockingOk });
const free = cryptoki
  .C_GetSlotList(true)
  .find((slot) => (cryptoki.C_GetTokenInfo(slot).flags & CKF.tokenInitialized) === 0);
if (!free) throw new Error('SoftHSM has no free slot.');
cryptoki.C_InitToken(free, SECURITY_OFFICER_PIN, label.padEnd(LABEL_LENGTH));
const slot = cryptoki.C_GetSlotList(true).find((each) => textOf(cryptoki.C_GetTokenInfo(each).label) === label);
if (!slot) throw new Error('The initialized token is not there.');
const session = cryptoki.C_OpenSession(slot, CKF.serialSession | CKF.readWriteSession);
cryptoki.C_Login(session, SECURITY_OFFICER, SECURITY_OFFICER_PIN);
cryptoki.C_InitPIN(session, pin);
cryptoki.C_Logout(session);
process.stdout.write(`${textOf(cryptoki.C_GetTokenInfo(slot).serialNumber)}\n`);
cryptoki.C_Finalize();
