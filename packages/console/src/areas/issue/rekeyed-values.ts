// Custom attributes of a rekeyed certificate. They are copied from its predecessor; changes are applied afterwards,
// because the rekey request cannot contain them.
import type { RequestAttributeDto, ResponseAttributeDto } from '@signetry/contract';
import { api } from '../../api/client.ts';
import { toCanonicalJson } from '../../ui/attributes/attribute-content.ts';

export interface ChangedValues {
  readonly certificateUuid: string;
  /** Values of the predecessor. */
  readonly present: readonly ResponseAttributeDto[];
  readonly requested: readonly RequestAttributeDto[];
}

export async function setChangedValues({ certificateUuid, present, requested }: ChangedValues): Promise<void> {
  for (const { uuid: attributeUuid, name, content } of requested) {
    const before = present.find((value) => value.name === name)?.content ?? [];
    if (toCanonicalJson(before) === toCanonicalJson(content)) continue;
    const params = { resourceName: 'certificates', objectUuid: certificateUuid, attributeUuid } as const;
    await api.customAttributes.updateAttributeContentForResource({ params, body: content });
  }
}
