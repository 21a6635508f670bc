// The form for a protocol profile: its own values, authority attributes and custom attributes, and how they are saved.
import type { RequestAttributeDto, Resource } from '@signetry/contract';
import type { ObjectPaths } from '../../kit/paths.ts';
import { useObjectForm, type ObjectFormModel } from '../../kit/use-object-form.ts';
import type { ProtocolProfile } from '../../queries/protocols.ts';
import { notify } from '../../ui/notices.tsx';
import { useCustomFields, withCustomFields, type CustomFields } from '../custom-attributes/use-custom-fields.ts';
import {
  customOfCertificates,
  useCertificateAttributes,
  type AttributeHolder,
  type CertificateAttributeForms,
  type CertificateAttributes,
} from './certificate-attributes.ts';
import type { IssuingValues } from './issuing-section.tsx';

/** The properties of a protocol that its form and its settings tab depend on. */
export interface FormProtocol {
  readonly label: string;
  readonly paths: ObjectPaths & { readonly tab: (uuid: string, tab: 'settings') => string };
  readonly resource: Resource;
  /** Example of a profile name. */
  readonly example: string;
  readonly enable: (uuid: string) => Promise<unknown>;
  /** Prefix of the queries to refetch after a change. */
  readonly queryKey: readonly string[];
}

export interface CommonValues extends IssuingValues {
  readonly name: string;
  readonly description: string;
}

export type StoredProfile = ProtocolProfile &
  AttributeHolder &
  Parameters<typeof customOfCertificates>[0] & {
    readonly customAttributes?: Parameters<typeof useCustomFields>[1] | undefined;
  };

export type FurtherProfileFields = CertificateAttributeForms & {
  readonly custom: CustomFields;
  readonly ofCertificates: CustomFields;
};

/** Request fields that all protocols have. */
export interface CommonRequest {
  readonly description: string;
  readonly raProfileUuid: string;
  readonly certificateAssociations: {
    readonly ownerUuid?: string;
    readonly groupUuids: string[];
    readonly customAttributes: RequestAttributeDto[];
  };
}

export interface SubmittedFields {
  readonly common: CommonRequest;
  readonly attributes: CertificateAttributes;
  /** Absent if the custom attributes are unchanged. */
  readonly custom: { readonly customAttributes?: RequestAttributeDto[] };
}

export interface ProfileFormInput<Values extends CommonValues> {
  readonly protocol: FormProtocol;
  readonly profile: StoredProfile | undefined;
  readonly start: Values;
  /** Whether clients can revoke certificates. */
  readonly revokes: boolean;
  /** Throws if the console rejects values that the API would accept. */
  readonly check?: (values: Values) => void;
  readonly create: (values: Values, given: SubmittedFields) => Promise<{ readonly uuid: string }>;
  readonly update: (uuid: string, values: Values, given: SubmittedFields) => Promise<unknown>;
}

export const emptyCommonValues: CommonValues = {
  name: '',
  description: '',
  raProfileUuid: '',
  ownerUuid: '',
  groupUuids: [],
};

export const commonValuesOf = (profile: StoredProfile): CommonValues => ({
  name: profile.name,
  description: profile.description ?? '',
  raProfileUuid: profile.raProfile?.uuid ?? '',
  ownerUuid: profile.certificateAssociations?.ownerUuid ?? '',
  groupUuids: profile.certificateAssociations?.groupUuids ?? [],
});

/** EST profiles have no custom attributes of their own; the certificate attributes are requested instead. */
const resourceOf = ({ resource }: FormProtocol): Resource => (resource === 'raProfiles' ? 'certificates' : resource);

export function useProfileForm<Values extends CommonValues>(
  input: ProfileFormInput<Values>,
): ObjectFormModel<Values, FurtherProfileFields> {
  const { protocol, profile, start, revokes, check, create, update } = input;
  const { label, paths } = protocol;
  const submittedFieldsOf = (values: Values, further: FurtherProfileFields): SubmittedFields => ({
    common: {
      description: values.description.trim(),
      raProfileUuid: values.raProfileUuid,
      certificateAssociations: {
        ...(values.ownerUuid === '' ? {} : { ownerUuid: values.ownerUuid }),
        groupUuids: [...values.groupUuids],
        customAttributes:
          further.ofCertificates.request().customAttributes ??
          (further.ofCertificates.isKnown ? [] : customOfCertificates(profile)),
      },
    },
    attributes: further.request(),
    custom: protocol.resource === 'raProfiles' ? {} : further.custom.request(),
  });
  return useObjectForm<Values, FurtherProfileFields>({
    what: `${label} profile`,
    paths: { ...paths, one: (uuid) => paths.tab(uuid, 'settings') },
    object: profile,
    start,
    useFurther: ({ raProfileUuid }) => {
      const associated = profile && (profile.certificateAssociations?.customAttributes ?? []);
      const ofCertificates = useCustomFields('certificates', associated, { isPartial: true });
      const own = useCustomFields(resourceOf(protocol), profile && (profile.customAttributes ?? []), {
        isPartial: protocol.resource === 'raProfiles',
      });
      const attributes = useCertificateAttributes(raProfileUuid, profile, { revokes });
      return { ...withCustomFields(withCustomFields(attributes, ofCertificates), own), ofCertificates };
    },
    create: async (values, further) => {
      check?.(values);
      const { uuid } = await create(values, submittedFieldsOf(values, further));
      // A profile is disabled when it is created. Without permission to enable it, it remains disabled, and the page
      // shows this.
      return { uuid, to: paths.one(uuid), isQuiet: !(await enable(protocol, uuid)) };
    },
    update: async (uuid, values, further) => {
      check?.(values);
      return update(uuid, values, submittedFieldsOf(values, further));
    },
    refresh: [protocol.queryKey],
  });
}

async function enable(protocol: FormProtocol, uuid: string): Promise<boolean> {
  try {
    await protocol.enable(uuid);
    return true;
  } catch (error) {
    notify.failed(error);
    return false;
  }
}
