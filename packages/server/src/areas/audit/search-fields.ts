// Filter fields for the audit log. `a` is the alias of the record table.
import { column, members } from '../../platform/database/filter/reading.ts';
import { sqlFields } from '../../platform/database/filter/sql-fields.ts';

export const auditFields = sqlFields('auditLogs', {
  AUDIT_LOG_TIMESTAMP: column('a.timestamp'),
  AUDIT_LOG_MODULE: column('a.module'),
  AUDIT_LOG_ACTOR_TYPE: column('a.actor_type'),
  AUDIT_LOG_ACTOR_NAME: column('a.actor_name'),
  AUDIT_LOG_ACTOR_AUTH_METHOD: column('a.actor_auth_method'),
  AUDIT_LOG_RESOURCE: column('a.resource'),
  AUDIT_LOG_AFFILIATED_RESOURCE: column('a.affiliated_resource'),
  AUDIT_LOG_OPERATION: column('a.operation'),
  AUDIT_LOG_OPERATION_RESULT: column('a.operation_result'),
  AUDIT_LOG_SOURCE_IP_ADDRESS: column('a.source_ip_address'),
  AUDIT_LOG_SOURCE_PATH: column('a.source_path'),
  AUDIT_LOG_MESSAGE: column('a.message'),
  AUDIT_LOG_RESOURCE_UUID: members('a.resource_objects', 'uuid'),
  AUDIT_LOG_RESOURCE_NAME: members('a.resource_objects', 'name'),
  AUDIT_LOG_AFFILIATED_RESOURCE_UUID: members('a.affiliated_objects', 'uuid'),
  AUDIT_LOG_AFFILIATED_RESOURCE_NAME: members('a.affiliated_objects', 'name'),
});
