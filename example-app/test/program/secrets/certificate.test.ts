import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateCertificate, readCertificate } from "../../../src/program/secrets/certificate.js";
import { makeFolder } from "../../support/stores.js";

const NAMES = ["localhost", "*.localhost", "demo.localhost"];
const DAY_MS = 86_400_000;

describe("generateCertificate()", () => {
  const parent = makeFolder();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(parent, "data-"));
  });

  const readTrusted = () => readFileSync(join(folder, "tls.crt"), "utf8");

  /** The certificate that clients trust after a certificate was generated. */
  async function trustedAt(now?: Date): Promise<string> {
    await generateCertificate(folder, NAMES, now);
    return readTrusted();
  }

  it("makes a certificate for the names and the loopback addresses, signed by the authority that clients trust", async () => {
    const { cert, key, trustFile } = await generateCertificate(join(folder, "new"), NAMES);
    const certificate = new X509Certificate(cert);
    expect(certificate.subjectAltName).toMatch(/^DNS:localhost, DNS:\*\.localhost, DNS:demo\.localhost, /);
    for (const name of ["localhost", "demo.localhost"]) expect(certificate.checkHost(name)).toBe(name);
    for (const address of ["127.0.0.1", "::1"]) expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: "prime256v1" });
    expect(certificate.ca).toBe(false);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);

    const trusted = readFileSync(trustFile!, "utf8");
    const authority = new X509Certificate(trusted);
    expect(authority.ca).toBe(true);
    expect(certificate.checkIssued(authority) && certificate.verify(authority.publicKey)).toBe(true);
    expect(trusted).not.toContain("PRIVATE KEY");
    expect(authority.checkPrivateKey(createPrivateKey(key))).toBe(false);
  });

  it("keeps both files from other users, and leaves no other file", async () => {
    await generateCertificate(folder, NAMES);
    expect(readdirSync(folder).sort()).toEqual(["tls.crt", "tls.pem"]);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it("signs with the same authority again, also other names, and puts back the copy that clients trust", async () => {
    const first = await trustedAt();
    rmSync(join(folder, "tls.crt"));
    const { cert } = await generateCertificate(folder, ["idp.example", "*.idp.example"]);
    expect(readTrusted()).toBe(first);
    expect(new X509Certificate(cert).checkHost("demo.idp.example")).toBeDefined();
  });

  it("replaces the authority 30 days before it could sign no longer, and when the clock was wrong", async () => {
    const first = await trustedAt();
    const end = Date.parse(new X509Certificate(first).validTo);
    const last = end - (825 + 30) * DAY_MS;
    expect(await trustedAt(new Date(last - 1))).toBe(first);

    const renewed = await trustedAt(new Date(last));
    expect(renewed).not.toBe(first);
    expect(Date.parse(new X509Certificate(renewed).validFrom)).toBeLessThanOrEqual(last);
    expect(await trustedAt()).not.toBe(renewed); // not valid yet
  });

  it("replaces a damaged file, a key that is another's, and a certificate that is no authority's", async () => {
    const first = await trustedAt();
    writeFileSync(join(folder, "tls.pem"), "damaged");
    const second = await trustedAt();
    expect(second).not.toBe(first);
    const pair = readFileSync(join(folder, "tls.pem"), "utf8");
    writeFileSync(join(folder, "tls.pem"), pair.replace(/-----BEGIN CERTIFICATE[^]*$/, first));
    const third = await trustedAt();
    expect([first, second]).not.toContain(third);
    const { cert, key } = await generateCertificate(folder, NAMES);
    writeFileSync(join(folder, "tls.pem"), key + cert);
    expect([first, second, third]).not.toContain(await trustedAt());
    expect(readdirSync(folder).sort()).toEqual(["tls.crt", "tls.pem"]);
  });

  it("gives all who start at the same time the same authority", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => generateCertificate(folder, NAMES)));
    const authority = new X509Certificate(readTrusted());
    for (const { cert } of made) expect(new X509Certificate(cert).verify(authority.publicKey)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["tls.crt", "tls.pem"]);
  });

  it("gives one that started a moment earlier, and comes later, the same authority", async () => {
    const start = Date.now();
    const first = await trustedAt(new Date(start + 2_000));
    expect(await trustedAt(new Date(start))).toBe(first);
  });

  it("says in one line that the folder can't be used", async () => {
    writeFileSync(join(folder, "file"), "");
    await expect(generateCertificate(join(folder, "file"), NAMES)).rejects.toMatchObject({
      name: "SettingsError",
      message: expect.stringMatching(/^The data folder can't hold the certificate: .*file'$/),
    });
  });
});

describe("readCertificate()", () => {
  const folder = makeFolder();
  const cert = join(folder, "a.crt");
  const key = join(folder, "a.key");
  const otherKey = join(folder, "other.key");
  const text = join(folder, "text");

  beforeAll(async () => {
    const own = await generateCertificate(join(folder, "own"), NAMES);
    const other = await generateCertificate(join(folder, "other"), NAMES);
    writeFileSync(cert, own.cert);
    writeFileSync(key, own.key);
    writeFileSync(otherKey, other.key);
    writeFileSync(text, "no PEM");
  });

  it("reads the files", async () => {
    expect(await readCertificate({ cert, key })).toEqual({
      cert: readFileSync(cert, "utf8"),
      key: readFileSync(key, "utf8"),
    });
  });

  it.each([
    [{ cert: join(folder, "absent"), key }, /^--tls-cert can't be read: ENOENT.*absent'$/],
    [{ cert, key: join(folder, "absent") }, /^--tls-key can't be read: ENOENT.*absent'$/],
    [{ cert: text, key }, /^--tls-cert .*text is no PEM file with a certificate$/],
    [{ cert, key: text }, /^--tls-key .*text is no PEM file with a private key without a passphrase$/],
    [
      { cert, key: otherKey },
      /^The key in --tls-key .*other\.key is not that of the certificate in --tls-cert .*a\.crt$/,
    ],
  ])("refuses %j in one line", async (files, message) => {
    await expect(readCertificate(files)).rejects.toMatchObject({
      name: "SettingsError",
      message: expect.stringMatching(message),
    });
  });
});
