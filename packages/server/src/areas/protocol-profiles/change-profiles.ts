// Writes profiles: the row, the attributes and the audit record are written in a single transaction that locks the RA
// profile.
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound } from '../../kernel/errors.ts';
import { rejectTakenName } from '../../platform/objects/unique-names.ts';
import type { AuditEntry } from '../audit/index.ts';
import { profileHolder } from './certificate-attributes.ts';
import type { AcceptedProfileValues } from './custom-values.ts';
import { holdIssuing, switchIssuing, type IssuingSettings } from './issuing.ts';
import type { ChangeParts } from './profile-parts.ts';
import type { ProtocolProfileRow } from './protocol.ts';
import type { NewProfile, ProfileChanges } from './store.ts';

/** Inserts a profile with accepted attributes. Rejects a name that is in use (`already_exists`). */
export async function insertProfile<Row extends ProtocolProfileRow>(
  parts: ChangeParts<Row>,
  {
    row,
    issuing,
    custom,
  }: { readonly row: NewProfile<Row>; readonly issuing: IssuingSettings; readonly custom: AcceptedProfileValues },
  context: RequestContext,
): Promise<void> {
  const { protocol, platform, profiles, certificateAttributes, values, audit, onChange } = parts;
  await rejectTakenName(profiles, row.name, () =>
    platform.database.transaction(async (tx) => {
      await holdIssuing(parts, tx, issuing);
      await profiles.insert(tx, row);
      await certificateAttributes.replace(tx, profileHolder(protocol, row), issuing.values);
      await values.write(tx, row.uuid, custom);
      await audit.append(tx, context, entryOf(row, issuing));
    }),
  );
  onChange();
}

/** Changes a profile and its issuance settings; 404 if it no longer exists. */
export async function changeProfile<Row extends ProtocolProfileRow>(
  parts: ChangeParts<Row>,
  facts: {
    readonly uuid: string;
    readonly changes: ProfileChanges<Row>;
    readonly issuing: IssuingSettings;
    /** If undefined, the values remain unchanged. */
    readonly custom?: AcceptedProfileValues;
  },
  context: RequestContext,
): Promise<void> {
  const { protocol, platform, profiles, attributes, certificateAttributes, values, audit, onChange } = parts;
  const { uuid, changes, issuing, custom } = facts;
  await platform.database.transaction(async (tx) => {
    await holdIssuing(parts, tx, issuing);
    const [row] = await profiles.updateMany(tx, [uuid], {
      ...changes,
      ...issuing.columns,
      updated_at: platform.clock.now(),
    });
    if (!row) throw notFound(profiles.what, uuid);
    // This also removes values from a previous connector.
    await attributes.removeData(tx, protocol.resource, [uuid]);
    await certificateAttributes.replace(tx, profileHolder(protocol, row), issuing.values);
    if (custom) await values.write(tx, uuid, custom);
    await audit.append(tx, context, entryOf(row, issuing));
  });
  onChange();
}

/** Keeps the profile's attributes if the authority of its new RA profile knows and accepts them. */
export async function setRaProfile<Row extends ProtocolProfileRow>(
  parts: ChangeParts<Row>,
  target: { readonly uuid: string; readonly raProfileUuid: string },
  context: RequestContext,
): Promise<void> {
  await parts.profiles.require(parts.platform.database.executor, target.uuid);
  const issuing = await switchIssuing(parts, target, context);
  await changeProfile(parts, { uuid: target.uuid, changes: {}, issuing }, context);
}

const entryOf = (
  { uuid, name }: Pick<ProtocolProfileRow, 'uuid' | 'name'>,
  { raProfile }: IssuingSettings,
): AuditEntry => ({
  objects: [{ uuid, name }],
  ...(raProfile
    ? { affiliated: { resource: 'raProfiles', objects: [{ uuid: raProfile.uuid, name: raProfile.name }] } }
    : {}),
});
