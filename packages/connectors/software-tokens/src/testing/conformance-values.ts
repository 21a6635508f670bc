// Values for the conformance check that the definitions do not determine: a token is activated with the code it was
// created with.
import { TOKEN } from '../attributes/token-attributes.ts';
import { KIND } from '../declaration.ts';

export const conformanceValues = () =>
  Promise.resolve({ [KIND]: { [TOKEN.code]: { secret: 'conformance of a software token' } } });
