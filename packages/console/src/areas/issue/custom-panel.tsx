// Custom attributes of the new certificate.
import { isShown } from '../../ui/attributes/attribute-values.ts';
import { AttributeFields } from '../../ui/attributes/attribute-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CustomFieldsFailure } from '../custom-attributes/custom-section.tsx';
import type { CustomFields } from '../custom-attributes/use-custom-fields.ts';

export interface CustomPanelProps {
  readonly custom: CustomFields;
  /** Step number on the page; absent if the steps are not numbered. */
  readonly place?: number;
}

export function CustomPanel({ custom, place }: CustomPanelProps) {
  if (custom.error) return <CustomFieldsFailure error={custom.error} />;
  if (!custom.form.definitions.some(isShown)) return null;
  return (
    <Panel title={place === undefined ? 'Custom attributes' : `${place}. Custom attributes`}>
      <AttributeFields form={custom.form} />
    </Panel>
  );
}
