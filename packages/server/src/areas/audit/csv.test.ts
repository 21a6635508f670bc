import { describe, expect, it } from 'vitest';
import { csvHeader, csvLine } from './csv.ts';
import type { AuditRow } from './store.ts';

const row: AuditRow = {
  id: 7,
  node_id: '00000000-0000-7000-8000-000000000001',
  timestamp: new Date('2026-11-20T12:00:00.123Z'),
  logged_at: new Date('2026-11-20T12:00:00.456Z'),
  version: '1.1',
  module: 'core',
  operation: 'create',
  operation_result: 'success',
  resource: 'groups',
  resource_objects: [{ uuid: 'u1', name: 'web, "prod"' }, { uuid: 'u2' }],
  affiliated_resource: null,
  affiliated_objects: null,
  actor_type: 'user',
  actor_auth_method: 'token',
  actor_uuid: 'u3',
  actor_name: '=HYPERLINK("http://x")',
  source_method: 'POST',
  source_path: '/v1/groups',
  source_content_type: null,
  source_ip_address: '127.0.0.1',
  source_user_agent: '@SUM(1)',
  message: 'line one\r\nline \\two',
  operation_data: { a: 1 },
  additional_data: null,
};

describe('the CSV export of audit records', () => {
  it('has the columns of the interface', () => {
    expect(csvHeader).toBe(
      'id,version,loggedAt,timestamp,module,operation,operationResult,resource,resourceObjects,affiliatedResource,affiliatedObjects,actorType,actorAuthMethod,actorUuid,actorName,ipAddress,userAgent,message,operationData,additionalData\r\n',
    );
  });

  it('encodes objects, escapes quotes with a backslash and leaves absent values empty', () => {
    expect(csvLine(row)).toBe(
      String.raw`7,1.1,2026-11-20T12:00:00.456Z,2026-11-20T12:00:00.123Z,core,create,success,groups,"[{web, \"prod\";u1};{;u2}]",,,user,token,u3,` +
        String.raw`"'=HYPERLINK(\"http://x\")",127.0.0.1,'@SUM(1),"line one` +
        '\r\n' +
        String.raw`line \\two","{\"a\":1}",` +
        '\r\n',
    );
  });

  it('escapes every prefix that a spreadsheet interprets as a formula', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r'])
      expect(csvLine({ ...row, actor_name: `${start}1` })).toContain(`'${start}1`);
    expect(csvLine({ ...row, actor_name: 'a=1' })).toContain(',a=1,');
  });
});
