// Attribute values as a single line of text. The platform never returns secrets.
import type { ResponseAttributeDto } from '@signetry/contract';

export function contentText({ contentType, content = [] }: ResponseAttributeDto): string {
  if (contentType === 'secret') return 'set';
  return content.map((item) => item.reference ?? dataText(item.data)).join(', ');
}

/** Structured values are represented by their name. */
function dataText(data: unknown): string {
  if (typeof data !== 'object' || data === null) return String(data);
  const [name] = ['name', 'fileName', 'language'].flatMap((member) =>
    Object.entries(data).filter(([key]) => key === member),
  );
  return name === undefined ? JSON.stringify(data) : String(name[1]);
}
