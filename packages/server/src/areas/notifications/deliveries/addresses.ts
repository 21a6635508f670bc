// Recipients in the form that is sent to a provider: names, email addresses and the values of mapped custom attributes.
// They are read when a delivery is sent, so that they are up to date and the queue contains no secrets.
import type { DataAttribute, NotificationRecipientDto, RequestAttributeDto } from '@signetry/contract';
import type { Executor } from '../../../platform/database/database.ts';
import type { AttributeEngine } from '../../attributes/index.ts';
import { findGroups } from '../../groups/index.ts';
import type { Users } from '../ports.ts';
import type { InstanceRow, NamedRecipient } from '../tables.ts';

/** Instances of this kind send email, so recipients without an email address are skipped. */
export const MAIL_KIND = 'EMAIL';

export interface AddressedRecipients {
  readonly recipients: NotificationRecipientDto[];
  /** For each skipped recipient, the reason. */
  readonly leftOut: readonly string[];
}

export interface AddressParts {
  readonly users: Users;
  readonly attributes: Pick<AttributeEngine, 'customValuesOf'>;
}

interface Found {
  readonly name: string;
  readonly email: string | null;
}

export type Addresses = ReturnType<typeof createAddresses>;

export function createAddresses({ users, attributes }: AddressParts) {
  const valuesOf = {
    users: attributes.customValuesOf('users'),
    groups: attributes.customValuesOf('groups'),
    roles: attributes.customValuesOf('roles'),
  };

  /** Returns the recipients that exist, by UUID. */
  async function find(executor: Executor, recipients: readonly NamedRecipient[]): Promise<ReadonlyMap<string, Found>> {
    const of = (wanted: NamedRecipient['resource']) => [
      ...new Set(recipients.filter(({ resource }) => resource === wanted).map(({ uuid }) => uuid)),
    ];
    const [people, groups, roles] = [of('users'), of('groups'), of('roles')];
    const found = [
      ...(people.length > 0 ? await users.findPeople(executor, people) : []),
      ...(groups.length > 0 ? await findGroups(executor, groups) : []),
      ...(roles.length > 0 ? await users.findRoleAddresses(executor, roles) : []),
    ];
    return new Map(found.map(({ uuid, name, email }) => [uuid, { name, email }]));
  }

  /** Returns a mapped attribute's value under the provider's name for it; undefined if it has no value. */
  function mapAttribute(
    asked: DataAttribute,
    { mappings }: Pick<InstanceRow, 'mappings'>,
    values: readonly RequestAttributeDto[],
  ): RequestAttributeDto | undefined {
    const mapping = mappings.find(({ mappingAttributeUuid }) => mappingAttributeUuid === asked.uuid);
    const value = values.find(({ uuid }) => uuid === mapping?.customAttributeUuid.toLowerCase());
    if (!value || value.content.length === 0 || value.contentType !== asked.contentType) return undefined;
    return { ...value, uuid: asked.uuid, name: asked.name };
  }

  /** Returns the recipients for a delivery. */
  async function addressRecipients(
    instance: Pick<InstanceRow, 'kind' | 'mappings'>,
    { wanted, found, asked }: {
      readonly wanted: readonly NamedRecipient[];
      readonly found: ReadonlyMap<string, Found>;
      /** Recipient attributes that the kind uses. */
      readonly asked: readonly DataAttribute[];
    }, // prettier-ignore
  ): Promise<AddressedRecipients> {
    const recipients: NotificationRecipientDto[] = [];
    const leftOut: string[] = [];
    for (const { resource, uuid, name } of wanted) {
      const known = found.get(uuid);
      const email = known?.email || undefined;
      if (!known) {
        leftOut.push(`${name} has been removed or disabled`);
        continue;
      }
      if (email === undefined && instance.kind === MAIL_KIND) {
        leftOut.push(`${name} has no email address; enter one for this ${ONE_OF[resource]}`);
        continue;
      }
      const values =
        asked.length === 0 || instance.mappings.length === 0 ? [] : await valuesOf[resource].readForCopy(uuid);
      const given = asked.map((attribute) => ({ attribute, value: mapAttribute(attribute, instance, values) }));
      const missing = given.find(({ attribute, value }) => attribute.properties.required && !value);
      if (missing) {
        leftOut.push(`${name} has no value for ${missing.attribute.properties.label}, which the instance requires`);
        continue;
      }
      const mappedAttributes = given.flatMap(({ value }) => value ?? []);
      recipients.push({
        name: known.name,
        ...(email === undefined ? {} : { email }),
        ...(mappedAttributes.length === 0 ? {} : { mappedAttributes }),
      });
    }
    return { recipients, leftOut };
  }

  return { find, address: addressRecipients };
}

const ONE_OF = { users: 'user', groups: 'group', roles: 'role' } as const;
