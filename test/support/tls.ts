import { generate } from "selfsigned";

/** PEM, as `https.createServer` and `http2.createSecureServer` take them. */
export interface TestCertificate {
  key: string;
  cert: string;
}

let certificate: Promise<TestCertificate> | undefined;

/** A self-signed certificate for `localhost`, `api.example.com`, `127.0.0.1` and `::1`, made once per process. */
export async function createTestCertificate(): Promise<TestCertificate> {
  certificate ??= generateCertificate();
  return certificate;
}

async function generateCertificate(): Promise<TestCertificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 2, value: "api.example.com" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { key, cert };
}
