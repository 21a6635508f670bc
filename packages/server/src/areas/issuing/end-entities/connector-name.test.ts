import { describe, expect, it } from 'vitest';
import { toConnectorName } from './connector-name.ts';

const OID = '1.3.6.1.4.1.99999.1';
const codes = {
  byOid: new Map([[OID, 'TEAM']]),
  byCode: new Map([
    ['TEAM', OID],
    ['CREW', OID],
  ]),
};

describe('a name sent to a connector', () => {
  it.each([
    ['CN=Anna, TEAM=Ops\\, night, O=Example', `CN=Anna,${OID}=Ops\\, night,O=Example`],
    ['crew=Ops', `${OID}=Ops`],
  ])('contains OIDs instead of custom codes: %s', (text, sent) => {
    expect(toConnectorName(text, codes)).toBe(sent);
  });

  it.each(['CN=Anna ,  O=Example', `${OID}=Ops`, 'CN=Anna,UNKNOWN=x', 'TEAM=', 'nonsense', ''])(
    'is otherwise unchanged: %s',
    (text) => {
      expect(toConnectorName(text, codes)).toBe(text);
    },
  );
});
