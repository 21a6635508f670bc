-- Published CRLs are read in slices, which an uncompressed value gives without reading the rest; serial numbers are
-- random, so compressing a long list takes processor time and saves little. Holds for values written from now on.
ALTER TABLE published_crl ALTER COLUMN der SET STORAGE EXTERNAL;
