import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateCertificate, readCertificate } from "../../src/program/certificate.js";
import { makeFolder } from "../support/stores.js";

const NAMES = ["localhost", "*.localhost", "demo.localhost"];
const DAY_MS = 86_400_000;

describe("generateCertificate()", () => {
  const parent = makeFolder();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(parent, "data-"));
  });

  it("makes a certificate for the names and the loopback addresses", async () => {
    const { cert, key, trustFile } = await generateCertificate(join(folder, "new"), NAMES);
    const certificate = new X509Certificate(cert);
    expect(certificate.subjectAltName).toMatch(/^DNS:localhost, DNS:\*\.localhost, DNS:demo\.localhost, /);
    for (const name of ["localhost", "demo.localhost"]) expect(certificate.checkHost(name)).toBe(name);
    for (const address of ["127.0.0.1", "::1"]) expect(certificate.checkIP(address)).toBe(address);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: "prime256v1" });
    expect(certificate.ca).toBe(false);
    expect(key).toContain("PRIVATE KEY");
    expect(readFileSync(trustFile!, "utf8")).toBe(cert);
    expect(cert).not.toContain("PRIVATE KEY");
  });

  it("keeps both files from other users, and leaves no other file", async () => {
    await generateCertificate(folder, NAMES);
    expect(readdirSync(folder).sort()).toEqual(["tls.crt", "tls.pem"]);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it("finds the same one again, and puts back the copy that clients trust", async () => {
    const first = await generateCertificate(folder, NAMES);
    rmSync(first.trustFile!);
    expect(await generateCertificate(folder, NAMES)).toEqual(first);
    expect(readFileSync(first.trustFile!, "utf8")).toBe(first.cert);
  });

  it("renews it in the last 30 days, and when the clock was wrong", async () => {
    const { cert } = await generateCertificate(folder, NAMES);
    const end = Date.parse(new X509Certificate(cert).validTo);
    const early = new Date(end - 30 * DAY_MS - 1);
    expect((await generateCertificate(folder, NAMES, early)).cert).toBe(cert);

    const late = new Date(end - 30 * DAY_MS);
    const renewed = await generateCertificate(folder, NAMES, late);
    expect(renewed.cert).not.toBe(cert);
    expect(Date.parse(new X509Certificate(renewed.cert).validFrom)).toBeLessThanOrEqual(late.getTime());
    expect((await generateCertificate(folder, NAMES)).cert).not.toBe(renewed.cert); // not valid yet
  });

  it("renews one that lacks a name", async () => {
    const { cert } = await generateCertificate(folder, NAMES);
    const other = await generateCertificate(folder, ["idp.example", "*.idp.example"]);
    expect(other.cert).not.toBe(cert);
    expect(new X509Certificate(other.cert).checkHost("demo.idp.example")).toBeDefined();
  });

  it("replaces a damaged file, and a key that is another's", async () => {
    const { cert } = await generateCertificate(folder, NAMES);
    writeFileSync(join(folder, "tls.pem"), "damaged");
    const second = await generateCertificate(folder, NAMES);
    expect(second.cert).not.toBe(cert);
    writeFileSync(join(folder, "tls.pem"), second.key.replace(/-----BEGIN CERTIFICATE[^]*$/, cert));
    const third = await generateCertificate(folder, NAMES);
    expect(third.cert).not.toBe(cert);
    expect(readdirSync(folder).sort()).toEqual(["tls.crt", "tls.pem"]);
  });

  it("gives all who start at the same time the same one", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => generateCertificate(folder, NAMES)));
    expect(new Set(made.map(({ cert }) => cert)).size).toBe(1);
    expect(readFileSync(join(folder, "tls.crt"), "utf8")).toBe(made[0]!.cert);
    expect(readdirSync(folder).sort()).toEqual(["tls.crt", "tls.pem"]);
  });

  it("gives one that started a moment earlier, and comes later, the same one", async () => {
    const start = Date.now();
    const { cert } = await generateCertificate(folder, NAMES, new Date(start + 2_000));
    expect((await generateCertificate(folder, NAMES, new Date(start))).cert).toBe(cert);
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
