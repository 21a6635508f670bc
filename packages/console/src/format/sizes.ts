// Text for file sizes.

const STEP = 1024;

/** Returns text such as `1 byte`, `700 bytes`, `2.4 KiB` or `1.1 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < STEP) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kibibytes = bytes / STEP;
  return kibibytes < STEP ? `${formatRounded(kibibytes)} KiB` : `${formatRounded(kibibytes / STEP)} MiB`;
}

const formatRounded = (amount: number): string => amount.toLocaleString('en-GB', { maximumFractionDigits: 1 });
