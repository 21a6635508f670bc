// Deliberately planted automation faults, as the traces that they would leave in the tables.
import type { Planted } from '../planted.ts';

const RUN = `(SELECT uuid FROM workflow_run WHERE state = 'ended' ORDER BY uuid DESC LIMIT 1)`;
const EVALUATION = `(SELECT evaluation_uuid FROM workflow_run WHERE uuid = ${RUN})`;
const OBJECT = `(SELECT object_uuid FROM workflow_run WHERE uuid = ${RUN})`;
const DELIVERY = `(SELECT uuid FROM notification_delivery WHERE cause LIKE ${RUN} || ' %')`;
const DISCOVERED = `(SELECT l.uuid FROM event_log l JOIN discovery_certificate d ON d.discovery_uuid::text = l.data ->> 'discoveryUuid'
  JOIN certificate c ON c.fingerprint = d.fingerprint AND c.uuid = l.object_uuid WHERE d.newly_found LIMIT 1)`;

export const plantedAutomationFaults: readonly Planted[] = [
  {
    name: 'an event is never evaluated',
    finds: 'W1',
    sql: `DELETE FROM workflow_evaluation WHERE uuid = ${EVALUATION}`,
  },
  {
    name: 'an event is evaluated twice',
    finds: 'W1',
    sql: `INSERT INTO workflow_evaluation SELECT (jsonb_populate_record(e, jsonb_build_object('uuid', gen_random_uuid()))).*
          FROM workflow_evaluation e WHERE e.uuid = ${EVALUATION}`,
  },
  {
    name: 'the event of an issuance is lost',
    finds: 'W1',
    sql: `DELETE FROM event_log WHERE uuid = (SELECT uuid FROM event_log WHERE event = 'certificate_action_performed'
          AND data ->> 'subjectDn' LIKE '%fault-%' LIMIT 1)`,
  },
  {
    name: 'the event of a discovery result is lost',
    finds: 'W1',
    sql: `DELETE FROM event_log WHERE uuid = ${DISCOVERED}`,
  },
  { name: 'do nothing where conditions held', finds: 'W2', sql: `DELETE FROM workflow_run WHERE uuid = ${RUN}` },
  {
    name: 'a run ends before its last step',
    finds: 'W2',
    sql: `UPDATE workflow_run SET step = step - 1 WHERE uuid = ${RUN}`,
  },
  {
    name: 'an effect is lost',
    finds: 'W2',
    sql: `DELETE FROM group_membership WHERE object_uuid = ${OBJECT}`,
  },
  {
    name: 'an effect is applied twice',
    finds: 'W2',
    sql: `INSERT INTO certificate_history SELECT (jsonb_populate_record(h, jsonb_build_object('uuid', gen_random_uuid()))).*
          FROM certificate_history h WHERE h.certificate_uuid = ${OBJECT} AND h.event = 'Update Owner'`,
  },
  {
    name: 'a message is lost',
    finds: 'W3',
    sql: `DELETE FROM notification_delivery WHERE uuid = ${DELIVERY}`,
  },
  {
    name: 'a message is queued twice',
    finds: 'W3',
    sql: `INSERT INTO notification_delivery SELECT (jsonb_populate_record(d, jsonb_build_object('uuid', gen_random_uuid(), 'cause', d.cause || ' again'))).*
          FROM notification_delivery d WHERE d.uuid = ${DELIVERY}`,
  },
  {
    name: 'no user is notified',
    finds: 'W3',
    sql: `DELETE FROM notification WHERE cause LIKE ${RUN} || ' %'`,
  },
  {
    name: 'a message was delivered under a different identifier',
    finds: 'W4',
    sql: `UPDATE notification_delivery SET idempotency_key = gen_random_uuid() WHERE uuid = ${DELIVERY}`,
  },
  {
    name: 'a message is abandoned',
    finds: 'W4',
    sql: `UPDATE notification_delivery SET state = 'failed' WHERE uuid = ${DELIVERY}`,
  },
  {
    name: 'a run never ends',
    finds: 'W5',
    sql: `UPDATE workflow_run SET state = 'waiting' WHERE uuid = ${RUN}`,
  },
  {
    name: 'a follower is behind',
    finds: 'W5',
    sql: `UPDATE event_follower SET position = position - 1 WHERE name = 'workflows'`,
  },
  {
    name: 'an event is skipped',
    finds: 'W5',
    sql: `INSERT INTO event_set_aside (follower, position, event_uuid, problem) SELECT 'workflows', position, uuid, '' FROM event_log LIMIT 1`,
  },
];
