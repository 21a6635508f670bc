// Hexadecimal moduli of real keys that are known to be weak. Their private keys need not be kept secret.

/** RSA-2048 key from a chip with Infineon's faulty library (CVE-2017-15361). */
export const ROCA_MODULUS =
  '9132ad211fcc0dfb4dae48326ac864c227e4b394b09bd1c4930e197028a3c907694d2b489e4f69754aeae338c6ead939c57f406985cbbb8e' +
  'df9a2055cc2946bc05d365ba67e896c6d4811152cfa2d290514f90b352eeef27feb72fbd8dcd5bc915a4f4494139cc1ca10a3244fa97e532' +
  '75f57b5529b4e767379007798e112a4ba056c7b75cedb132cdf21f7bd3c9976d9da38815153477a13b3ebb2046d100a851dc00698f530d19' +
  '396f00fbef2c4bf1659ebc4c7fd9556b5ffc93f03ca2d3dfacd222a5f028ab430a27ea31136c0c2f50c3c481931a635a37780f00d2727ae7' +
  '1aee9b40f8d1aae68535c77a56317812beb5525d4a28364f31224acac52cf72d';
