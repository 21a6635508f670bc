// PKCS #11 3.1 constants that the connector uses, plus 3.2 constants for ML-DSA. Defined here because the binding lacks
// some of them and is never loaded by the platform process.

export const CKF = {
  osLockingOk: 0x2,
  tokenInitialized: 0x400,
  writeProtected: 0x2,
  userPinInitialized: 0x8,
  protectedAuthenticationPath: 0x100,
  userPinCountLow: 0x1_0000,
  userPinFinalTry: 0x2_0000,
  userPinLocked: 0x4_0000,
  userPinToBeChanged: 0x8_0000,
  readWriteSession: 0x2,
  serialSession: 0x4,
} as const;

export const CKU = { user: 1 } as const;

export const CKO = { certificate: 1, publicKey: 2, privateKey: 3, secretKey: 4 } as const;

export const CKK = {
  rsa: 0x0,
  ec: 0x3,
  genericSecret: 0x10,
  aes: 0x1f,
  sha256Hmac: 0x2b,
  sha384Hmac: 0x2c,
  sha512Hmac: 0x2d,
  ecEdwards: 0x40,
  mlDsa: 0x4a,
} as const;

export const CKA = {
  class: 0x0,
  token: 0x1,
  private: 0x2,
  label: 0x3,
  value: 0x11,
  keyType: 0x100,
  id: 0x102,
  sensitive: 0x103,
  encrypt: 0x104,
  decrypt: 0x105,
  wrap: 0x106,
  unwrap: 0x107,
  sign: 0x108,
  verify: 0x10a,
  derive: 0x10c,
  modulus: 0x120,
  modulusBits: 0x121,
  publicExponent: 0x122,
  publicKeyInfo: 0x129,
  valueLength: 0x161,
  extractable: 0x162,
  ecParams: 0x180,
  ecPoint: 0x181,
  parameterSet: 0x61d,
} as const;

export const CKM = {
  rsaPkcsKeyPairGen: 0x0,
  rsaPkcs: 0x1,
  /** Without padding. */
  rsaX509: 0x3,
  rsaPkcsOaep: 0x9,
  rsaPkcsPss: 0xd,
  mlDsaKeyPairGen: 0x1c,
  mlDsa: 0x1d,
  sha256RsaPkcs: 0x40,
  sha384RsaPkcs: 0x41,
  sha512RsaPkcs: 0x42,
  sha256RsaPkcsPss: 0x43,
  sha384RsaPkcsPss: 0x44,
  sha512RsaPkcsPss: 0x45,
  sha224RsaPkcs: 0x46,
  sha224RsaPkcsPss: 0x47,
  sha3_256RsaPkcs: 0x60,
  sha3_384RsaPkcs: 0x61,
  sha3_512RsaPkcs: 0x62,
  sha3_256RsaPkcsPss: 0x63,
  sha3_384RsaPkcsPss: 0x64,
  sha3_512RsaPkcsPss: 0x65,
  sha256: 0x250,
  sha256Hmac: 0x251,
  sha224: 0x255,
  sha384: 0x260,
  sha384Hmac: 0x261,
  sha512: 0x270,
  sha512Hmac: 0x271,
  sha3_256: 0x2b0,
  sha3_384: 0x2c0,
  sha3_512: 0x2d0,
  sha1: 0x220,
  genericSecretKeyGen: 0x350,
  ecKeyPairGen: 0x1040,
  ecdsa: 0x1041,
  ecdsaSha224: 0x1043,
  ecdsaSha256: 0x1044,
  ecdsaSha384: 0x1045,
  ecdsaSha512: 0x1046,
  ecdsaSha3_256: 0x1048,
  ecdsaSha3_384: 0x1049,
  ecdsaSha3_512: 0x104a,
  ecEdwardsKeyPairGen: 0x1055,
  eddsa: 0x1057,
  aesKeyGen: 0x1080,
  aesGcm: 0x1087,
} as const;

/** MGF1 variants for each digest. */
export const CKG = {
  mgf1Sha1: 0x1,
  mgf1Sha256: 0x2,
  mgf1Sha384: 0x3,
  mgf1Sha512: 0x4,
  mgf1Sha224: 0x5,
  mgf1Sha3_256: 0x7,
  mgf1Sha3_384: 0x8,
  mgf1Sha3_512: 0x9,
} as const;

/** OAEP encoding parameters are specified in the call. */
export const CKZ_DATA_SPECIFIED = 1;

/** The binding's identifiers for mechanism parameter types. */
export const PARAMETERS = { rsaOaep: 4, rsaPss: 5, aesGcm: 7 } as const;

export const CKR = {
  keyHandleInvalid: 0x60,
  mechanismInvalid: 0x70,
  objectHandleInvalid: 0x82,
  pinIncorrect: 0xa0,
  pinInvalid: 0xa1,
  pinLengthRange: 0xa2,
  pinExpired: 0xa3,
  pinLocked: 0xa4,
  sessionCount: 0xb1,
  userAlreadyLoggedIn: 0x100,
  userNotLoggedIn: 0x101,
  userPinNotInitialized: 0x102,
  cryptokiNotInitialized: 0x190,
  cryptokiAlreadyInitialized: 0x191,
} as const;
