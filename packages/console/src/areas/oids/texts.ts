// Text for object identifier categories.
import { OidCategory } from '@signetry/contract';

interface CategoryText {
  readonly label: string;
  /** Where names of this category are shown. */
  readonly use: string;
}

const categories: Readonly<Record<OidCategory, CategoryText>> = {
  rdnAttributeType: {
    label: 'Name attribute',
    use: 'Part of a distinguished name. Its code precedes values in subjects and issuers, such as CN in CN=www.example.com.',
  },
  extendedKeyUsage: {
    label: 'Extended key usage',
    use: 'Permitted purpose of a certified key. Its name is shown among the extended key usages of certificates.',
  },
  generic: {
    label: 'Other',
    use: 'An extension, a certificate policy or anything else. Its name is shown instead of the number on certificate pages.',
  },
};

export const describeCategory = (category: OidCategory): string => categories[category].label;

export const describeUsage = (category: OidCategory): string => categories[category].use;

export const categoryChoices = OidCategory.options.map((value) => ({ value, label: categories[value].label }));
