// Whether to show the key names used on a Mac.
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
