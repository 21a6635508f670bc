// Whether to show the key names of a Mac.
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
